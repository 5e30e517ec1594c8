import { type LocalSolana, openLocalSolana } from '@archive/local-solana';
import { call, featureEnv, Launcher, Payer, TestWallet } from '@archive/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ledgerFolder } from '../src/ledger/ledger.ts';
import { readLedger } from '../src/ledger/read-ledger.ts';
import { addPost, startLaunchApi } from './_launch-api.ts';
import type { TestApi } from './_test-api.ts';

const LINK = 'https://bsky.app/profile/did:plc:abcdefghijklmnopqrstuvwx/post/3lbxyzabcde2f';

describe('what operators stop', () => {
  let solana: LocalSolana;
  let api: TestApi;
  /** A second process on the same database. */
  let other: TestApi;
  const admin = new TestWallet();
  let adminToken: string;
  let payer: Payer;
  let token: string;

  beforeAll(async () => {
    solana = await openLocalSolana({ slotMs: 0 });
    const env = {
      ...featureEnv(solana),
      ADMIN_WALLETS: admin.address,
      JWT_SECRET: 's'.repeat(32),
      AUDIT_KEY: 'a'.repeat(32),
    };
    api = await startLaunchApi(solana, { env });
    other = await startLaunchApi(solana, { env, overrides: { databaseName: api.context.database.db.databaseName } });
    adminToken = (await admin.signIn(api)).token;
    payer = await Payer.open(solana);
    token = (await payer.wallet.signIn(api)).token;
  });

  afterAll(async () => {
    await other.close({ keepDatabase: true });
    await api.close();
    await solana.close();
  });

  const setSwitch = (name: string, isStopped: boolean) =>
    call(api, 'PUT', `/amber/admin/switches/${name}`, adminToken, { isStopped, reason: 'a drill' });
  /** Makes the next block later than now. Block times are whole seconds. */
  const laterBlock = async () => {
    await solana.control.moveTime(2);
    await solana.control.advance(1);
  };
  const logged = async (act: string) => (await call(api, 'GET', `/amber/admin/log?act=${act}`, adminToken)).body.data;

  it('keeps no words in the log that somebody sends as the id of a post', async () => {
    const launcher = await Launcher.open(api);
    const words = ['my neighbour is a thief', 'my-neighbour-is-a-thief'];
    for (const amberId of words) expect((await launcher.launch({ amberId })).status).toBeGreaterThan(399);
    const transaction = 'no signature';
    await call(api, 'POST', '/amber/token', token, { amberId: words[0], name: 'A', symbol: 'A', transaction });
    expect(JSON.stringify(await logged('refuse+launch'))).not.toMatch(/neighbour/);
  });

  it('stops featuring in every process: what was sent before is honoured, what is sent after becomes a credit', async () => {
    const [before, after] = [(await addPost(api)).post, (await addPost(api)).post];
    const sentBefore = await payer.pay(before);
    expect((await setSwitch('featuring', true)).status).toBe(200);
    expect((await call(other, 'GET', '/amber/feature/wallet')).body).toMatchObject({ enabled: false, stopped: true });
    await laterBlock();
    const sentAfter = await payer.pay(after);
    expect((await payer.verify(api, token, before, sentBefore)).status).toBe(200);
    const credited = await payer.verify(api, token, after, sentAfter);
    expect([credited.status, credited.body.code, credited.body.credit.reason]).toEqual([
      409,
      'payment_credited',
      'stopped',
    ]);
    await solana.control.advance(40);
    await api.context.featuring.watcher?.look();
    const spend = () => call(api, 'POST', '/amber/feature/credits/use', token, { amberId: after });
    expect((await spend()).body).toMatchObject({
      code: 'featuring_unavailable',
      message: expect.stringMatching(/paused/),
    });
    await setSwitch('featuring', false);
    expect((await spend()).status).toBe(200);
    expect(await logged('stop+featuring')).toMatchObject([
      { before: { isStopped: false }, after: { isStopped: true }, reason: 'a drill', actor: { id: admin.address } },
    ]);
    expect(await logged('keep+credit')).toMatchObject([
      { subject: { kind: 'payment', id: sentAfter }, after: { reason: 'stopped' } },
    ]);
  });

  it('stops launching in every process, and settles what is under way', async () => {
    const launcher = await Launcher.open(api);
    const [under, stopped] = [(await addPost(api)).post, (await addPost(api)).post];
    expect((await launcher.launch({ amberId: under })).status).toBe(202);
    await setSwitch('launching', true);
    for (const one of [api, other]) {
      const refused = await (await Launcher.open(one)).launch({ amberId: stopped });
      expect([refused.status, refused.body.code]).toEqual([503, 'launching_unavailable']);
      const check = await call(one, 'GET', `/amber/token/check/${stopped}`);
      expect(check.body.refusal.message).toMatch(/paused/);
    }
    await solana.control.advance(1);
    expect((await launcher.launch({ amberId: under })).status).toBe(201);
    await setSwitch('launching', false);
    expect((await launcher.launch({ amberId: stopped })).status).toBe(202);
    expect((await logged('refuse+launch'))[0]).toMatchObject({ after: { code: 'launching_unavailable' } });
    expect((await logged('launch+token')).length).toBe(2);
  });

  it('lets a suspended wallet do nothing that others see, and read what is its own', async () => {
    const wallet = new TestWallet();
    const theirs = await Payer.open(solana, wallet);
    const session = (await wallet.signIn(api)).token;
    const { post } = await addPost(api);
    const reaction = (type: string) => ['POST', `/amber/reactions/${post}`, session, { reactionType: type }] as const;
    expect((await call(api, ...reaction('heart'))).status).toBe(200);
    const path = `/amber/admin/wallets/${wallet.address}/suspension`;
    expect((await call(api, 'PUT', path, adminToken, { reason: 'spams' })).status).toBe(204);
    await laterBlock();
    const launcher = new Launcher({ url: api.url }, wallet, session);
    const refused = [
      await call(other, ...reaction('thumbsUp')),
      await launcher.launch({ amberId: post }),
      await call(api, 'POST', '/amber/saves', session, { url: LINK }),
      await call(api, 'POST', '/amber/feature/credits/use', session, { amberId: post }),
    ];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      refused.map(() => [403, 'wallet_suspended']),
    );
    const signed = wallet.signedReaction({
      action: 'add',
      reactionType: 'thumbsUp',
      archiveId: post,
      timestamp: Date.now(),
    });
    const bySignature = await call(api, 'POST', `/amber/reactions/${post}/signature`, undefined, {
      ...signed,
      reactionType: 'thumbsUp',
    });
    expect(bySignature.body.code).toBe('wallet_suspended');
    const paid = await theirs.verify(api, session, post, await theirs.pay(post));
    expect(paid.body.credit.reason).toBe('suspended');
    const again = (await wallet.signIn(api)).token;
    expect((await call(api, 'GET', '/amber/reactions/user', again)).body).toHaveLength(1);
    expect((await call(api, 'DELETE', `/amber/reactions/${post}/heart`, again)).status).toBe(200);
    expect((await call(api, 'DELETE', path, adminToken)).status).toBe(204);
    expect((await call(api, ...reaction('heart'))).status).toBe(200);
    expect((await logged('resume+wallet'))[0]).toMatchObject({ before: { isSuspended: true } });
  });

  it('writes down nowhere what stands so already', async () => {
    const path = `/amber/admin/wallets/${new TestWallet().address}/suspension`;
    const written = async () => {
      const { body } = await call(api, 'GET', '/amber/admin/log', adminToken);
      const kept = await readLedger(ledgerFolder(api.context.config.dataDir));
      return [body.data[0].seq, kept?.entries.filter(({ kind }) => kind !== 'audit-head').length];
    };
    const before = await written();
    expect((await setSwitch('featuring', false)).body.isStopped).toBe(false);
    expect((await call(api, 'DELETE', path, adminToken)).status).toBe(204);
    expect(await written()).toEqual(before);
    await call(api, 'PUT', path, adminToken, { reason: 'spams' });
    const once = await written();
    expect(once).toEqual([before[0] + 1, (before[1] as number) + 1]);
    expect((await call(api, 'PUT', path, adminToken, { reason: 'again' })).status).toBe(204);
    expect(await written()).toEqual(once);
  });

  it('holds from the moment it was stopped until the one it was opened, and again when it is stopped again', async () => {
    const { wallets } = api.context.operators;
    const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000);
    const set = (isStopped: boolean, seconds: number) =>
      wallets.set('of a while', isStopped, { by: 'test', reason: null }, at(seconds));
    expect(await wallets.wasStopped('of a while', at(0))).toBe(false);
    await set(true, 10);
    // A repeated stop does not interrupt the first.
    await set(true, 12);
    await set(false, 20);
    await set(true, 30);
    const moments = [9, 10, 11, 19, 20, 29, 30, 1_000];
    const held = await Promise.all(moments.map((seconds) => wallets.wasStopped('of a while', at(seconds))));
    expect(held).toEqual([false, true, true, true, false, false, true, true]);
    expect([...(await wallets.stoppedOf(['of a while', 'never']))]).toEqual(['of a while']);
    const first = (await wallets.stopped(2)).map(({ _id }) => _id);
    expect(first.at(-1)).toBe('of a while');
    await set(false, 1_001);
    expect([...(await wallets.stoppedOf(['of a while']))]).toEqual([]);
    expect((await wallets.stopped(10)).map(({ _id }) => _id)).not.toContain('of a while');
  });

  it('is told to the ledger, so that a restore stops it again', async () => {
    const kinds = (await readLedger(ledgerFolder(api.context.config.dataDir)))?.entries.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['switch', 'suspension']));
  });

  it('takes the price that operators set over that of the settings, and honours the one of before for a while', async () => {
    const asked = async () => (await call(other, 'GET', '/amber/feature/wallet')).body.featurePrice;
    const set = await call(api, 'PUT', '/amber/admin/featuring/price', adminToken, { price: '2', reason: 'busy' });
    expect(set.body).toMatchObject({ price: '2', configuredPrice: '1', isSet: true });
    expect(await asked()).toBe('2');
    // A payment at the earlier price, which its payer was shown.
    const { post } = await addPost(api);
    expect((await payer.verify(api, token, post, await payer.pay(post))).status).toBe(200);
    const restarted = await startLaunchApi(solana, {
      env: featureEnv(solana),
      overrides: { databaseName: api.context.database.db.databaseName },
    });
    expect((await call(restarted, 'GET', '/amber/feature/wallet')).body.featurePrice).toBe('2');
    await restarted.close({ keepDatabase: true });
    for (const price of ['0', '1e3', '-1', '99999999999999999999'])
      expect((await call(api, 'PUT', '/amber/admin/featuring/price', adminToken, { price })).status).toBe(400);
    expect((await call(api, 'DELETE', '/amber/admin/featuring/price', adminToken)).body.isSet).toBe(false);
    expect(await asked()).toBe('1');
    // The settings' price, but now set by the operators.
    const same = async () => (await call(api, 'PUT', '/amber/admin/featuring/price', adminToken, { price: '1' })).body;
    expect([(await same()).isSet, (await same()).isSet]).toEqual([true, true]);
    await call(api, 'DELETE', '/amber/admin/featuring/price', adminToken);
    await call(api, 'DELETE', '/amber/admin/featuring/price', adminToken);
    const prices = await Promise.all([logged('set+price'), logged('clear+price')]);
    expect(prices.map((entries) => entries.map(({ after }: { after: object }) => after))).toEqual([
      [
        { baseUnits: '1000000', isSet: true },
        { baseUnits: '2000000', isSet: true },
      ],
      [
        { baseUnits: '1000000', isSet: false },
        { baseUnits: '1000000', isSet: false },
      ],
    ]);
  });
});
