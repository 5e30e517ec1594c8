// A separate process that starts a network, reports it, and runs until it is ended.
import { startLocalBluesky } from '../src/index.ts';

const { pid, service } = await startLocalBluesky();
process.stdout.write(`${JSON.stringify({ pid, service })}\n`);
process.stdin.resume();
