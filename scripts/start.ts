import { PRODUCT_NAME } from '../packages/contracts/src/index.ts';
import { startApi } from '../packages/processes/src/index.ts';
import { openGround } from './ground.ts';
import { importSampleIfEmpty } from './sample-archive.ts';
import { runSession } from './session.ts';

const say = (line: string) => console.log(line);

await runSession(async (onStop) => {
  const ground = await openGround(onStop, say);
  say('Starting the API');
  const api = await startApi({ ...ground, onProgress: say });
  onStop(api.stop);
  if (process.env['NODE_ENV'] !== 'production') {
    await importSampleIfEmpty(api.url, ground.mongodbUri, ground.dataDir, say);
  }
  say(`${PRODUCT_NAME} is running at ${api.url} (Ctrl-C stops it; its log is ${api.log})`);
  await api.ended;
  throw new Error(`The API has ended; its log is ${api.log}.`);
});
