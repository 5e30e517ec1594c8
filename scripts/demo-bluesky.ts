import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { PRODUCT_NAME, PRODUCT_SLUG } from '../packages/contracts/src/index.ts';
import { openEmbeddedMongo } from '../packages/embedded-mongo/src/index.ts';
import { agentSettings, startLocalBluesky } from '../packages/local-bluesky/src/index.ts';
import { freePort, startAgent, startApi } from '../packages/processes/src/index.ts';
import { buildProduct } from './build-product.ts';
import { DemoPeople } from './demo-people.ts';
import { importSampleIfEmpty } from './sample-archive.ts';
import { runSession } from './session.ts';

const say = (line = '') => console.log(line);
/** Milliseconds before the first post, to open the page after its address is printed. */
const BEFORE_FIRST_MS = 15_000;

/**
 * Runs the product with a local Bluesky network and a few accounts that post, quote and ask. Everything is in a
 * temporary folder on this machine, which is deleted at the end.
 */
await runSession(async (onStop) => {
  const dataDir = await mkdtemp(join(tmpdir(), `${PRODUCT_SLUG}-demo-`));
  onStop(() => rm(dataDir, { recursive: true, force: true }));
  say('Building, and starting a Bluesky network on this machine');
  const [network, mongo] = await Promise.all([
    startLocalBluesky({ log: () => {} }),
    openEmbeddedMongo({ directory: join(dataDir, 'mongo'), onProgress: say }),
    buildProduct(),
  ]);
  onStop(network.stop);
  onStop(mongo.close);
  const people = await DemoPeople.invite(network);
  const { keeper, names } = people;
  const port = Number(process.env['PORT']) || (await freePort());
  const ground = {
    port,
    dataDir,
    mongodbUri: mongo.uri,
    env: {
      NODE_ENV: 'development',
      PUBLIC_URL: `http://localhost:${port}`,
      ...agentSettings(network, keeper),
    },
  };
  const api = await startApi({ ...ground, onProgress: say });
  onStop(api.stop);
  await importSampleIfEmpty(api.url, mongo.uri, dataDir, say);
  const agent = startAgent(ground);
  onStop(agent.stop);
  let isEnding = false;
  onStop(async () => {
    isEnding = true;
  });
  void agent.ended.then((words) => isEnding || say(`The agent has ended:\n${words}`));

  say();
  say(`  ${PRODUCT_NAME} is at   ${api.url}`);
  say();
  say('  1. Open that address now, and come back here: press Enter, or wait a quarter of a minute.');
  say(`  2. ${names.author} posts a picture; ${names.asker} quotes it and asks @${keeper.handle} to save it.`);
  say('  3. “1 new post” appears in the open page. Press it, and the card is there, with its picture.');
  say();
  say('  Then it is your turn. Type here:');
  say(`    post <words>   ${names.author} posts another picture, and ${names.asker} asks for it`);
  say(`    draft <words>  the same without asking; then “ask <words>” asks in your words, or in none`);
  say(
    `    say <words>    ${names.author} answers the keeper as the author: “remove”, “no tokens”, “no archive”, “allow”`,
  );
  say('    quit           stops all of it; nothing is left behind');
  say();
  const typed = createInterface({ input: process.stdin });
  const ended = new Promise<void>((resolve) => {
    typed.on('line', (line) => void people.act(line, say).then((goesOn) => goesOn || resolve()));
    // Without a terminal it runs until it is stopped.
    if (process.stdin.isTTY) typed.on('close', resolve);
  });
  await Promise.race([delay(BEFORE_FIRST_MS), once(typed, 'line'), ended]);
  await people.act('post The evening light on the harbour wall', say);
  const isWanted = await Promise.race([ended.then(() => true), api.ended.then(() => false)]);
  if (!isWanted) throw new Error('The archive has ended by itself.');
  say('Stopping. Nothing is left behind.');
});
