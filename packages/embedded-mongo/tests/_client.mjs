// A separate process that opens the engine, reports it, and runs until it is ended.
import { openEmbeddedMongo } from '../src/index.ts';

const mongo = await openEmbeddedMongo({ directory: process.argv[2] ?? '', cacheMegabytes: 256 });
process.stdout.write(`${JSON.stringify({ uri: mongo.uri, pid: mongo.pid() })}\n`);
process.stdin.resume();
