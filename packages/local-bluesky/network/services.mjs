import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
// Its index would load services that are not started here.
import { TestBsky } from '@atproto/dev-env/dist/bsky.js';
import { TestPds } from '@atproto/dev-env/dist/pds.js';
import { TestPlc } from '@atproto/dev-env/dist/plc.js';
import { mockNetworkUtilities } from '@atproto/dev-env/dist/util.js';
import { writeMultikeys } from './did-documents.mjs';
import { startJetstream } from './jetstream.mjs';

const POLL_MS = 5;

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
  tellAtOnce(pds.ctx.sequencer);
  answerWhenSettled(bsky, pds);
  const jetstream = await startJetstream(pds.ctx.sequencer);
  return { service: pds.url, appView: bsky.url, plc: plc.url, jetstream };
}

/** The server of accounts looks for what was written to it, after idle times a second late: here it looks at once. */
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

/** `GET /settled` of the AppView is answered once it shows all that has been written by then. */
function answerWhenSettled({ server, sub }, { ctx }) {
  server.app.get('/settled', async (_request, response) => {
    const latest = (await ctx.sequencer.curr()) ?? 0;
    while (((await sub.runner.getCursor()) ?? 0) < latest) await delay(POLL_MS);
    // What was written is also counted, and told to whom it names, a moment later.
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
