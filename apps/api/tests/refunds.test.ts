import type { AdminPayment } from '@archive/contracts';
import { type LocalSolana, openLocalSolana } from '@archive/local-solana';
import { call, featureEnv, Payer, TestWallet } from '@archive/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { holdCredit, releaseCredit } from '../src/featuring/refund-credit.ts';
import { ledgerFolder } from '../src/ledger/ledger.ts';
import type { LedgerEntry } from '../src/ledger/ledger-entry.ts';
import { readLedger } from '../src/ledger/read-ledger.ts';
import { addPost, startLaunchApi } from './_launch-api.ts';
import { payBack } from './_pay-back.ts';
import type { TestApi } from './_test-api.ts';

const FINAL = 40;

describe('refunds', () => {
  let solana: LocalSolana;
  let api: TestApi;
  let payer: Payer;
  let token: string;
  let adminToken: string;
  let featured: string;
  const admin = new TestWallet();

  beforeAll(async () => {
    solana = await openLocalSolana({ slotMs: 0 });
    api = await startLaunchApi(solana, { env: { ...featureEnv(solana), ADMIN_WALLETS: admin.address } });
    adminToken = (await admin.signIn(api)).token;
    payer = await Payer.open(solana);
    token = (await payer.wallet.signIn(api)).token;
    // Gives the receiving wallet the tokens for its refunds.
    await payer.transfer({ baseUnits: 100_000_000n });
    featured = (await addPost(api)).post;
    expect((await payer.verify(api, token, featured, await payer.pay(featured))).status).toBe(200);
  });

  afterAll(async () => {
    await api.close();
    await solana.close();
  });

  /** A final credit: the wallet paid for a post that was already featured. */
  const aCredit = async (by = payer, session = token) => {
    const signature = await by.pay(featured);
    expect((await by.verify(api, session, featured, signature)).status).toBe(409);
    await solana.control.advance(FINAL);
    await api.context.featuring.watcher?.look();
    return signature;
  };
  const path = (credit: string, what: 'hold' | 'refund') => `/amber/admin/payments/${credit}/${what}`;
  const hold = (credit: string) => call(api, 'PUT', path(credit, 'hold'), adminToken, { reason: 'asked for' });
  const release = (credit: string) => call(api, 'DELETE', path(credit, 'hold'), adminToken);
  const mark = (credit: string, transaction: string) =>
    call(api, 'PUT', path(credit, 'refund'), adminToken, { transaction });
  const refusal = async (answer: Promise<{ status: number; body: { code: string; message: string } }>) => {
    const { status, body } = await answer;
    expect([status, body.code]).toEqual([422, 'refund_refused']);
    return body.message;
  };
  const states = async (credit: string) => {
    const { body } = await call(api, 'GET', '/amber/admin/log?subject=payment', adminToken);
    return body.data
      .filter((entry: { subject: { id: string } }) => entry.subject.id === credit)
      .map((entry: { act: string }) => entry.act);
  };

  it('go from held to paid back, by a transaction that the chain shows', async () => {
    const credit = await aCredit();
    expect(await refusal(mark(credit, await payBack(solana, payer.wallet.address)))).toMatch(/Hold this credit/);
    expect((await hold(credit)).body.state).toBe('held');
    const spend = await call(api, 'POST', '/amber/feature/credits/use', token, { amberId: (await addPost(api)).post });
    expect(spend.body.code).toBe('not_enough_credit');
    const transaction = await payBack(solana, payer.wallet.address);
    expect(await refusal(mark(credit, transaction))).toMatch(/as final/);
    await solana.control.advance(FINAL);
    const marked = await mark(credit, transaction);
    expect(marked.body).toMatchObject({ state: 'refunded', refund: { transaction } });
    expect((await mark(credit, transaction)).body).toEqual(marked.body);
    expect(await refusal(mark(credit, '1'.repeat(64)))).toMatch(/paid back by another transaction/);
    expect(await refusal(release(credit))).toMatch(/paid back/);
    expect(await states(credit)).toEqual(['mark refund', 'hold credit', 'keep credit']);
    const kinds = (await readLedger(ledgerFolder(api.context.config.dataDir)))?.entries.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['refund', 'refund-marked']));
  });

  it('take no transaction of another wallet, amount, direction or payer, none that failed, and none twice', async () => {
    const credit = await aCredit();
    const older = await payBack(solana, payer.wallet.address);
    const late = await aCredit();
    const other = await Payer.open(solana);
    await hold(credit);
    await hold(late);
    const [little, toOther, notOurs, failed, right] = [
      await payBack(solana, payer.wallet.address, 999_999n),
      await payBack(solana, other.wallet.address),
      await payBack(solana, payer.wallet.address, 1_000_000n, other.wallet.keypair),
      await payBack(solana, payer.wallet.address, 10n ** 18n),
      await payBack(solana, payer.wallet.address),
    ];
    await solana.control.advance(FINAL);
    expect(await refusal(mark(credit, little))).toMatch(/pays 999999 base units back, the credit is 1000000/);
    expect(await refusal(mark(credit, toOther))).toMatch(/pays nothing of this token to the payer/);
    expect(await refusal(mark(credit, notOurs))).toMatch(/receiving wallet did not pay/);
    expect(await refusal(mark(credit, failed))).toMatch(/failed/);
    // The payment itself, and an unknown transaction.
    expect(await refusal(mark(credit, credit))).toMatch(/pays nothing of this token to the payer/);
    expect(await refusal(mark(credit, '1'.repeat(64)))).toMatch(/as final/);
    expect(await refusal(mark(late, older))).toMatch(/older than the payment/);
    expect((await mark(credit, right)).status).toBe(200);
    expect(await refusal(mark(late, right))).toMatch(/paid another credit back/);
    expect((await call(api, 'PUT', path(late, 'refund'), adminToken, { transaction: 'x' })).status).toBe(400);
    const { body } = await call(api, 'GET', '/amber/admin/payments?state=held', adminToken);
    expect(body.data.map(({ _id }: { _id: string }) => _id)).toEqual([late]);
    expect((await release(late)).body.state).toBe('credit');
  });

  it('are held by a hold of their own, so that no release of before that was cut off gives them free in a restore', async () => {
    const credit = await aCredit();
    const { payments } = api.context.featuring;
    await hold(credit);
    const first = (await payments.find(credit))?.use;
    await release(credit);
    await hold(credit);
    const second = (await payments.find(credit))?.use;
    expect(second).toMatch(/^refunded:/);
    expect(second).not.toBe(first);
    await release(credit);
  });

  it('that lose a race let the ledger end with what won it', async () => {
    const credit = await aCredit();
    const { context } = api;
    const { payments } = context.featuring;
    const by = { actor: { kind: 'system' } } as const;
    /** Runs `act` right after a ledger entry of this kind, before its consequences. */
    const overtaken = (kind: LedgerEntry['kind'], act: () => Promise<unknown>) => {
      const record = async (entry: LedgerEntry) => {
        await context.ledger.record(entry);
        if (entry.kind === kind) await act();
      };
      return { ...context, ledger: { ...context.ledger, record } } as unknown as typeof context;
    };
    const last = async () => {
      const { entries } = (await readLedger(ledgerFolder(context.config.dataDir))) ?? { entries: [] };
      return entries.findLast((entry) => 'payment' in entry && entry.payment === credit)?.kind;
    };
    const setUse = (use: string | null) => payments.payments.updateOne({ _id: credit }, { $set: { use } });
    const spent = overtaken('refund', () => setUse('use:other'));
    await expect(holdCredit(spent, credit, by)).rejects.toThrow('has just been used');
    expect([await last(), (await payments.find(credit))?.use]).toEqual(['refund-undone', 'use:other']);
    await setUse(null);
    await hold(credit);
    const refund = { transaction: 'paid back meanwhile', at: new Date() };
    const marked = overtaken('refund-undone', () => payments.markRefund(credit, refund));
    await expect(releaseCredit(marked, credit, by)).rejects.toThrow('has just been marked as paid back');
    expect([await last(), (await payments.find(credit))?.refund]).toEqual(['refund', refund]);
  });

  it('cannot be marked on a released credit, and a final credit stays a credit', async () => {
    const credit = await aCredit();
    const { payments } = api.context.featuring;
    await hold(credit);
    await release(credit);
    expect(await payments.markRefund(credit, { transaction: 'of none', at: new Date() })).toBe(false);
    await payments.markDropped(credit);
    await payments.reopen(credit);
    await payments.markCredit(credit, 'too_little');
    expect(await payments.find(credit)).toMatchObject({ state: 'credit', reason: 'already_featured' });
    await payments.payments.updateOne({ _id: credit }, { $set: { finalizedAt: null, missingSince: new Date(0) } });
    await payments.markFinalized([credit], new Date());
    expect(await payments.find(credit)).toMatchObject({ state: 'credit', missingSince: null });
    // A dropped payment may return to the chain, so it counts as unknown and is looked up again.
    const setState = (state: 'credit' | 'dropped') => payments.payments.updateOne({ _id: credit }, { $set: { state } });
    expect(await payments.known([credit])).toEqual(new Set([credit]));
    await setState('dropped');
    expect(await payments.known([credit])).toEqual(new Set());
    await setState('credit');
  });

  it('are of credits that are final and that nobody has used', async () => {
    const signature = await payer.pay(featured);
    expect((await payer.verify(api, token, featured, signature)).status).toBe(409);
    expect(await refusal(hold(signature))).toMatch(/may still take this payment back/);
    await solana.control.advance(FINAL);
    await api.context.featuring.watcher?.look();
    // Releasing a credit that is not held changes nothing and logs nothing.
    expect((await release(signature)).body.state).toBe('credit');
    expect(await states(signature)).toEqual(['keep credit']);
    const { post } = await addPost(api);
    expect((await call(api, 'POST', '/amber/feature/credits/use', token, { amberId: post })).status).toBe(200);
    const used = await api.context.featuring.payments.payments.findOne({ usedOn: { $ne: null } });
    expect(await refusal(hold(used?._id as string))).toMatch(/is used, or being used/);
  });

  it('are in the token of the credit, and want to know which that was', async () => {
    const credit = await aCredit();
    const { payments } = api.context.featuring.payments;
    await hold(credit);
    const transaction = await payBack(solana, payer.wallet.address);
    await solana.control.advance(FINAL);
    await payments.updateOne({ _id: credit }, { $set: { mint: admin.address } });
    expect(await refusal(mark(credit, transaction))).toMatch(/which token this credit was paid in/);
    await payments.updateOne({ _id: credit }, { $set: { mint: solana.mint } });
    await release(credit);
  });

  it('mark of two at once by one transaction one credit alone', async () => {
    const [one, two] = [await aCredit(), await aCredit()];
    await hold(one);
    await hold(two);
    const transaction = await payBack(solana, payer.wallet.address);
    await solana.control.advance(FINAL);
    const answers = await Promise.all([mark(one, transaction), mark(two, transaction)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    const loser = answers[0]?.status === 200 ? two : one;
    const told = (await readLedger(ledgerFolder(api.context.config.dataDir)))?.entries ?? [];
    const marks = told.flatMap((entry) =>
      entry.kind.startsWith('refund-') && 'payment' in entry && entry.payment === loser ? [entry.kind] : [],
    );
    expect([[], ['refund-marked', 'refund-unmarked']]).toContainEqual(marks);
  });

  it('are of credits alone, and pages of payments miss none', async () => {
    expect((await hold('nothing')).status).toBe(404);
    const { body } = await call(api, 'GET', '/amber/admin/payments?state=applied', adminToken);
    const [paid] =
      body.data.length > 0
        ? body.data
        : (await call(api, 'GET', '/amber/admin/payments?state=finalized', adminToken)).body.data;
    expect(await refusal(hold(paid._id))).toMatch(/no credit/);
    // Paging also works if several payments share one time.
    await api.context.featuring.payments.payments.updateMany({}, { $set: { createdAt: new Date() } });
    const all = (await call(api, 'GET', '/amber/admin/payments', adminToken)).body;
    const first = all.data[1];
    const after = `${new Date(first.createdAt).getTime()}_${first._id}`;
    const rest = await call(api, 'GET', `/amber/admin/payments?after=${after}`, adminToken);
    expect(rest.body.data).toEqual(all.data.slice(2));
  });

  it('are listed by where each payment stands, and by who paid', async () => {
    const rows = async (query: string) =>
      (await call(api, 'GET', `/amber/admin/payments?${query}`, adminToken)).body.data as AdminPayment[];
    const held = await aCredit();
    await hold(held);
    const other = await Payer.open(solana);
    const theirs = await aCredit(other, (await other.wallet.signIn(api)).token);
    const states = ['credit', 'held', 'used', 'refunded', 'applied', 'finalized', 'confirmed', 'dropped'];
    const byState = await Promise.all(states.map((state) => rows(`state=${state}`)));
    expect(byState.map((some) => [...new Set(some.map(({ state }) => state))])).toEqual([
      ['credit'],
      ['held'],
      ['used'],
      ['refunded'],
      [],
      ['finalized'],
      [],
      [],
    ]);
    const all = (await rows('')).map(({ _id }) => _id);
    expect(byState.flatMap((some) => some.map(({ _id }) => _id)).toSorted()).toEqual(all.toSorted());
    expect((await rows(`payer=${other.wallet.address}`)).map(({ _id }) => _id)).toEqual([theirs]);
    await release(held);
  });
});
