// Another process that starts a network, says so, and stays until it is ended.
import { startLocalBluesky } from '../src/index.ts';

const { pid, service } = await startLocalBluesky();
process.stdout.write(`${JSON.stringify({ pid, service })}\n`);
process.stdin.resume();
