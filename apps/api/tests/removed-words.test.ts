import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type LocalSolana, openLocalSolana } from '@archive/local-solana';
import { Launcher } from '@archive/testing';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { ObjectId } from 'mongodb';
import request from 'supertest';
import { removePosts } from '../src/cli/remove-posts.ts';
import { addPost, startLaunchApi } from './_launch-api.ts';
import { recordedLog } from './_recorded-log.ts';
import type { TestApi } from './_test-api.ts';

const WORDS = 'the words that somebody wants gone';
const { log, lines } = recordedLog();

let solana: LocalSolana;
let api: TestApi;
let ada: Launcher;

beforeAll(async () => {
  solana = await openLocalSolana({ slotMs: 0 });
  api = await startLaunchApi(solana, { overrides: { log, launchWatcher: { walkMs: 0 } } });
  ada = await Launcher.open(api);
});

afterAll(async () => {
  await api.close();
  await solana.close();
});

let serial = 0;

async function launched(by = ada, on = api): Promise<{ post: string; mint: string }> {
  const { post } = await addPost(on, { content: `${WORDS}, ${++serial}` });
  const { mint } = (await by.launch({ amberId: post })).body;
  await solana.control.advance(1);
  expect((await by.launch({ amberId: post })).status).toBe(201);
  return { post, mint };
}

const metadataOf = (mint: string, on = api) => request(on.app).get(`/amber/token/${mint}/metadata.json`);
const kept = (on = api) => on.context.database.db.collection('launches').find().toArray();
const remove = (post: string) => api.context.posts.store.remove(new ObjectId(post));
/** Removes a post as another process does, or one that dies at once: this process gets no event. */
const removeUnheard = (post: string) =>
  api.context.database.db.collection('posts').updateOne({ _id: new ObjectId(post) }, [
    {
      $replaceWith: { _id: '$_id', ids: '$ids', fingerprint: '$fingerprint', removedAt: '$$NOW', updatedAt: '$$NOW' },
    },
  ]);

it('a token says its post’s words, and no others may keep them for long', async () => {
  const { mint } = await launched();
  const { body, headers } = await metadataOf(mint);
  expect(body.description).toContain(WORDS);
  const [, seconds] = /max-age=(\d+)/.exec(String(headers['cache-control'])) ?? [];
  expect(Number(seconds)).toBeLessThanOrEqual(60);
});

it('when the post is removed they are gone from everywhere at once, and name and symbol stay', async () => {
  const { post, mint } = await launched();
  await remove(post);
  const { body } = await metadataOf(mint);
  expect(body).toMatchObject({ name: 'Ada Token', symbol: 'ADA', description: '' });
  expect(body.image).toMatch(mint);
  const answers = await Promise.all([
    request(api.app).get(`/amber/token/check/${post}`),
    request(api.app).get(`/launches/${post}`),
    request(api.app).get('/amber/archives'),
    ada.launch({ amberId: post }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([410, 410, 200, 410]);
  const own = (await ada.tokens()).filter(({ amberId }) => amberId === post);
  expect(own).toMatchObject([{ name: 'Ada Token', description: '' }]);
  const said = JSON.stringify([body, own, ...answers.map((answer) => answer.body)]);
  expect(said).not.toContain(`${WORDS}, ${serial}`);
  expect(JSON.stringify(await kept())).not.toContain(`${WORDS}, ${serial}`);
});

it('they are not served from the moment it is removed elsewhere, and soon not kept', async () => {
  const { post, mint } = await launched();
  await removeUnheard(post);
  expect((await metadataOf(mint)).body).toMatchObject({ symbol: 'ADA', description: '' });
  expect(JSON.stringify(await kept())).toContain(`${WORDS}, ${serial}`);
  await api.context.launches.watcher?.look();
  expect(JSON.stringify(await kept())).not.toContain(`${WORDS}, ${serial}`);
  expect((await metadataOf(mint)).body).toMatchObject({ symbol: 'ADA', description: '' });
});

it('a launch that was being signed meanwhile keeps none', async () => {
  const { post, mint } = await launched();
  await remove(post);
  const launches = api.context.database.db.collection('launches');
  await launches.updateOne({ mint }, { $set: { metadata: JSON.stringify({ symbol: 'ADA', description: WORDS }) } });
  expect((await metadataOf(mint)).body).toEqual({ symbol: 'ADA', description: '' });
  await api.context.launches.watcher?.look();
  expect((await launches.findOne({ mint }))?.['metadata']).toBe('{"symbol":"ADA","description":""}');
});

it('the command line leaves none either, and says what was pinned before', async () => {
  const { post, mint } = await launched();
  const { mint: older, post: pinned } = await launched();
  const launches = api.context.database.db.collection('launches');
  const metadataUri = 'https://ipfs.example/ipfs/Qm1';
  await launches.updateOne({ mint: older }, { $set: { metadataUri } });
  const said: string[] = [];
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((line) => said.push(String(line)) > 0);
  for (const one of [post, pinned]) await removePosts(api.context, { posts: [one] }, { isRefused: true });
  write.mockRestore();
  expect(said.filter((line) => !/^ |:/.test(line) || /ipfs/.test(line))).toEqual([
    '1 post removed for good.\n',
    `The token ${older} says words of its post at ${metadataUri}, where only the pinning service can remove them.\n`,
    '1 post removed for good.\n',
  ]);
  for (const one of [mint, older]) {
    expect(JSON.parse((await launches.findOne({ mint: one }))?.['metadata']).description).toBe('');
  }
});

it('what was pinned before is named in the log', async () => {
  const { post, mint } = await launched();
  const launches = api.context.database.db.collection('launches');
  await launches.updateOne({ mint }, { $set: { metadataUri: 'https://ipfs.example/ipfs/Qm2' } });
  await remove(post);
  expect(lines.filter(({ msg }) => msg === 'the words of a removed post stay pinned')).toMatchObject([
    { mint, metadataUri: 'https://ipfs.example/ipfs/Qm2' },
  ]);
});

it('nothing of a post’s words is pinned any more', async () => {
  const pinned: string[] = [];
  const service = createServer(async (incoming, outgoing) => {
    pinned.push(await text(incoming));
    outgoing.end(JSON.stringify({ Hash: `Qm${String(pinned.length).padStart(44, '1')}` }));
  }).listen(0);
  const endpoint = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`;
  const own = await startLaunchApi(solana, { env: { LAUNCH_METADATA: 'ipfs', LAUNCH_IPFS_ENDPOINT: endpoint } });
  const { mint } = await launched(await Launcher.open(own), own);
  expect(pinned).toHaveLength(2);
  expect(pinned.join('')).toContain('"symbol":"ADA"');
  expect(pinned.join('')).not.toContain(WORDS);
  expect((await metadataOf(mint, own)).body.description).toBe('');
  service.close();
  await own.close();
});
