import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BlueskyAddresses, type BlueskyNetwork, connectLocalBluesky } from './bluesky-network.ts';
import { type LocalBluesky, startLocalBluesky } from './start-local-bluesky.ts';

/** Environment variable with the address at which the processes of a test run get their shared network. */
const OFFER = 'LOCAL_BLUESKY_OFFER';

/**
 * For the main process of a test run, before its workers start. The first test that asks for the network starts it; the
 * network ends with this process.
 */
export async function offerLocalBluesky(): Promise<void> {
  if (process.env[OFFER]) return;
  let started: Promise<LocalBluesky> | undefined;
  const server = createServer((_request, response) => {
    started ??= startLocalBluesky();
    started.then(
      ({ unref, service, appView, plc, jetstream }) => {
        unref();
        response.end(JSON.stringify({ service, appView, plc, jetstream } satisfies BlueskyAddresses));
      },
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  // The first start may need an installation, which takes long.
  server.requestTimeout = 0;
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  process.env[OFFER] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The network that all tests of a run share; each test makes its own accounts. Starts it if no test has yet. */
export async function sharedBluesky(): Promise<BlueskyNetwork> {
  const offer = process.env[OFFER];
  if (!offer) throw new Error('Nobody offers a network: call offerLocalBluesky in the global set-up of these tests.');
  const answer = await fetch(offer);
  const body = await answer.text();
  if (!answer.ok) throw new Error(body);
  return connectLocalBluesky(JSON.parse(body) as BlueskyAddresses);
}
