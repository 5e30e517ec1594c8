import { createAgent } from './agent.ts';
import { ConfigError, readConfig } from './config.ts';
import { onceTold, runProcess } from './run-process.ts';

const STOP_DEADLINE_MS = 15_000;

const WANTED = `The agent needs an account on at least one platform:
  X: X_API_KEY, X_API_SECRET, X_ACCESS_TOKEN and X_ACCESS_SECRET of an app that the account owns; in production X_EXPORT too
  Bluesky: BLUESKY_IDENTIFIER, and BLUESKY_PASSWORD, an app password
docs/agent.md tells how to come by them.`;

await runProcess(async () => {
  const config = readConfig(process.env);
  const agent = await createAgent(config);
  if (agent.handles.length === 0) {
    await agent.stop();
    throw new ConfigError(WANTED);
  }
  onceTold(STOP_DEADLINE_MS, () => agent.stop());
  await agent.start();
  agent.log.info({ accounts: agent.handles }, 'the agent is at work');
});
