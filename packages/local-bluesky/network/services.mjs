import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
// The package's index would load services that are not used here.
import { TestBsky } from '@atproto/dev-env/dist/bsky.js';
import { TestPds } from '@atproto/dev-env/dist/pds.js';
import { TestPlc } from '@atproto/dev-env/dist/plc.js';
import { mockNetworkUtilities } from '@atproto/dev-env/dist/util.js';
import { writeMultikeys } from './did-documents.mjs';
import { startJetstream } from './jetstream.mjs';

const POLL_MS = 5;

/**
 * Starts the parts of a Bluesky network: the directory of identities (PLC), the AppView over PostgreSQL, one server of
 * accounts (PDS) that the AppView follows, and a Jetstream of it. They run in this process, which may end at any
 * moment. Their files are in the temporary folder.
 */
export async function startServices(postgresUrl) {
  const plc = await TestPlc.create({});
  writeMultikeys(plc.server.app);
  const [appViewPort, pdsPort] = [await freePort(), await freePort()];
  const bsky = await TestBsky.create({
    port: appViewPort,
    // Picture addresses begin with it.
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
  tellAtOnce(pds.ctx.sequencer);
  answerWhenSettled(bsky, pds);
  const jetstream = await startJetstream(pds.ctx.sequencer);
  return { service: pds.url, appView: bsky.url, plc: plc.url, jetstream };
}

/**
 * After idle times the server of accounts polls for new events up to a second late. This patch makes it poll at once.
 */
function tellAtOnce(sequencer) {
  const { exponentialBackoff, sequenceEvt } = sequencer;
  let written = new AbortController();
  sequencer.sequenceEvt = async (event) => {
    const seq = await sequenceEvt.call(sequencer, event);
    written.abort();
    return seq;
  };
  sequencer.exponentialBackoff = async () => {
    if (!written.signal.aborted)
      await Promise.race([exponentialBackoff.call(sequencer), once(written.signal, 'abort')]);
    written = new AbortController();
  };
}

/** The AppView answers `GET /settled` once it shows everything that was written before the request. */
function answerWhenSettled({ server, sub }, { ctx }) {
  server.app.get('/settled', async (_request, response) => {
    const latest = (await ctx.sequencer.curr()) ?? 0;
    while (((await sub.runner.getCursor()) ?? 0) < latest) await delay(POLL_MS);
    // Counts and notifications follow a moment after the write.
    await sub.background.processAll();
    response.end();
  });
}

async function freePort() {
  const probe = createServer().listen(0);
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
