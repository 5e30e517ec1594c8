import { buildLaunchMessage } from '@archive/contracts';
import { type LocalSolana, openLocalSolana } from '@archive/local-solana';
import { Launcher, TestWallet } from '@archive/testing';
import { cases, until } from '@archive/tiers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  getAccount,
  getAssociatedTokenAddressSync,
  getMetadataPointerState,
  getMint,
  getTokenMetadata,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import { Connection, PublicKey } from '@solana/web3.js';
import { ObjectId } from 'mongodb';
import request from 'supertest';
import { AppError } from '../src/app-error.ts';
import type { Chain } from '../src/chain/chain.ts';
import type { LaunchDocument } from '../src/launches/launch-document.ts';
import { addPost, openLauncherFast, startLaunchApi } from './_launch-api.ts';
import { newPost, type TestApi } from './_test-api.ts';

const CROWD = cases({ quick: 25, full: 100 });

let solana: LocalSolana;
let api: TestApi;
let connection: Connection;
let ada: Launcher;
let post: string;
let id: string;

beforeAll(async () => {
  solana = await openLocalSolana({ slotMs: 0 });
  api = await startLaunchApi(solana);
  connection = new Connection(solana.rpcUrl, 'confirmed');
  ada = await Launcher.open(api);
});

afterAll(async () => {
  await api.close();
  await solana.close();
});

beforeEach(async () => {
  ({ post, id } = await addPost(api, { content: `${'🪲 '.repeat(300)}${Math.random()}` }));
});

afterEach(() => solana.control.clearFaults());

const look = () => api.context.launches.watcher?.look();
const read = async (which = post) => (await request(api.app).get(`/amber/archives/${which}`)).body;
const check = async (which = post) => (await request(api.app).get(`/amber/token/check/${which}`)).body;
const kept = async () => (await api.context.launches.store.find(new ObjectId(post))) as LaunchDocument;
const mintsOf = async (mint: string) => connection.getAccountInfo(new PublicKey(mint));
/** A launch that the chain has confirmed. */
const launched = async (by = ada, amberId = post) => {
  const { body } = await by.launch({ amberId });
  await solana.control.advance(1);
  const answer = await by.launch({ amberId });
  expect(answer.status).toBe(201);
  return { ...answer.body, mint: body.mint as string };
};

describe('a launch', () => {
  it('is on the chain with its name, symbol and address, in the hands of who launched it, and out of everybody’s power', async () => {
    const { mint } = await launched();
    const key = new PublicKey(mint);
    const onChain = await getMint(connection, key, 'confirmed', TOKEN_2022_PROGRAM_ID);
    expect(onChain).toMatchObject({
      decimals: 6,
      supply: 10n ** 15n,
      mintAuthority: null,
      freezeAuthority: null,
      isInitialized: true,
    });
    expect(getMetadataPointerState(onChain)).toEqual({ authority: null, metadataAddress: key });
    const metadata = await getTokenMetadata(connection, key);
    expect(metadata).toMatchObject({
      name: 'Ada Token',
      symbol: 'ADA',
      uri: `http://localhost:4000/amber/token/${mint}/metadata.json`,
      additionalMetadata: [],
    });
    expect(metadata?.updateAuthority).toBeUndefined();
    const account = getAssociatedTokenAddressSync(key, ada.wallet.keypair.publicKey, false, TOKEN_2022_PROGRAM_ID);
    expect((await getAccount(connection, account, 'confirmed', TOKEN_2022_PROGRAM_ID)).amount).toBe(10n ** 15n);
  });

  it('answers 202 while the chain has not, and 201 when it has; the same call answers the same launch', async () => {
    const first = await ada.launch({ amberId: id, symbol: 'ada' });
    expect([first.status, first.body.status, first.body.symbol]).toEqual([202, 'sent', 'ADA']);
    expect(await check()).toMatchObject({ exists: false, tokenLaunch: { amberId: post, status: 'sent' } });
    expect((await read()).launched).toBe(false);
    // The page gives no link to a token that may never exist.
    expect((await request(api.app).get(`/launches/${id}`)).body).toMatchObject({
      launch_platform: null,
      contract_address: null,
    });
    await solana.control.advance(1);
    const second = await ada.launch({ amberId: post, symbol: 'ADA' });
    expect([second.status, second.body.status]).toEqual([201, 'confirmed']);
    expect(second.body.tokenLaunch).toMatchObject({ mint: first.body.mint, transaction: first.body.transaction });
    expect((await connection.getSignatureStatus(second.body.transaction)).value?.err).toBeNull();
    expect([...new Intl.Segmenter().segment(second.body.description)]).toHaveLength(200);
    expect(second.body.description).toMatch(/^🪲 .*…$/u);
    expect(await check(id)).toEqual({
      exists: true,
      tokenLaunch: second.body.tokenLaunch,
      failure: null,
      refusal: null,
    });
    expect((await read()).launched).toBe(true);
    const listed = await request(api.app).get('/amber/archives?limit=1');
    expect(listed.body.lastLaunch).toEqual({ ...second.body.tokenLaunch, author: 'Ada Byron' });
    expect((await request(api.app).get(`/launches/${id}`)).body).toMatchObject({
      launch_platform: 'Token-2022',
      contract_address: first.body.mint,
    });
    expect((await ada.tokens())[0]).toEqual({ ...second.body.tokenLaunch, author: 'Ada Byron' });
    await solana.control.advance(40);
    await look();
    expect((await ada.launch({ amberId: post })).body.status).toBe('finalized');
  });

  it('waits for the chain where it may', async () => {
    const patient = await startLaunchApi(solana, { overrides: { launchTiming: { waitMs: 20_000, pollMs: 5 } } });
    const by = await Launcher.open(patient);
    const { post: other } = await addPost(patient);
    const answers = Promise.all([by.launch({ amberId: other }), by.launch({ amberId: other })]);
    const isSent = () => patient.context.launches.store.launches.countDocuments({ state: 'sent' });
    while ((await isSent()) === 0) await new Promise(setImmediate);
    await solana.control.advance(1);
    const [one, two] = await answers;
    expect([one.status, two.status, two.body.mint]).toEqual([201, 201, one.body.mint]);
    await patient.close();
  });

  it('keeps the wallet’s authorisation', async () => {
    const transaction = ada.wallet.sign(buildLaunchMessage({ name: 'Ada Token', symbol: 'ada', id }));
    await ada.launch({ amberId: id, symbol: 'ada', transaction });
    expect((await kept()).authorised).toEqual({
      message: `I am launching a token named Ada Token with symbol ada for tweet ${id}`,
      signature: transaction,
    });
  });

  it('serves metadata and picture to every page, after its post’s removal too', async () => {
    const { mint } = await launched();
    const removed = await api.context.posts.store.find(post);
    await api.context.posts.store.remove(removed?._id as ObjectId);
    const json = await request(api.app).get(`/amber/token/${mint}/metadata.json`);
    expect(json.headers).toMatchObject({ 'access-control-allow-origin': '*', 'content-type': /application\/json/ });
    expect(json.body).toMatchObject({
      name: 'Ada Token',
      symbol: 'ADA',
      image: `http://localhost:4000/amber/token/${mint}/image.png`,
      external_url: `http://localhost:4000/post/${post}`,
    });
    const picture = await request(api.app).get(`/amber/token/${mint}/image.png`);
    expect(picture.headers['content-type']).toBe('image/png');
    expect(picture.body.subarray(1, 4).toString()).toBe('PNG');
    for (const nobody of ['x', ada.wallet.address, '%00', '[]']) {
      expect((await request(api.app).get(`/amber/token/${nobody}/metadata.json`)).status).toBe(404);
    }
    expect((await check()).code).toBe('post_removed');
    expect((await ada.tokens())[0]).toMatchObject({ amberId: post, description: '' });
    await api.context.launches.last.refresh();
    expect(api.context.launches.last.current?.amberId).not.toBe(post);
  });
});

describe('one launch per post', () => {
  it('whoever comes second is told so, by `_id` and by `id`, under way and after', async () => {
    const eve = await Launcher.open(api);
    await ada.launch({ amberId: post });
    const early = await eve.launch({ amberId: id });
    expect([early.status, early.body.code]).toEqual([409, 'launch_under_way']);
    await solana.control.advance(1);
    await look();
    for (const [by, input] of [
      [eve, { amberId: id }],
      [eve, { amberId: post }],
      [ada, { amberId: id, name: 'Another' }],
      [ada, { amberId: post, symbol: 'ADB' }],
    ] as const) {
      const late = await by.launch(input);
      expect([late.status, late.body.code]).toEqual([409, 'already_launched']);
      expect(late.body.message).toBe('This post has already been used for a token launch.');
    }
  });

  it(`of ${CROWD} users at once one launches, and there is one token`, async () => {
    const users = await Promise.all(Array.from({ length: CROWD }, () => openLauncherFast(api)));
    for (let round = 0; round < 2; round++) {
      const target = await addPost(api);
      const answers = await Promise.all(
        users.map((user, at) => user.launch({ amberId: at % 2 ? target.id : target.post, symbol: `A${at}` })),
      );
      const codes = answers.map(({ status }) => status).sort();
      expect(codes).toEqual([202, ...Array(CROWD - 1).fill(409)]);
      await solana.control.advance(1);
      await look();
      const winner = answers.find(({ status }) => status === 202)?.body;
      expect(await check(target.id)).toMatchObject({ exists: true, tokenLaunch: { mint: winner.mint } });
    }
    const key = api.context.launches.offer.require().key.publicKey;
    const sent = await connection.getSignaturesForAddress(key);
    const made = sent.filter(({ err }) => err === null).length - 1; // one airdrop
    expect(made).toBe(await api.context.launches.store.launches.countDocuments({ transaction: { $ne: null } }));
  });

  it('of equal calls at once one launches and all answer it', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ada.launch({ amberId: post })));
    const fine = answers.filter(({ status }) => status === 202);
    // A call that arrives before anything is signed returns the same launch.
    expect(fine).toHaveLength(20);
    expect(new Set(answers.map(({ body }) => body.mint ?? 'unsigned')).size).toBeLessThanOrEqual(2);
    await solana.control.advance(1);
    expect((await ada.launch({ amberId: post })).status).toBe(201);
  });
});

describe('what is refused', () => {
  it.each([
    ['a blank name', { name: '   ' }, 'name'],
    ['no name', { name: '' }, 'name'],
    ['a name of 33 bytes', { name: 'a'.repeat(33) }, 'name'],
    ['a name of 11 wide letters', { name: '琥'.repeat(11) }, 'name'],
    ['a line break', { name: 'a\nb' }, 'name'],
    ['a control character', { name: 'a\u0007' }, 'name'],
    ['text turned around', { name: 'a\u202eb' }, 'name'],
    ['a name that reads like the signed sentence', { name: 'x With  symbol X for tweet 1' }, 'name'],
    ['a very long name', { name: 'a'.repeat(5_000) }, 'name'],
    ['a name that is none', { name: { $ne: null } }, 'name'],
    ['no symbol', { symbol: '' }, 'symbol'],
    ['a symbol that grows', { symbol: 'ßß' }, 'symbol'],
    ['a symbol of 9', { symbol: 'ABCDEFGHI' }, 'symbol'],
    ['a symbol with a space', { symbol: 'A B' }, 'symbol'],
    ['a blocked name', { name: 'В1tсоin' }, 'name'],
    ['a blocked symbol', { symbol: 'usdc' }, 'symbol'],
    ['a symbol that is blocked once upper-case', { symbol: 'h\u0131tler' }, 'symbol'],
    ['no signature', { transaction: '' }, 'transaction'],
    ['half a signature', { transaction: '1'.repeat(43) }, 'transaction'],
    ['a signature that is none', { transaction: { $ne: null } }, 'transaction'],
  ] as const)('%s is a 400 that names the field', async (_, wrong, path) => {
    const answer = await ada.launch({ amberId: post, ...wrong });
    expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([400, path]);
    expect(answer.body.message).toMatch(/^[A-Z].*\.$/);
    expect(await api.context.launches.store.find(new ObjectId(post))).toBeNull();
  });

  it.each([
    ['no post', {}, 'amberId'],
    ['a post that is none', { amberId: { $gt: '' } }, 'amberId'],
    ['a post of too many letters', { amberId: 'a'.repeat(65) }, 'amberId'],
    ['no fields but the post', { amberId: 'x' }, 'name'],
    ['a list', [], ''],
  ])('a body with %s is a 400 that names it', async (_, body, path) => {
    const answer = await ada.post(body);
    expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([400, path]);
  });

  it('a signature over another text, another post, or by another wallet', async () => {
    const terms = { name: 'Ada Token', symbol: 'ADA', id: post };
    const wrong = [
      ada.wallet.sign(buildLaunchMessage({ ...terms, name: 'Ada token' })),
      ada.wallet.sign(buildLaunchMessage({ ...terms, symbol: 'ada' })),
      // The right post in a text that was not signed.
      ada.wallet.sign(buildLaunchMessage({ ...terms, id })),
      new TestWallet().sign(buildLaunchMessage(terms)),
    ];
    for (const transaction of wrong) {
      const answer = await ada.launch({ amberId: post, transaction });
      expect([answer.status, answer.body.code]).toEqual([401, 'signature_invalid']);
    }
    expect(await api.context.launches.store.find(new ObjectId(post))).toBeNull();
  });

  it('nobody’s call, an unknown post, a removed one', async () => {
    const anonymous = await request(api.app).post('/amber/token').send({ amberId: post });
    expect([anonymous.status, anonymous.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect((await ada.launch({ amberId: 'nobody' })).body.code).toBe('post_not_found');
    const found = await api.context.posts.store.find(post);
    await api.context.posts.store.remove(found?._id as ObjectId);
    const answer = await ada.launch({ amberId: post });
    expect([answer.status, answer.body.code]).toEqual([410, 'post_removed']);
  });

  it('a post of an author who wants none', async () => {
    const target = await addPost(api, { authorUsername: 'NoTokens' });
    await api.context.launches.optOuts.add('@notokens', new Date());
    const answer = await ada.launch({ amberId: target.id });
    expect([answer.status, answer.body.code]).toEqual([403, 'launch_not_allowed']);
    const { code, message } = answer.body;
    expect((await check(target.id)).refusal).toEqual({ code, message });
    expect(await api.context.launches.optOuts.remove('NOTOKENS')).toBe(true);
    expect((await check(target.id)).refusal).toBeNull();
    expect((await ada.launch({ amberId: target.id })).status).toBe(202);
    await api.context.launches.optOuts.add('@notokens', new Date());
    expect((await check(target.id)).refusal).toBeNull();
  });

  it('the same however the handle’s accents are written', async () => {
    await api.context.launches.optOuts.add('Zo\u00c9', new Date());
    for (const authorUsername of ['zo\u00e9', 'Zoe\u0301', 'ZOE\u0301']) {
      const target = await addPost(api, { authorUsername });
      expect((await ada.launch({ amberId: target.id })).body.code).toBe('launch_not_allowed');
    }
  });
});

describe('what goes wrong before anything is sent', () => {
  it.each([
    ['getBalance', 'chain_unavailable'],
    ['getMinimumBalanceForRentExemption', 'chain_unavailable'],
    ['getLatestBlockhash', 'chain_unavailable'],
    ['getMultipleAccounts', 'chain_unavailable'],
    ['simulateTransaction', 'chain_unavailable'],
  ])('%s fails: the post is free at once, with a clear sentence', async (method, code) => {
    for (const kind of [
      { kind: 'drop' },
      { kind: 'html' },
      { kind: 'status', status: 503 },
      { kind: 'error', code: -32_005, message: 'behind' },
    ] as const) {
      await solana.control.fault({ ...kind, methods: [method] });
      const answer = await ada.launch({ amberId: post });
      expect([answer.status, answer.body.code]).toEqual([503, code]);
      expect(answer.body.message).toBe(
        'The network cannot be reached right now. Nothing was launched. Please try again.',
      );
      expect((await check()).tokenLaunch).toBeNull();
      await solana.control.clearFaults();
    }
    const eve = await Launcher.open(api);
    expect((await eve.launch({ amberId: post })).status).toBe(202);
  });

  it('a transaction that simulation refuses is never sent', async () => {
    const poor = await startLaunchApi(solana, { env: { LAUNCH_BALANCE_FLOOR: '0.000000001' } });
    const key = poor.context.launches.offer.require().key.publicKey;
    // The key has fewer lamports than a launch costs.
    expect(await connection.getBalance(key)).toBeGreaterThan(0);
    const by = await Launcher.open(poor);
    const target = await addPost(poor);
    await solana.control.fault({ kind: 'lag', slots: 200, methods: ['getLatestBlockhash'] });
    const answer = await by.launch({ amberId: target.id });
    expect([answer.status, answer.body.code]).toEqual([503, 'launch_failed']);
    expect(await poor.context.launches.store.find(new ObjectId(target.post))).toMatchObject({
      state: 'failed',
      transaction: null,
    });
    await solana.control.clearFaults();
    expect((await by.launch({ amberId: target.id })).status).toBe(202);
    await poor.close();
  });

  it('a post that is removed before anything is signed is not launched; after, what is sent is settled', async () => {
    const remove = () => api.context.posts.store.remove(new ObjectId(post));
    const chain = api.context.chain as Chain;
    const simulated = jest.spyOn(chain, 'simulate').mockImplementationOnce(async (transaction) => {
      expect((await kept())?.state).toBe('claimed');
      await remove();
      return chain.simulate(transaction);
    });
    const answer = await ada.launch({ amberId: post });
    simulated.mockRestore();
    expect([answer.status, answer.body.code]).toEqual([410, 'post_removed']);
    expect(await kept()).toMatchObject({ state: 'failed', transaction: null });
    ({ post, id } = await addPost(api));
    const { body } = await ada.launch({ amberId: post });
    await remove();
    await solana.control.advance(1);
    await look();
    expect(await mintsOf(body.mint)).not.toBeNull();
    expect(await kept()).toMatchObject({ state: 'confirmed', shown: true });
    expect((await check()).code).toBe('post_removed');
    expect(api.context.launches.last.current?.mint).not.toBe(body.mint);
  });

  it('a launch key without balance launches nothing', async () => {
    const poor = await startLaunchApi(solana, { env: { LAUNCH_BALANCE_FLOOR: '1000000' } });
    const by = await Launcher.open(poor);
    const { id: target } = await addPost(poor);
    const answer = await by.launch({ amberId: target });
    expect([answer.status, answer.body.code]).toEqual([503, 'launching_unavailable']);
    expect(answer.body.message).toMatch(/running low/);
    await poor.close();
  });
});

describe('what goes wrong while it is sent', () => {
  it.each([
    ['a broken connection', { kind: 'drop' }],
    ['HTML', { kind: 'html' }],
    ['an error', { kind: 'error', code: -32_005, message: 'behind' }],
    ['nothing: the transaction is lost', { kind: 'lose-transactions' }],
  ] as const)('the node answers with %s: the same bytes are sent again', async (_, fault) => {
    await solana.control.fault({ ...fault, methods: ['sendTransaction'] });
    const answer = await ada.launch({ amberId: post });
    expect(answer.status).toBe(202);
    const eve = await Launcher.open(api);
    expect((await eve.launch({ amberId: post })).status).toBe(409);
    expect(await mintsOf(answer.body.mint)).toBeNull();
    await solana.control.clearFaults();
    await look();
    await solana.control.advance(1);
    await look();
    expect(await check()).toMatchObject({ exists: true, tokenLaunch: { mint: answer.body.mint } });
  });

  it('the transaction lands and the answer is lost: it is found', async () => {
    await solana.control.fault({ kind: 'drop-answer', methods: ['sendTransaction'] });
    const answer = await ada.launch({ amberId: post });
    expect([answer.status, answer.body.status]).toEqual([202, 'signed']);
    await solana.control.advance(1);
    expect((await ada.launch({ amberId: post })).body).toMatchObject({ status: 'confirmed', mint: answer.body.mint });
  });

  it('no node answers afterwards: nobody knows, and the post stays taken', async () => {
    await solana.control.fault({ kind: 'drop', methods: ['getSignatureStatuses'] });
    const answer = await ada.launch({ amberId: post });
    expect([answer.status, answer.body.status]).toEqual([202, 'sent']);
    await solana.control.fault({ kind: 'drop' });
    await solana.control.advance(190);
    await look();
    expect((await kept()).state).toBe('sent');
    const eve = await Launcher.open(api);
    expect((await eve.launch({ amberId: post })).body.code).toBe('launch_under_way');
    await solana.control.clearFaults();
    await look();
    expect((await check()).tokenLaunch).toMatchObject({ mint: answer.body.mint, status: 'finalized' });
  });

  it('a transaction that no block took expires, and only then is the post free; the next token is another one', async () => {
    await solana.control.fault({ kind: 'lose-transactions' });
    const first = await ada.launch({ amberId: post });
    await solana.control.advance(150);
    await look();
    expect((await kept()).state).toBe('sent');
    const eve = await Launcher.open(api);
    expect((await eve.launch({ amberId: post })).status).toBe(409);
    // The newest block is past the limit, the last final block is not.
    await solana.control.advance(1);
    await look();
    expect((await kept()).state).toBe('sent');
    await solana.control.advance(33);
    await look();
    expect(await check()).toMatchObject({
      exists: false,
      tokenLaunch: null,
      failure: { status: 'expired', message: expect.stringMatching(/in time/) },
    });
    await solana.control.clearFaults();
    const second = await eve.launch({ amberId: post });
    expect(second.status).toBe(202);
    expect(second.body.mint).not.toBe(first.body.mint);
    await solana.control.advance(1);
    await look();
    expect(await mintsOf(first.body.mint)).toBeNull();
    expect(await mintsOf(second.body.mint)).not.toBeNull();
  });

  it('a node that lags never lets an attempt expire', async () => {
    const behind = await solana.control.openEndpoint();
    const two = await startLaunchApi(solana, { env: { SOLANA_RPC_FALLBACK_URL: behind.rpcUrl } });
    const by = await Launcher.open(two);
    const target = await addPost(two);
    await solana.control.fault({ kind: 'lose-transactions' });
    await by.launch({ amberId: target.id });
    await behind.fault({ kind: 'lag', slots: 200 });
    await solana.control.advance(190);
    const state = async () => (await two.context.launches.store.find(new ObjectId(target.post)))?.state;
    await two.context.launches.watcher?.look();
    expect(await state()).toBe('sent');
    await behind.clearFaults();
    await behind.fault({ kind: 'drop' });
    await two.context.launches.watcher?.look();
    expect(await state()).toBe('sent');
    await behind.clearFaults();
    await two.context.launches.watcher?.look();
    expect(await state()).toBe('expired');
    await two.close();
    await behind.close();
  });

  it('of several machines behind one address one that lags never lets an attempt expire', async () => {
    const { body } = await ada.launch({ amberId: post });
    // The heights come from a current machine; the statuses come from one that is a minute behind.
    await solana.control.fault({ kind: 'lag', slots: 200, methods: ['getSignatureStatuses', 'getAccountInfo'] });
    await solana.control.advance(190);
    await look();
    expect((await kept()).state).toBe('sent');
    await solana.control.clearFaults();
    await look();
    expect((await check()).tokenLaunch).toMatchObject({ mint: body.mint, status: 'finalized' });
  });

  it('of several machines behind one address one that lags takes back nothing', async () => {
    await launched();
    await solana.control.advance(10);
    await solana.control.fault({ kind: 'lag', slots: 100, methods: ['getSignatureStatuses', 'getAccountInfo'] });
    await look();
    await look();
    expect((await kept()).state).toBe('confirmed');
    expect((await read()).launched).toBe(true);
  });

  it('is taken back with the chain, and comes again with the same token', async () => {
    const { mint, transaction } = await launched();
    await solana.control.rollBack(transaction);
    await solana.control.fault({ kind: 'lose-transactions' });
    await solana.control.advance(2);
    await look();
    await look();
    expect([(await read()).launched, (await check()).exists]).toEqual([false, false]);
    expect(api.context.launches.last.current?.mint).not.toBe(mint);
    const eve = await Launcher.open(api);
    expect((await eve.launch({ amberId: post })).status).toBe(409);
    await solana.control.clearFaults();
    await look();
    await solana.control.advance(1);
    await look();
    expect((await check()).tokenLaunch).toMatchObject({ mint, status: 'confirmed' });
    expect((await read()).launched).toBe(true);
  });
});

it('a question to the database that never ends does not keep other launches from being settled', async () => {
  const two = await startLaunchApi(solana, { overrides: { launchWatcher: { stepMs: 1_000 } } });
  const by = await Launcher.open(two);
  const target = await addPost(two);
  await by.launch({ amberId: target.id });
  await solana.control.advance(1);
  two.context.launches.store.findAbandoned = () => new Promise(() => {});
  await expect(two.context.launches.watcher?.look()).rejects.toThrow('did not end');
  await until(async () => (await two.context.launches.store.find(new ObjectId(target.post)))?.state === 'confirmed');
  await two.close();
});

describe('a process that died', () => {
  /** Sets the launch to its state when the process was killed. */
  const leftAt = (state: string, changes: object = {}) =>
    api.context.launches.store.launches.updateOne(
      { _id: new ObjectId(post) },
      { $set: { state, ...changes } as never },
    );

  it('with the post claimed leaves it free, and the next attempt has the same token', async () => {
    await solana.control.fault({ kind: 'lose-transactions' });
    const { body } = await ada.launch({ amberId: post });
    await leftAt('claimed', { transaction: null, signedTransaction: null });
    expect((await ada.launch({ amberId: post })).body.status).toBe('claimed');
    await look();
    expect((await check()).failure).toMatchObject({ status: 'failed', message: expect.stringMatching(/interrupted/) });
    await solana.control.clearFaults();
    expect((await ada.launch({ amberId: post })).body.mint).toBe(body.mint);
  });

  it('when the ledger may tell of its attempt leaves the next one another token', async () => {
    const { ledger } = api.context;
    const record = ledger.record.bind(ledger);
    // The ledger's write succeeds, but too late.
    ledger.record = async (entry) => {
      await record(entry);
      throw new AppError('ledger_unavailable', 'Too late.');
    };
    expect((await ada.launch({ amberId: post })).status).toBe(503);
    ledger.record = record;
    const told = (await kept()).mint;
    const { mint } = await launched(await Launcher.open(api));
    expect(mint).not.toBe(told);
  });

  it('with the post taken back and saved anew after an attempt that expired makes the next one', async () => {
    const sent = newPost({ id: 'taken-back', content: 'Words of a key that leaked.' });
    await api.add(sent);
    const taken = (await read('taken-back'))._id as string;
    await solana.control.fault({ kind: 'lose-transactions' });
    await ada.launch({ amberId: taken });
    await solana.control.advance(190);
    await look();
    await solana.control.clearFaults();
    await api.context.database.db.collection('posts').deleteOne({ _id: new ObjectId(taken) });
    await api.add(sent);
    const saved = (await read('taken-back'))._id as string;
    expect(await launched(ada, saved)).toMatchObject({ status: 'confirmed' });
  });

  it.each(['signed', 'sent'])('with the launch %s leaves it to the chain', async (state) => {
    await solana.control.fault({ kind: 'lose-transactions' });
    const { body } = await ada.launch({ amberId: post });
    await solana.control.clearFaults();
    await leftAt(state);
    await look();
    await solana.control.advance(1);
    await look();
    expect((await check()).tokenLaunch).toMatchObject({ mint: body.mint, status: 'confirmed' });
  });

  it.each([
    ['confirmed', false, true],
    ['sent', true, true],
  ])('between the launch (%s) and the mark on the post (%s)', async (state, marked, wanted) => {
    await launched();
    await leftAt(state, { shown: marked });
    await api.context.posts.store.setLaunched(new ObjectId(post), marked);
    await look();
    expect([(await read()).launched, (await kept()).shown]).toEqual([wanted, wanted]);
  });

  it('after a launch that expired, with the mark left on the post', async () => {
    await launched();
    await leftAt('expired', { shown: true });
    // The post stays taken until its launched mark is removed.
    const eve = await Launcher.open(api);
    expect((await eve.launch({ amberId: post })).status).toBe(409);
    await look();
    expect((await read()).launched).toBe(false);
  });

  it('with a database from before the launch finds its token on the chain and makes no second one', async () => {
    const { mint } = await launched();
    await api.context.launches.store.launches.deleteOne({ _id: new ObjectId(post) });
    await api.context.posts.store.setLaunched(new ObjectId(post), false);
    const { publicKey } = api.context.launches.offer.require().key;
    const sent = (await connection.getSignaturesForAddress(publicKey)).length;
    for (let tries = 0; tries < 2; tries++) {
      const answer = await ada.launch({ amberId: post, name: 'Second' });
      expect([answer.status, answer.body.code]).toEqual([409, 'already_launched']);
    }
    await solana.control.advance(1);
    expect(await mintsOf(mint)).not.toBeNull();
    expect(await connection.getSignaturesForAddress(publicKey)).toHaveLength(sent);
  });

  it('with a database from before all attempts finds the token of a later one', async () => {
    await solana.control.fault({ kind: 'lose-transactions' });
    await ada.launch({ amberId: post });
    await solana.control.advance(190);
    await look();
    expect((await kept()).state).toBe('expired');
    await solana.control.clearFaults();
    const { mint } = await launched();
    await api.context.launches.store.launches.deleteOne({ _id: new ObjectId(post) });
    await api.context.posts.store.setLaunched(new ObjectId(post), false);
    const answer = await ada.launch({ amberId: post });
    expect([answer.status, answer.body.code]).toEqual([409, 'already_launched']);
    expect(await mintsOf(mint)).not.toBeNull();
  });

  it('with a post that was saved anew after a restore finds the token of the one that was lost', async () => {
    const sent = newPost({ id: 'saved-anew', content: 'Words that came after the backup.' });
    const save = async () => {
      await api.add(sent);
      return (await read('saved-anew'))._id as string;
    };
    const lost = await save();
    const { mint } = await launched(ada, lost);
    await api.context.database.db.collection('posts').deleteOne({ _id: new ObjectId(lost) });
    await api.context.launches.store.launches.deleteOne({ _id: new ObjectId(lost) });
    const saved = await save();
    expect(saved).not.toBe(lost);
    const answer = await ada.launch({ amberId: saved });
    expect([answer.status, answer.body.code]).toEqual([409, 'already_launched']);
    expect(await mintsOf(mint)).not.toBeNull();
  });

  it('with an attempt given up whose token is there after all launches no second one, and keeps what it knows', async () => {
    const { mint } = await launched();
    await leftAt('expired', { shown: false });
    await api.context.posts.store.setLaunched(new ObjectId(post), false);
    const eve = await Launcher.open(api);
    const answer = await eve.launch({ amberId: post, name: 'Second' });
    expect([answer.status, answer.body.code]).toEqual([409, 'already_launched']);
    expect(await kept()).toMatchObject({ mint, wallet: ada.wallet.address, name: 'Ada Token' });
  });

  it('that was too slow signs nothing any more', async () => {
    const { store: launches } = api.context.launches;
    await ada.launch({ amberId: post });
    const current = await kept();
    expect(await launches.move({ ...current, claim: 'older' }, ['sent'], 'signed', {})).toBeNull();
    await leftAt('finalized');
    expect(await launches.move(current, ['claimed'], 'signed', {})).toBeNull();
  });
});
