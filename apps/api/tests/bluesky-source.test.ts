import { type BlueskyNetwork, sharedBluesky } from '@archive/local-bluesky';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Outbound } from '../src/outbound/outbound.ts';
import { targetAt } from '../src/sources/bluesky/addresses.ts';
import { BlueskySource } from '../src/sources/bluesky/bluesky-source.ts';
import { SourceRefusal, SourceTrouble, type Target } from '../src/sources/source.ts';
import { type ScriptedAnswer, type ScriptedBluesky, startScriptedBluesky } from './_bluesky.ts';
import { type LogLine, recordedLog } from './_recorded-log.ts';

const NOBODY = new AbortController().signal;
const DID = `did:plc:${'a'.repeat(24)}`;
const AT = '2026-03-01T12:00:00.000Z';

function targetOf(key: string): Target {
  return targetAt(`at://${DID}/app.bsky.feed.post/${key.padEnd(13, '2')}`) as Target;
}

function viewOf({ address }: Target, more: object = {}) {
  const record = { $type: 'app.bsky.feed.post', text: 'words', createdAt: AT };
  const author = { did: DID, handle: 'ada.test' };
  return { uri: address, cid: 'bafy', author, record, indexedAt: AT, labels: [], ...more };
}

describe('Bluesky', () => {
  const open: ScriptedBluesky[] = [];
  let lines: LogLine[];
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });

  type Answer = (params: URLSearchParams) => ScriptedAnswer | Promise<ScriptedAnswer>;

  /** A source that reads through a scripted service. The service is also the directory and the author's server. */
  async function sourceWith(answers: Record<string, Answer>, directory?: string): Promise<BlueskySource> {
    const service = await startScriptedBluesky(({ name, params }) => {
      const named = answers[name];
      return named ? named(params) : { status: 501, body: {} };
    });
    open.push(service);
    const outbound = new Outbound({ localHosts: hosts(service.url) });
    const recorded = recordedLog();
    lines = recorded.lines;
    return new BlueskySource({
      appView: service.url,
      directory: directory ?? service.url,
      log: recorded.log,
      download: async (url, { maxBytes, signal }) =>
        (await outbound.get(url, { hosts: 'anybody', maxBytes, signal })).bytes,
    });
  }

  it('is asked for a handle that nobody has again after five minutes', async () => {
    let asked = 0;
    const service = await startScriptedBluesky(() => {
      asked++;
      return { status: 400, body: { error: 'InvalidRequest', message: 'Unable to resolve handle' } };
    });
    open.push(service);
    let now = 0;
    const needs = { appView: service.url, directory: service.url, log: recordedLog().log };
    const source = new BlueskySource({ ...needs, download: () => Promise.reject() }, () => now);
    const resolve = (handle: string) => source.resolve(`https://bsky.app/profile/${handle}/post/3lbxyzabcde2f`, NOBODY);
    for (const handle of ['none.example', 'None.example', 'other.example'])
      await expect(resolve(handle)).rejects.toThrow(SourceRefusal);
    expect(asked).toBe(2);
    now = 300_000;
    await expect(resolve('none.example')).rejects.toThrow(SourceRefusal);
    expect(asked).toBe(3);
  });

  /** The hosts of these services and of the local network. */
  function hosts(...urls: string[]): string[] {
    const all = network ? [...urls, network.service, network.plc] : urls;
    return all.map((url) => new URL(url).host);
  }

  let network: BlueskyNetwork | undefined;

  const document = (): ScriptedAnswer => {
    const key = 'zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme';
    return {
      body: {
        id: DID,
        verificationMethod: [{ id: '#atproto', type: 'Multikey', publicKeyMultibase: key }],
        service: [{ id: '#atproto_pds', serviceEndpoint: open.at(-1)?.url }],
      },
    };
  };
  const directoryPath = `/${encodeURIComponent(DID)}`;
  const posts = (...all: unknown[]) => ({ 'app.bsky.feed.getPosts': () => ({ body: { posts: all } }) });
  const record = (answer: ScriptedAnswer) => ({ 'com.atproto.repo.getRecord': () => answer });
  const absent = { status: 400, body: { error: 'RecordNotFound' } };

  describe('looked at again', () => {
    const [one, other] = [targetOf('a'), targetOf('b')];
    const look = async (answers: Record<string, Answer>) =>
      Object.fromEntries(
        [...(await (await sourceWith(answers)).look([one, other], NOBODY))].map(([id, { state }]) => [id, state]),
      );

    it('calls deleted what neither it nor the author’s own server has', async () => {
      const answers = { ...posts(viewOf(one)), [directoryPath]: document };
      expect(await look({ ...answers, ...record(absent) })).toEqual({ [one.id]: 'edited', [other.id]: 'deleted' });
    });

    it('calls an author’s posts deleted whom the directory does not know any more', async () => {
      expect(await look({ ...posts(viewOf(one)), [directoryPath]: () => ({ status: 410, body: {} }) })).toEqual({
        [one.id]: 'edited',
        [other.id]: 'deleted',
      });
    });

    it.each([
      ['has it', { [directoryPath]: document, ...record({ body: { uri: 'at://', value: {} } }) }],
      ['is in trouble', { [directoryPath]: document, ...record({ status: 502, body: {} }) }],
      ['is not known', { [directoryPath]: () => ({ status: 503, body: {} }) }],
    ] as [string, Record<string, Answer>][])('does not tell of a post whose author’s server %s', async (_, answers) => {
      expect(await look({ ...posts(viewOf(one)), ...answers })).toEqual({ [one.id]: 'edited' });
    });

    it('does not tell of a post that it does not understand', async () => {
      const server = { [directoryPath]: document, ...record(absent) };
      expect(await look({ ...posts(viewOf(one), viewOf(other, { record: { words: 1 } })), ...server })).toEqual({
        [one.id]: 'edited',
      });
      expect(await look({ ...posts(viewOf(one), viewOf(other, { indexedAt: 'soon' })), ...server })).toEqual({
        [one.id]: 'edited',
      });
      expect(await look({ ...posts(viewOf(one), { post: 1 }), ...server })).toEqual({ [one.id]: 'edited' });
    });
  });

  describe('that refuses a post', () => {
    const fetchWith = async (answer: ScriptedAnswer) =>
      (await sourceWith({ 'app.bsky.feed.getPostThread': () => answer })).fetch(
        targetOf('a'),
        { thread: false },
        NOBODY,
      );

    it('is believed where it says that there is none', async () => {
      const failure = fetchWith({ status: 400, body: { error: 'NotFound', message: 'Post not found' } });
      await expect(failure).rejects.toBeInstanceOf(SourceRefusal);
    });

    it.each([
      [400, 'InvalidRequest'],
      [404, ''],
      [404, 'XRPCNotSupported'],
    ])('is asked again where it answers %d %s', async (status, error) => {
      await expect(fetchWith({ status, body: { error, message: '' } })).rejects.toBeInstanceOf(SourceTrouble);
    });
  });

  it('gives a post whose quoted one cannot be had', async () => {
    const [asked, quoted] = [targetOf('a'), targetOf('b')];
    const embed = { $type: 'app.bsky.embed.record', record: { uri: quoted.address, cid: 'bafy' } };
    const quoting = { $type: 'app.bsky.feed.post', text: 'words', createdAt: AT, embed };
    const post = viewOf(asked, { record: quoting });
    const thread = { $type: 'app.bsky.feed.defs#threadViewPost', post };
    const source = await sourceWith({
      'app.bsky.feed.getPostThread': () => ({ body: { thread } }),
      'app.bsky.feed.getPosts': () => ({ status: 400, body: { error: 'NotFound' } }),
    });
    const fetched = await source.fetch(asked, { thread: false }, NOBODY);
    expect(fetched.asked.post).toMatchObject({ content: 'words', quoted: { id: quoted.id, state: 'unknown' } });
    expect(fetched.others).toEqual([]);
    expect(lines.map(({ msg }) => msg)).toContain('kept without what it quotes');
  });

  describe('with signatures', () => {
    beforeAll(async () => {
      network = await sharedBluesky();
    });

    it('keeps the words that the author signed, whatever others are shown', async () => {
      const { appView, plc, createAccount } = network as BlueskyNetwork;
      const author = await createAccount.call(network);
      const { uri } = await author.post({ text: 'what I signed' });
      const source = await sourceWith(
        {
          'app.bsky.feed.getPostThread': async (params) => {
            const answer = await fetch(`${appView}/xrpc/app.bsky.feed.getPostThread?${params}`);
            return { status: answer.status, body: (await answer.text()).replaceAll('what I signed', 'what I did not') };
          },
        },
        plc,
      );
      const target = targetAt(uri) as Target;
      await network?.settled();
      const { asked } = await source.fetch(target, { thread: false }, NOBODY);
      expect(asked.signed?.did).toBe(author.did);
      expect(asked.post.content).toBe('what I signed');
    });
  });
});
