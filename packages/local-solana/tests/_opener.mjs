// A separate process that opens a network, reports it, and runs until it is ended.
import { openLocalSolana } from '../src/index.ts';

const solana = await openLocalSolana({ directory: process.argv[2] ?? '', slotMs: 50 });
process.stdout.write(`${JSON.stringify({ rpcUrl: solana.rpcUrl, pid: solana.pid() })}\n`);
process.stdin.resume();
