// Another process that opens the engine, says so, and stays until it is ended.
import { openEmbeddedMongo } from '../src/index.ts';

const mongo = await openEmbeddedMongo({ directory: process.argv[2] ?? '', cacheMegabytes: 256 });
process.stdout.write(`${JSON.stringify({ uri: mongo.uri, pid: mongo.pid() })}\n`);
process.stdin.resume();
