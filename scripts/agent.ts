import { startAgent } from '../packages/processes/src/index.ts';
import { buildProduct } from './build-product.ts';
import { openDatabase } from './database.ts';
import { runSession } from './session.ts';

const say = (line: string) => console.log(line);

await runSession(async (onStop) => {
  const dataDir = process.env['DATA_DIR'] ?? '.data';
  const [database] = await Promise.all([openDatabase(dataDir, say), buildProduct()]);
  onStop(database.close);
  const agent = startAgent({ mongodbUri: database.uri, dataDir });
  onStop(agent.stop);
  say(`The agent is starting (Ctrl-C stops it; its log is ${agent.log})`);
  throw new Error(`The agent has ended:\n${await agent.ended}`);
});
