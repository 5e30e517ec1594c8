import { createHash } from 'node:crypto';
import { until } from '@archive/tiers';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type BlueskyNetwork, callXrpc, type LocalAccount, type RecordRef, sharedBluesky } from '../src/index.ts';
import { picture } from './_pictures.ts';

interface PostView {
  uri: string;
  author: { did: string; handle: string; displayName: string; labels: { val: string }[] };
  record: { text: string; embed?: { images: { image: { ref: { $link: string } } }[] } };
  embed?: { images?: { fullsize: string; thumb: string; alt: string }[]; record?: { $type: string; uri: string } };
  labels: { val: string }[];
}

const AVATAR = picture(32, 32, [200, 90, 20]);
const PHOTO = picture(120, 80, [20, 90, 200]);

let bluesky: BlueskyNetwork;
let author: LocalAccount;
let reader: LocalAccount;
let agent: LocalAccount;

beforeAll(async () => {
  bluesky = await sharedBluesky();
  author = await bluesky.createAccount({
    handle: 'ada-author.test',
    displayName: 'An author',
    avatar: AVATAR,
    labels: ['!no-unauthenticated'],
  });
  reader = await bluesky.createAccount({ handle: 'bo-reader.test', displayName: 'A reader' });
  agent = await bluesky.createAccount({ handle: 'keeping-agent.test' });
});

/** A post as anyone sees it, without a session. */
async function seen({ uri }: RecordRef): Promise<PostView | undefined> {
  const { posts } = await callXrpc<{ posts: PostView[] }>(bluesky.appView, 'app.bsky.feed.getPosts', {
    params: { uris: [uri] },
  });
  return posts[0];
}

const view = (post: RecordRef) => until(() => seen(post));
const keyOf = ({ uri }: RecordRef) => uri.split('/').at(-1) as string;

test('an app signs in with an app password, and with no other', async () => {
  const signIn = (password: string) =>
    callXrpc<{ did: string }>(bluesky.service, 'com.atproto.server.createSession', {
      input: { identifier: agent.handle, password },
    });
  expect(agent.appPassword).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
  expect(await signIn(agent.appPassword)).toMatchObject({ did: agent.did });
  await expect(signIn('aaaa-bbbb-cccc-dddd')).rejects.toMatchObject({ status: 401, code: 'AuthenticationRequired' });
});

test('a picture is shown by the AppView, and is on the server of its author byte for byte', async () => {
  const post = await author.post({
    text: 'look at this',
    images: [{ bytes: PHOTO, alt: 'a blue field', width: 120, height: 80 }],
    labels: ['graphic-media'],
  });
  const { embed, record, labels } = await view(post);
  const [image] = embed?.images ?? [];
  expect(image).toMatchObject({ alt: 'a blue field', aspectRatio: { width: 120, height: 80 } });
  expect(labels.map(({ val }) => val)).toEqual(['graphic-media']);
  for (const address of [image?.fullsize, image?.thumb] as string[]) {
    expect(address.startsWith(`${bluesky.appView}/img/feed_`)).toBe(true);
    const answer = await fetch(address);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp']);
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(100);
  }

  const cid = record.embed?.images[0]?.image.ref.$link as string;
  const params = { did: author.did, cid };
  const bytes = await callXrpc<Uint8Array>(bluesky.service, 'com.atproto.sync.getBlob', { params });
  expect(Buffer.from(bytes).equals(PHOTO)).toBe(true);
});

test('once it has settled the AppView shows what was written, and no more what was deleted', async () => {
  const post = await author.post({ text: 'here for a moment' });
  await bluesky.settled();
  expect((await seen(post))?.record.text).toBe('here for a moment');
  await author.deletePost(post);
  await bluesky.settled();
  expect(await seen(post)).toBeUndefined();
});

test('a label that an author gives the whole account comes with every post of theirs, and hides none', async () => {
  const { author: shown } = await view(await author.post({ text: 'not for strangers' }));
  expect(shown).toMatchObject({ did: author.did, handle: 'ada-author.test', displayName: 'An author' });
  expect(shown.labels.map(({ val }) => val)).toEqual(['!no-unauthenticated']);
});

test('a quote that mentions somebody is told to them, until its post is gone', async () => {
  const post = await author.post({ text: 'worth keeping' });
  const quote = await reader.post({ text: 'é @keeping-agent.test save this', mentions: [agent], quote: post });
  const told = await until(async () => {
    const { notifications } = await agent.call<{ notifications: (PostView & { reason: string })[] }>(
      'app.bsky.notification.listNotifications',
    );
    return notifications.find(({ uri }) => uri === quote.uri);
  });
  expect(told).toMatchObject({
    reason: 'mention',
    author: { did: reader.did },
    record: {
      embed: { record: post },
      facets: [{ index: { byteStart: 3, byteEnd: 22 }, features: [{ did: agent.did }] }],
    },
  });
  expect((await view(quote)).embed?.record).toMatchObject({ $type: 'app.bsky.embed.record#viewRecord', uri: post.uri });

  await author.deletePost(post);
  await until(async () => (await seen(post)) === undefined);
  expect((await view(quote)).embed?.record).toMatchObject({
    $type: 'app.bsky.embed.record#viewNotFound',
    uri: post.uri,
  });
});

test('an author’s thread is answered as one', async () => {
  const first = await author.post({ text: 'first' });
  const second = await author.post({ text: 'second', reply: { parent: first } });
  const third = await author.post({ text: 'third', reply: { parent: second, root: first } });
  await view(third);
  const { thread } = await callXrpc<{ thread: unknown }>(bluesky.appView, 'app.bsky.feed.getPostThread', {
    params: { uri: second.uri },
  });
  expect(thread).toMatchObject({
    post: { uri: second.uri },
    parent: { post: { uri: first.uri } },
    replies: [{ post: { uri: third.uri } }],
  });
});

test('the signed record of a post comes as a CAR that holds it', async () => {
  const post = await author.post({ text: 'signed words' });
  const params = { did: author.did, collection: 'app.bsky.feed.post', rkey: keyOf(post) };
  const car = Buffer.from(await callXrpc<Uint8Array>(bluesky.service, 'com.atproto.sync.getRecord', { params }));
  const at = car.indexOf('signed words');
  expect(at).toBeGreaterThan(0);
  // A block follows its CID, whose last 32 bytes are the block's hash.
  const starts = Array.from({ length: at }, (_, offset) => offset);
  const ends = Array.from({ length: car.length - at }, (_, offset) => at + offset + 1);
  const isBlock = starts.some((start) =>
    ends.some((end) => {
      const hash = createHash('sha256').update(car.subarray(start, end)).digest();
      return start >= 32 && hash.equals(car.subarray(start - 32, start));
    }),
  );
  expect(isBlock).toBe(true);
});

describe('an account', () => {
  test('keeps its id when its handle changes, everywhere', async () => {
    const account = await bluesky.createAccount({ handle: 'before-it.test' });
    const post = await account.post({ text: 'by the same author' });
    await view(post);
    await account.call('com.atproto.identity.updateHandle', { input: { handle: 'after-it.test' } });
    const shown = await until(async () => {
      const found = await seen(post);
      return found?.author.handle === 'after-it.test' && found;
    });
    expect(shown.author.did).toBe(account.did);
    const document = (await (await fetch(`${bluesky.plc}/${account.did}`)).json()) as object;
    expect(document).toMatchObject({
      id: account.did,
      alsoKnownAs: ['at://after-it.test'],
      verificationMethod: [
        {
          id: `${account.did}#atproto`,
          type: 'Multikey',
          controller: account.did,
          publicKeyMultibase: expect.stringMatching(/^zQ3sh[1-9A-Za-z]{44}$/),
        },
      ],
      service: [{ id: '#atproto_pds', serviceEndpoint: bluesky.service }],
    });
  });

  test('takes its posts along when it is switched off, and brings them back', async () => {
    const account = await bluesky.createAccount({ handle: 'away-a-while.test' });
    const post = await account.post({ text: 'for a while' });
    await view(post);
    await account.call('com.atproto.server.deactivateAccount', { input: {} });
    await until(async () => (await seen(post)) === undefined);
    const params = { did: account.did };
    const status = () => callXrpc(bluesky.service, 'com.atproto.sync.getRepoStatus', { params });
    expect(await status()).toMatchObject({ active: false, status: 'deactivated' });
    await account.call('com.atproto.server.activateAccount', { procedure: true });
    await view(post);
    expect(await status()).toMatchObject({ active: true });
  });
});
