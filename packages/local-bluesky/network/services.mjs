import { once } from 'node:events';
import { createServer } from 'node:net';
// Its index would load services that are not started here.
import { TestBsky } from '@atproto/dev-env/dist/bsky.js';
import { TestPds } from '@atproto/dev-env/dist/pds.js';
import { TestPlc } from '@atproto/dev-env/dist/plc.js';
import { mockNetworkUtilities } from '@atproto/dev-env/dist/util.js';
import { writeMultikeys } from './did-documents.mjs';
import { startJetstream } from './jetstream.mjs';

/**
 * Starts the parts of a Bluesky network: the directory of identities (PLC), the AppView over PostgreSQL, one server of
 * accounts (PDS) that it follows, and a Jetstream of it. They live in this process, which may end
 * at any moment; their files are in the folder for temporary ones.
 */
export async function startServices(postgresUrl) {
  const plc = await TestPlc.create({});
  writeMultikeys(plc.server.app);
  const [appViewPort, pdsPort] = [await freePort(), await freePort()];
  const bsky = await TestBsky.create({
    port: appViewPort,
    // Addresses of pictures begin with it.
    publicUrl: `http://localhost:${appViewPort}`,
    plcUrl: plc.url,
    pdsPort,
    repoProvider: `ws://localhost:${pdsPort}`,
    dbPostgresUrl: postgresUrl,
    dbPostgresSchema: 'appview',
  });
  const pds = await TestPds.create({
    port: pdsPort,
    didPlcUrl: plc.url,
    bskyAppViewUrl: bsky.url,
    bskyAppViewDid: bsky.ctx.cfg.serverDid,
    modServiceUrl: 'http://localhost:1',
    modServiceDid: 'did:example:moderation',
  });
  mockNetworkUtilities(pds, bsky);
  const jetstream = await startJetstream(pds.ctx.sequencer);
  return { service: pds.url, appView: bsky.url, plc: plc.url, jetstream };
}

async function freePort() {
  const probe = createServer().listen(0);
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
