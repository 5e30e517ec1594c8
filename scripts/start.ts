import { PRODUCT_NAME } from '../packages/contracts/src/index.ts';
import { startAgent, startApi } from '../packages/processes/src/index.ts';
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
  if (hasAccount(process.env)) {
    const agent = startAgent(ground);
    onStop(agent.stop);
    void agent.ended.then((words) => say(`The agent has ended; the archive goes on without it:\n${words}`));
    say(`The agent is starting (its log is ${agent.log})`);
  }
  say(`${PRODUCT_NAME} is running at ${api.url} (Ctrl-C stops it; its log is ${api.log})`);
  await api.ended;
  throw new Error(`The API has ended; its log is ${api.log}.`);
});

/** Whether the settings name an account for an agent. */
function hasAccount(env: NodeJS.ProcessEnv): boolean {
  return ['BLUESKY_IDENTIFIER', 'X_ACCESS_TOKEN', 'X_ACCESS_TOKEN_FILE'].some((name) => Boolean(env[name]));
}
