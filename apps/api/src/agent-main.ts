import { createAgent } from './agent.ts';
import { ConfigError, readConfig } from './config.ts';
import { UnfinishedRestoreError } from './db/archive-state.ts';

const STOP_DEADLINE_MS = 15_000;

const WANTED = `The agent needs an account on at least one platform:
  X: X_API_KEY, X_API_SECRET, X_ACCESS_TOKEN and X_ACCESS_SECRET of an app that the account owns; in production X_EXPORT too
  Bluesky: BLUESKY_IDENTIFIER, and BLUESKY_PASSWORD, an app password
docs/agent.md tells how to come by them.`;

try {
  await run();
} catch (error) {
  const isExpected = error instanceof ConfigError || error instanceof UnfinishedRestoreError;
  process.stderr.write(`${isExpected ? (error as Error).message : String((error as Error).stack)}\n`);
  process.exit(1);
}

async function run(): Promise<void> {
  const config = readConfig(process.env);
  const agent = await createAgent(config);
  if (agent.handles.length === 0) {
    await agent.stop();
    throw new ConfigError(WANTED);
  }
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
    agent.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  await agent.start();
  agent.log.info({ accounts: agent.handles }, 'the agent is at work');
}
