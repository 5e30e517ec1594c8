import { once } from 'node:events';
import { until } from '@archive/tiers';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import WebSocket from 'ws';
import { type BlueskyNetwork, type LocalAccount, sharedBluesky } from '../src/index.ts';

interface Told {
  did: string;
  time_us: number;
  kind: 'commit' | 'identity' | 'account';
  commit?: { operation: string; collection: string; rkey: string; cid?: string; record?: { text?: string } };
  account?: { active: boolean; status?: string };
}

const POSTS = 'app.bsky.feed.post';

let bluesky: BlueskyNetwork;
let followed: LocalAccount;
let other: LocalAccount;
const sockets: WebSocket[] = [];

beforeAll(async () => {
  bluesky = await sharedBluesky();
  followed = await bluesky.createAccount({ handle: 'followed-one.test' });
  other = await bluesky.createAccount({ handle: 'another-one.test' });
});

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
});

async function follow(options: Record<string, string>): Promise<{ told: Told[]; socket: WebSocket }> {
  const socket = new WebSocket(`${bluesky.jetstream}/subscribe?${new URLSearchParams(options)}`);
  sockets.push(socket);
  const told: Told[] = [];
  socket.on('message', (data) => told.push(JSON.parse(String(data)) as Told));
  await once(socket, 'open');
  return { told, socket };
}

/** The events up to the first that matches. */
async function untilTold(told: Told[], fits: (one: Told) => boolean): Promise<Told[]> {
  const at = await until(() => {
    const found = told.findIndex(fits);
    return found !== -1 && { found };
  });
  return told.slice(0, at.found + 1);
}

test('tells posts and deletes of those who are wanted, of the collections that are wanted', async () => {
  const { told } = await follow({ wantedDids: followed.did, wantedCollections: POSTS, cursor: '1' });
  await other.post({ text: 'nobody asked' });
  const post = await followed.post({ text: 'here and gone' });
  await followed.deletePost(post);
  const rkey = post.uri.split('/').at(-1) as string;
  const all = await untilTold(told, ({ commit }) => commit?.operation === 'delete');
  expect(new Set(all.map(({ did }) => did))).toEqual(new Set([followed.did]));
  expect(all.filter(({ kind }) => kind === 'commit')).toEqual([
    {
      did: followed.did,
      time_us: expect.any(Number),
      kind: 'commit',
      commit: {
        rev: expect.any(String),
        operation: 'create',
        collection: POSTS,
        rkey,
        cid: post.cid,
        record: expect.objectContaining({ $type: POSTS, text: 'here and gone' }),
      },
    },
    {
      did: followed.did,
      time_us: expect.any(Number),
      kind: 'commit',
      commit: { rev: expect.any(String), operation: 'delete', collection: POSTS, rkey },
    },
  ]);
});

test('goes on from a cursor, that moment included, and tells nothing twice', async () => {
  const { told } = await follow({ wantedDids: followed.did, wantedCollections: POSTS, cursor: '1' });
  await followed.post({ text: 'one' });
  await followed.post({ text: 'two' });
  const isText = (text: string) => (one: Told) => one.commit?.record?.text === text;
  const first = (await untilTold(told, isText('two'))).find(isText('one')) as Told;
  const again = await follow({
    wantedDids: followed.did,
    wantedCollections: 'app.bsky.feed.*',
    cursor: `${first.time_us}`,
  });
  await followed.post({ text: 'three' });
  const all = await untilTold(again.told, isText('three'));
  expect(all.map(({ commit }) => commit?.record?.text)).toEqual(['one', 'two', 'three']);
  expect(all.map(({ time_us }) => time_us)).toEqual([...new Set(all.map(({ time_us }) => time_us))].sort());
});

test('waits for what a client wants, and learns of accounts whatever that is', async () => {
  const account = await bluesky.createAccount({ handle: 'leaving-one.test' });
  const { told, socket } = await follow({ requireHello: 'true' });
  await other.post({ text: 'before the hello' });
  const payload = { wantedDids: [account.did], wantedCollections: [POSTS] };
  socket.send(JSON.stringify({ type: 'options_update', payload }));
  await account.call('com.atproto.server.deactivateAccount', { input: {} });
  const all = await untilTold(told, ({ account: state }) => state?.active === false);
  expect(all.at(-1)).toMatchObject({ did: account.did, kind: 'account', account: { status: 'deactivated' } });
  expect(all.filter(({ did }) => did !== account.did)).toEqual([]);
});

test('leaves who wants what is no DID', async () => {
  const { socket } = await follow({ requireHello: 'true' });
  const closed = once(socket, 'close');
  const payload = { wantedDids: [followed.did, 'did:x'], wantedCollections: [POSTS] };
  socket.send(JSON.stringify({ type: 'options_update', payload }));
  expect((await closed)[0]).toBe(1008);
});
