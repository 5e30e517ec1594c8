import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@archive/solana/verify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import type { Chain } from '../src/chain/chain.ts';
import { checkLaunches } from '../src/launches/check-launches.ts';
import type { LaunchDocument, LaunchState } from '../src/launches/launch-document.ts';
import { listAllLaunches } from '../src/launches/list-all-launches.ts';
import { reviewLaunch, settleLaunch } from '../src/launches/settle-launch.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const GENESIS = 'a local network';
const HEIGHT = 100;
const MISSING_MS = 1_000;

/** What the chain shows of a launch. */
interface Shown {
  status?: { confirmationStatus: 'processed' | 'confirmed' | 'finalized'; err: unknown } | null;
  owner?: string | null;
  finalOwner?: string | null;
  isPast?: boolean;
  isAbsent?: boolean;
  isDeaf?: boolean;
  genesisHash?: string | null;
}

const status = (confirmationStatus: 'processed' | 'confirmed' | 'finalized', err: unknown = null) => ({
  status: { confirmationStatus, err },
});
const there = { owner: TOKEN_2022_PROGRAM };

describe('a launch', () => {
  let api: TestApi;
  let asked: string[];
  let serial = 0;

  beforeAll(async () => {
    api = await startTestApi();
  });

  afterAll(() => api.close());

  beforeEach(async () => {
    asked = [];
    await launches().deleteMany({});
    await api.context.database.db.collection('posts').updateMany({}, { $set: { launched: false } });
  });

  const launches = () => api.context.launches.store.launches;
  const now = () => api.context.database.clock.now();

  const chainOf = (shown: Shown) => {
    const { genesisHash = GENESIS, finalOwner = null, owner = finalOwner } = shown;
    const note = <T>(name: string, answer: T) => {
      asked.push(name);
      return Promise.resolve(answer);
    };
    return {
      genesisHash,
      readGenesisHash: async () => genesisHash,
      statusOf: () => note('status', shown.status ?? null),
      ownerOf: (_: string, at = 'confirmed') => note('owner', at === 'finalized' ? finalOwner : owner),
      isPast: (height: number) => note('past', height === HEIGHT && (shown.isPast ?? false)),
      isAbsent: () => note('absent', shown.isAbsent ?? false),
      send: () => (shown.isDeaf ? Promise.reject(new Error('away')) : note('send', null)),
    } as unknown as Chain;
  };

  async function launchOf(state: LaunchState, fields: Partial<LaunchDocument> = {}): Promise<LaunchDocument> {
    const id = `state-${++serial}`;
    await api.add(newPost({ id }));
    const launch: LaunchDocument = {
      _id: (await api.context.posts.store.find(id))?._id as ObjectId,
      claim: 'claim',
      attempt: 1,
      state,
      wallet: 'wallet',
      name: 'Name',
      symbol: 'NAME',
      authorised: { message: 'm', signature: 's' },
      description: '',
      platform: 'token-2022',
      network: 'localnet',
      genesisHash: GENESIS,
      mint: `mint-${serial}`,
      metadata: '{}',
      metadataUri: null,
      transaction: 'transaction',
      signedTransaction: 'bytes',
      lastValidBlockHeight: HEIGHT,
      shown: false,
      failure: null,
      createdAt: now(),
      changedAt: now(),
      confirmedAt: null,
      finalizedAt: null,
      missingSince: null,
      ...fields,
    };
    await launches().insertOne(launch);
    return launch;
  }
  const isMarkedAs = async ({ _id }: LaunchDocument) =>
    (await api.context.database.db.collection('posts').findOne({ _id }))?.['launched'];
  const stateOf = async ({ _id }: LaunchDocument) => (await launches().findOne({ _id })) as LaunchDocument;

  const sheet: [name: string, Shown, after: LaunchState | 'as it was', sent: number][] = [
    ['seen, and not firm', status('processed'), 'as it was', 0],
    ['confirmed', status('confirmed'), 'confirmed', 0],
    ['final', status('finalized'), 'finalized', 0],
    ['failed, and not firm', status('processed', 'bad'), 'as it was', 0],
    ['failed in a fork that may end', status('confirmed', 'bad'), 'as it was', 0],
    ['failed for good', status('finalized', 'bad'), 'failed', 0],
    ['unknown, with its token there', there, 'confirmed', 0],
    ['unknown, with the token of another program', { owner: TOKEN_PROGRAM }, 'sent', 1],
    ['unknown, while a block may hold it', { isAbsent: true }, 'sent', 1],
    ['unknown, while a block may hold it and no node takes it', { isDeaf: true }, 'as it was', 0],
    ['unknown, too late, and nowhere', { isPast: true, isAbsent: true }, 'expired', 0],
    ['unknown, too late, and perhaps somewhere', { isPast: true, isAbsent: false }, 'as it was', 0],
    ['of a local network that was begun anew', { genesisHash: 'another' }, 'expired', 0],
    ['asked of a public network', { genesisHash: MAINNET, ...status('confirmed') }, 'as it was', 0],
    ['asked of no network', { genesisHash: null, ...status('confirmed') }, 'as it was', 0],
  ];
  it.each(sheet.flatMap((row) => (['signed', 'sent'] as const).map((state) => [...row, state] as const)))(
    'that is %s comes to its state by the chain alone (%j: %s, sent %i times, from %s)',
    async (_, shown, after, sent, from) => {
      const launch = await launchOf(from);
      const answered = await settleLaunch(api.context, chainOf(shown), launch, { isThorough: true });
      const kept = await stateOf(launch);
      const expected = after === 'as it was' ? from : after;
      expect([answered.state, kept.state]).toEqual([expected, expected]);
      expect(asked.filter((one) => one === 'send')).toHaveLength(sent);
      const isThere = expected === 'confirmed' || expected === 'finalized';
      expect([kept.confirmedAt !== null, kept.finalizedAt !== null]).toEqual([isThere, expected === 'finalized']);
      expect(kept.failure !== null).toBe(expected === 'failed' || expected === 'expired');
      expect([kept.shown, await isMarkedAs(launch)]).toEqual([isThere, isThere]);
    },
  );

  it('of a public network waits while another one is asked', async () => {
    const launch = await launchOf('sent', { network: 'devnet', genesisHash: 'devnet' });
    const settled = await settleLaunch(api.context, chainOf({ genesisHash: GENESIS }), launch, { isThorough: true });
    expect(settled.state).toBe('sent');
  });

  it('is asked for by its status alone where the look is not thorough', async () => {
    const launch = await launchOf('sent');
    const shown = { ...there, isPast: true, isAbsent: true };
    expect((await settleLaunch(api.context, chainOf(shown), launch, { isThorough: false })).state).toBe('sent');
    expect(asked).toEqual(['status']);
  });

  it.each(['claimed', 'confirmed', 'finalized', 'failed', 'expired'] as const)(
    'that is %s is not under way',
    async (state) => {
      const launch = await launchOf(state);
      expect(await settleLaunch(api.context, chainOf(status('finalized')), launch, { isThorough: true })).toEqual(
        launch,
      );
      expect(asked).toEqual([]);
    },
  );

  const reviews: [name: string, Shown, missing: 'never' | 'just' | 'long', LaunchState, isMissing: boolean][] = [
    ['final', status('finalized'), 'long', 'finalized', false],
    ['final by its token, its status forgotten', { finalOwner: TOKEN_2022_PROGRAM }, 'long', 'finalized', false],
    ['confirmed', status('confirmed'), 'long', 'confirmed', false],
    ['seen', status('processed'), 'long', 'confirmed', false],
    ['there by its token, its status forgotten', there, 'long', 'confirmed', false],
    ['there as the token of another program', { owner: TOKEN_PROGRAM, isAbsent: true }, 'long', 'sent', false],
    ['nowhere, for the first time', { isAbsent: true }, 'never', 'confirmed', true],
    ['nowhere, since a moment', { isAbsent: true }, 'just', 'confirmed', true],
    ['nowhere, for long', { isAbsent: true }, 'long', 'sent', false],
    ['nowhere, for long, and perhaps somewhere', { isAbsent: false }, 'long', 'confirmed', true],
    ['failed in a fork that may end', { ...status('confirmed', 'bad'), isAbsent: true }, 'long', 'confirmed', true],
    ['failed for good', status('finalized', 'bad'), 'long', 'sent', false],
    [
      'failed for good, with a token',
      { ...status('finalized', 'bad'), finalOwner: TOKEN_2022_PROGRAM },
      'long',
      'sent',
      false,
    ],
    ['asked of another network', { genesisHash: 'another', isAbsent: true }, 'long', 'confirmed', true],
  ];
  it.each(reviews)('that was confirmed and is %s is looked at again', async (_, shown, missing, after, isMissing) => {
    const ago = { never: null, just: 0, long: MISSING_MS + 60_000 }[missing];
    const missingSince = ago === null ? null : new Date(now().getTime() - ago);
    const launch = await launchOf('confirmed', { missingSince, confirmedAt: new Date(5), shown: true });
    await api.context.posts.store.setLaunched(launch._id, true);
    // A limit of one minute, so that a launch missed just now is within it.
    await reviewLaunch(api.context, chainOf(shown), launch, MISSING_MS + 59_000);
    const kept = await stateOf(launch);
    expect([kept.state, kept.missingSince !== null]).toEqual([after, isMissing]);
    expect(kept.finalizedAt !== null).toBe(after === 'finalized');
    expect(kept.confirmedAt).toEqual(after === 'sent' ? null : new Date(5));
    expect([kept.shown, await isMarkedAs(launch)]).toEqual([after !== 'sent', after !== 'sent']);
  });

  it('is none to look at again in another state than confirmed', async () => {
    for (const state of ['sent', 'finalized', 'expired'] as const) {
      const launch = await launchOf(state);
      await reviewLaunch(api.context, chainOf(status('finalized')), launch, 0);
      expect((await stateOf(launch)).state).toBe(state);
    }
    expect(asked).toEqual([]);
  });

  const old = { changedAt: new Date(0) };
  const checks: [LaunchState, Partial<LaunchDocument>, Shown | null, isMarked: boolean, differences: RegExp[]][] = [
    ['claimed', {}, {}, false, []],
    ['claimed', old, {}, false, [/is still claimed$/]],
    ['signed', old, {}, false, [/is still signed$/]],
    ['sent', old, {}, false, [/is still sent$/]],
    ['sent', {}, {}, false, []],
    ['confirmed', old, there, true, []],
    ['failed', old, {}, false, []],
    ['expired', old, {}, false, []],
    ['failed', {}, there, false, [/is on the chain, and its launch is failed$/]],
    ['expired', {}, there, false, [/is on the chain, and its launch is expired$/]],
    ['expired', {}, { owner: TOKEN_PROGRAM }, false, []],
    ['sent', {}, there, false, []],
    ['confirmed', {}, {}, true, [/is not on the chain$/]],
    ['finalized', {}, {}, true, [/is not on the chain$/]],
    ['finalized', {}, { owner: TOKEN_PROGRAM }, true, [/is not on the chain$/]],
    ['finalized', {}, null, true, []],
    ['finalized', { genesisHash: 'another' }, {}, true, []],
    ['failed', { genesisHash: 'another' }, there, false, []],
    ['finalized', {}, there, false, [/is launched and not marked so$/]],
    ['confirmed', {}, there, false, [/is launched and not marked so$/]],
    ['sent', {}, {}, true, [/is marked as launched and has no token$/]],
    ['expired', {}, {}, true, [/is marked as launched and has no token$/]],
  ];
  it.each(checks)(
    'that is %s (%j) is checked against the chain (%j) and its mark (%s)',
    async (state, fields, shown, isMarked, differences) => {
      const launch = await launchOf(state, fields);
      if (isMarked) await api.context.posts.store.setLaunched(launch._id, true);
      const needs = { posts: api.context.posts.store, launches: api.context.launches.store, now: now() };
      const isLaunched = state === 'confirmed' || state === 'finalized';
      const isThere = shown?.owner === TOKEN_2022_PROGRAM && !fields.genesisHash;
      expect(await checkLaunches({ ...needs, chain: shown && chainOf(shown) })).toEqual({
        launches: isLaunched ? 1 : 0,
        onChain: shown ? Number(isThere) : null,
        differences: differences.map((line) => expect.stringMatching(line)),
      });
    },
  );

  it('of a post that is gone is told, unless a restore has put it back', async () => {
    const check = async () => {
      const { store: posts } = api.context.posts;
      const { store } = api.context.launches;
      return (await checkLaunches({ posts, launches: store, chain: null, now: now() })).differences;
    };
    const restored = { ids: ['1'], fingerprint: 'f' };
    await launchOf('finalized', { _id: new ObjectId(), restored });
    expect(await check()).toEqual([]);
    const gone = new ObjectId();
    await launchOf('finalized', { _id: gone });
    expect(await check()).toEqual([`a token was launched from post ${gone}, which does not exist`]);
    const removed = await launchOf('finalized');
    await api.context.posts.store.remove(removed._id);
    expect(await check()).toHaveLength(1);
  });

  const all = ['claimed', 'signed', 'sent', 'confirmed', 'finalized', 'failed', 'expired'] as const;
  it('is marked as missing from the chain only while it is confirmed', async () => {
    const { store } = api.context.launches;
    for (const state of all) {
      const launch = await launchOf(state);
      await store.setMissing(launch, new Date(5));
      expect([state, (await stateOf(launch)).missingSince]).toEqual([
        state,
        state === 'confirmed' ? new Date(5) : null,
      ]);
    }
  });

  it('is listed for its own wallet unless it failed or expired', async () => {
    const { store } = api.context.launches;
    const own: string[] = [];
    for (const state of all) {
      const launch = await launchOf(state);
      if (state !== 'failed' && state !== 'expired') own.push(launch._id.toHexString());
    }
    await launchOf('finalized', { wallet: 'another' });
    expect((await store.of('wallet')).map(({ _id }) => _id.toHexString()).toSorted()).toEqual(own.toSorted());
  });

  it('is in one list of all, the one changed last first, page by page', async () => {
    const list = (next?: string, state?: LaunchState) => {
      const [at, id = ''] = next?.split('_') ?? [];
      return listAllLaunches(api.context, { state, after: next ? { at: new Date(Number(at)), id } : undefined });
    };
    const make = async (count: number, state: LaunchState, at: number) => {
      const { _id: _, ...launch } = await launchOf(state, { changedAt: new Date(at) });
      // Several launches share one time.
      const others = Array.from({ length: count - 1 }, (_none, n) => ({
        ...launch,
        _id: new ObjectId(),
        mint: `${launch.mint}-${n}`,
        changedAt: new Date(at + Math.floor(n / 4)),
      }));
      if (others.length > 0) await launches().insertMany(others);
    };
    await make(50, 'finalized', 1_000);
    const whole = await list();
    expect([whole.data.length, whole.next]).toEqual([50, null]);
    await make(1, 'failed', 500);
    const first = await list();
    expect([first.data, first.next === null]).toEqual([whole.data, false]);
    const rest = await list(first.next as string);
    expect([rest.data.map(({ state }) => state), rest.next]).toEqual([['failed'], null]);
    const times = whole.data.map(({ changedAt }) => changedAt);
    expect(times).toEqual(times.toSorted().toReversed());
    await make(60, 'failed', 2_000);
    const failed: string[] = [];
    for (let page = await list(undefined, 'failed'); ; page = await list(page.next, 'failed')) {
      failed.push(...page.data.map(({ archiveId }) => archiveId));
      expect(new Set(page.data.map(({ state }) => state))).toEqual(new Set(['failed']));
      if (page.next === null) break;
    }
    expect([failed.length, new Set(failed).size]).toEqual([61, 61]);
  });
});
