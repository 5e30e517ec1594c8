import { type LocalSolana, openLocalSolana } from '@archive/local-solana';
import { associatedAccount } from '@archive/solana/chain';
import { TOKEN_PROGRAM } from '@archive/solana/verify';
import { type Launcher, Payer, TestWallet } from '@archive/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuthorityType, createSetAuthorityInstruction } from '@solana/spl-token';
import { PublicKey, Transaction } from '@solana/web3.js';
import request from 'supertest';
import { BUDGETS } from '../src/http/rate-limits.ts';
import { addPost, openLauncherFast, startLaunchApi } from './_launch-api.ts';
import type { TestApi } from './_test-api.ts';

const DAY_MS = 86_400_000;
const TOMORROW = 'The next day begins at 00:00 UTC.';

let solana: LocalSolana;

beforeAll(async () => {
  solana = await openLocalSolana({ slotMs: 0 });
});

afterAll(() => solana.close());

const withLimits = (env: Record<string, string>) =>
  startLaunchApi(solana, { env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1', ...env } });

/** Launches a new post. Returns the status and, if refused, the message. */
async function launchNew(api: TestApi, by: Launcher): Promise<[number, string | undefined]> {
  const { status, body } = await by.launch({ amberId: (await addPost(api)).post });
  return [status, status === 202 ? undefined : body.message];
}

describe('launches of one network', () => {
  let api: TestApi;
  const spent = `Too many tokens were launched from your network today. ${TOMORROW}`;

  beforeAll(async () => {
    api = await withLimits({ LAUNCH_ADDRESS_CAP: '3' });
  });

  afterAll(() => api.close());

  it('twenty throw-away wallets launch no more than one does, and nobody else is kept from it', async () => {
    const crowd = await Promise.all(Array.from({ length: 20 }, (_, at) => openLauncherFast(api, `203.0.113.${at}`)));
    const answers = await Promise.all(crowd.map((by) => launchNew(api, by)));
    expect(answers.filter(([status]) => status === 202)).toHaveLength(3);
    expect(answers.filter(([status]) => status !== 202)).toEqual(Array(17).fill([429, spent]));
    const { post } = await addPost(api);
    expect((await crowd[19]?.check(post))?.refusal).toEqual({ code: 'rate_limited', message: spent });
    const visitor = await request(api.app).get(`/amber/token/check/${post}`).set('x-forwarded-for', '203.0.113.200');
    expect(visitor.body.refusal).toEqual({ code: 'rate_limited', message: spent });
    expect(await launchNew(api, await openLauncherFast(api, '203.0.114.1'))).toEqual([202, undefined]);
  });

  it.each([
    [
      'an IPv6 site, whatever the subnet',
      ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:DB8:1:ffff:1:2:3:4'],
      '2001:db8:1::9',
    ],
    [
      'an IPv4 address, however it is written',
      ['198.51.100.1', '::ffff:198.51.100.2', '::ffff:c633:6403'],
      '198.51.100.4',
    ],
  ])('%s, is one', async (_, addresses, last) => {
    for (const address of addresses) {
      expect(await launchNew(api, await openLauncherFast(api, address))).toEqual([202, undefined]);
    }
    expect(await launchNew(api, await openLauncherFast(api, last))).toEqual([429, spent]);
  });

  it('what came to nothing before anything was sent is given back', async () => {
    await solana.control.fault({ kind: 'drop', methods: ['simulateTransaction'] });
    for (let tries = 0; tries < 4; tries++) {
      expect((await launchNew(api, await openLauncherFast(api, '192.0.2.1')))[0]).toBe(503);
    }
    await solana.control.clearFaults();
    for (let count = 0; count < 3; count++) {
      expect(await launchNew(api, await openLauncherFast(api, '192.0.2.2'))).toEqual([202, undefined]);
    }
    expect(await launchNew(api, await openLauncherFast(api, '192.0.2.3'))).toEqual([429, spent]);
  });

  it('calls of one address are counted together, whatever the wallet', async () => {
    const answers = [];
    for (let count = 0; count <= BUDGETS.launch.points; count++) {
      const by = await openLauncherFast(api, '192.0.2.77');
      answers.push((await by.post({})).status);
    }
    expect(answers).toEqual([...Array(BUDGETS.launch.points).fill(400), 429]);
  });
});

describe('a share of the day', () => {
  it('is left to wallets that were here a day ago, and to them alone', async () => {
    const api = await withLimits({ LAUNCH_DAILY_CAP: '5', LAUNCH_ADDRESS_CAP: '100' });
    const users = api.context.database.db.collection('users');
    const age = (by: Launcher, ms: number) =>
      users.updateOne({ walletAddress: by.wallet.address }, { $set: { createdAt: new Date(Date.now() - ms) } });
    const known = await openLauncherFast(api);
    await age(known, DAY_MS + 60_000);
    const almost = await openLauncherFast(api);
    await age(almost, DAY_MS - 60_000);
    // A token without a user, as after its database was restored.
    const unknown = await openLauncherFast(api);
    await users.deleteOne({ walletAddress: unknown.wallet.address });
    const crowd = [almost, unknown, ...(await Promise.all(Array.from({ length: 10 }, () => openLauncherFast(api))))];
    const answers = await Promise.all(crowd.map((by) => launchNew(api, by)));
    expect(answers.filter(([status]) => status === 202)).toHaveLength(4);
    const message = `What new wallets can launch today is used up. ${TOMORROW} A wallet is new for a day after its first sign-in.`;
    expect(answers.filter(([status]) => status !== 202)).toEqual(Array(8).fill([429, message]));
    const { post } = await addPost(api);
    expect((await almost.check(post)).refusal).toEqual({ code: 'rate_limited', message });
    expect((await known.check(post)).refusal).toBeNull();
    expect(await launchNew(api, known)).toEqual([202, undefined]);
    const over = `No more tokens can be launched today. ${TOMORROW}`;
    expect(await launchNew(api, known)).toEqual([429, over]);
    expect((await almost.check(post)).refusal?.message).toBe(over);
    await api.close();
  });
});

describe('tokens that a wallet must hold', () => {
  let api: TestApi;
  const message = 'A wallet must hold 100.5 AMBER to launch a token.';

  beforeAll(async () => {
    api = await startLaunchApi(solana, { env: { LAUNCH_MIN_TOKENS: '100.5', FEATURE_MINT: solana.mint } });
  });

  afterAll(() => api.close());

  const holder = async (tokens: string) => {
    const payer = await Payer.open(solana, new TestWallet(), tokens);
    return { payer, by: await openLauncherFast(api, undefined, payer.wallet) };
  };

  it('are looked for before anything is signed, and again when it is launched', async () => {
    const { post } = await addPost(api);
    const none = await openLauncherFast(api);
    const refusal = { code: 'launch_not_allowed', message };
    expect((await none.check(post)).refusal).toEqual(refusal);
    const answer = await none.launch({ amberId: post });
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([403, 'launch_not_allowed', message]);
    const { by: poor } = await holder('100.499999');
    expect((await poor.check(post)).refusal).toEqual(refusal);
    expect((await poor.launch({ amberId: post })).status).toBe(403);
    expect(await api.context.launches.store.findByMint('x')).toBeNull();
    const { by: rich } = await holder('100.5');
    expect((await rich.check(post)).refusal).toBeNull();
    expect((await rich.launch({ amberId: post })).status).toBe(202);
  });

  it('count where they are, not where they were a moment ago', async () => {
    const { payer, by } = await holder('101');
    const { post } = await addPost(api);
    expect((await by.check(post)).refusal).toBeNull();
    await payer.pay(post);
    expect((await by.launch({ amberId: post })).body.message).toBe(message);
    expect((await by.check(post)).refusal?.message).toBe(message);
  });

  it('do not count in an account that was given to somebody else', async () => {
    const { payer, by } = await holder('200');
    const account = new PublicKey(associatedAccount(payer.wallet.address, solana.mint, TOKEN_PROGRAM));
    const { publicKey } = payer.wallet.keypair;
    const other = new TestWallet().keypair.publicKey;
    const giveAway = createSetAuthorityInstruction(account, publicKey, AuthorityType.AccountOwner, other);
    const { blockhash: recentBlockhash } = await payer.connection.getLatestBlockhash();
    const transaction = new Transaction({ feePayer: publicKey, recentBlockhash }).add(giveAway);
    transaction.sign(payer.wallet.keypair);
    await payer.send(transaction);
    await solana.control.advance(1);
    expect((await by.check((await addPost(api)).post)).refusal?.message).toBe(message);
  });

  it('are asked of the node seldom, however often a post is looked at, and never for a visitor', async () => {
    const { by } = await holder('200');
    const { post } = await addPost(api);
    let asked = 0;
    const { chain } = api.context;
    const real = chain?.holding.bind(chain);
    if (!chain || !real) throw new Error('there is a chain');
    chain.holding = (...given) => {
      asked++;
      return real(...given);
    };
    await Promise.all(Array.from({ length: 50 }, () => by.check(post)));
    await request(api.app).get(`/amber/token/check/${post}`).expect(200);
    chain.holding = real;
    expect(asked).toBe(1);
  });

  it('where no node answers, that is said', async () => {
    const by = await openLauncherFast(api);
    const { post } = await addPost(api);
    await solana.control.fault({ kind: 'drop', methods: ['getAccountInfo'] });
    const check = await by.check(post);
    const answer = await by.launch({ amberId: post });
    await solana.control.clearFaults();
    expect(check.refusal?.code).toBe('chain_unavailable');
    expect([answer.status, answer.body.code]).toEqual([503, 'chain_unavailable']);
    expect((await by.check(post)).refusal?.message).toBe(message);
  });

  it('of a token that is none keep launching closed', async () => {
    const wrong = await startLaunchApi(solana, {
      env: { LAUNCH_MIN_TOKENS: '1', FEATURE_MINT: solana.featureWallet },
    });
    const by = await openLauncherFast(wrong);
    expect((await launchNew(wrong, by))[0]).toBe(503);
    await wrong.close();
  });
});
