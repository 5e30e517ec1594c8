import { once } from 'node:events';
import { lexToJson } from '@atproto/lexicon';
import { cborToLexRecord, readCar } from '@atproto/repo';
import { WebSocketServer } from 'ws';

const BATCH = 500;
/** DIDs as the network writes them. Jetstream closes the connection of a client that wants another form. */
const DID = /^did:[a-z]+:[a-zA-Z0-9._:%-]*[a-zA-Z0-9._-]$/;

/**
 * A stand-in for Jetstream: sends the events of the server of accounts as JSON over `/subscribe`. It supports
 * `wantedDids`, `wantedCollections`, `cursor` (microseconds, inclusive), `requireHello` and `options_update`. It closes
 * a connection that wants an invalid DID. Uncompressed. Returns its address.
 */
export async function startJetstream(sequencer) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', path: '/subscribe' });
  await once(server, 'listening');
  server.on('connection', (socket, request) => {
    const { searchParams } = new URL(request.url, 'http://localhost');
    serve(sequencer, socket, searchParams).catch((error) => socket.close(1011, error.message.slice(0, 100)));
  });
  return `ws://localhost:${server.address().port}`;
}

async function serve(sequencer, socket, given) {
  let wanted = { dids: given.getAll('wantedDids'), collections: given.getAll('wantedCollections') };
  const cursor = Number(given.get('cursor')) || undefined;
  let position = cursor === undefined ? ((await sequencer.curr()) ?? 0) : undefined;
  let ready = given.get('requireHello') !== 'true';
  let sending = Promise.resolve();

  // Each connection reads the stored events from its own position, so it misses none between old and new ones.
  const sendAll = async () => {
    while (ready && socket.readyState === socket.OPEN) {
      const from =
        position === undefined
          ? { earliestTime: new Date(Math.floor(cursor / 1000) - 1).toISOString() }
          : { earliestSeq: position };
      const events = await sequencer.requestSeqRange({ ...from, limit: BATCH });
      if (events.length === 0) return;
      for (const event of events) {
        for (const message of await messagesOf(event)) {
          if (message.time_us >= (cursor ?? 0) && wants(wanted, message)) socket.send(JSON.stringify(message));
        }
        position = event.seq;
      }
    }
  };
  const wake = () => {
    sending = sending.then(sendAll).catch((error) => socket.close(1011, error.message.slice(0, 100)));
  };
  sequencer.on('events', wake);
  socket.on('close', () => sequencer.off('events', wake));
  socket.on('error', () => socket.terminate());
  socket.on('message', (data) => {
    const { type, payload } = JSON.parse(String(data));
    if (type !== 'options_update') return;
    const dids = payload.wantedDids ?? [];
    if (!dids.every((did) => DID.test(did))) return socket.close(1008, 'invalid options');
    wanted = { dids, collections: payload.wantedCollections ?? [] };
    ready = true;
    wake();
  });
  wake();
}

/** Account and identity events are sent whatever collections are wanted. */
function wants({ dids, collections }, { did, commit }) {
  if (dids.length > 0 && !dids.includes(did)) return false;
  if (!commit || collections.length === 0) return true;
  return collections.some((one) =>
    one.endsWith('*') ? commit.collection.startsWith(one.slice(0, -1)) : one === commit.collection,
  );
}

async function messagesOf({ type, seq, time, evt }) {
  // The sequence number distinguishes events of one millisecond.
  const time_us = Date.parse(time) * 1000 + (seq % 1000);
  if (type === 'account') {
    const { did, active, status } = evt;
    return [{ did, time_us, kind: 'account', account: { did, active, ...(status && { status }), seq, time } }];
  }
  if (type === 'identity') {
    const { did, handle } = evt;
    return [{ did, time_us, kind: 'identity', identity: { did, ...(handle && { handle }), seq, time } }];
  }
  if (type !== 'commit') return [];
  const { blocks } = await readCar(evt.blocks);
  return evt.ops.map(({ action, path, cid }) => {
    const [collection, rkey] = path.split('/');
    const record = cid && { record: lexToJson(cborToLexRecord(blocks.get(cid))), cid: String(cid) };
    const commit = { rev: evt.rev, operation: action, collection, rkey, ...record };
    return { did: evt.repo, time_us, kind: 'commit', commit };
  });
}
