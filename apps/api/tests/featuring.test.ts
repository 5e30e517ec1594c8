import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { type Notice, noticeSentence, OFFER_KEPT_MS, type PaidPost, PRICE_HONOURED_MS } from '@archive/contracts';
import { type LocalSolana, openLocalSolana } from '@archive/local-solana';
import { featureEnv, Payer, PRICE, TestWallet } from '@archive/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import request from 'supertest';
import { runUntilEmpty } from '../src/background/loop.ts';
import { Chain } from '../src/chain/chain.ts';
import { checkPayments } from '../src/featuring/check-payments.ts';
import type { PaymentDocument } from '../src/featuring/payment-document.ts';
import type { PaymentWatcher } from '../src/featuring/payment-watcher.ts';
import { applyPayment } from '../src/featuring/settle-payment.ts';
import { completeUse } from '../src/featuring/spend-credits.ts';
import { recordedLog } from './_recorded-log.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

describe('paying to feature a post', () => {
  let solana: LocalSolana;
  let api: TestApi;
  let payer: Payer;
  let token: string;
  let post: string;
  let serial = 0;

  beforeAll(async () => {
    solana = await openLocalSolana({ slotMs: 0 });
    api = await startTestApi({
      env: { RATE_LIMITS: 'off', ...featureEnv(solana) },
      overrides: { watcher: { missingMs: 0 } },
    });
  });

  afterAll(async () => {
    await api.close();
    await solana.close();
  });

  beforeEach(async () => {
    payer = await Payer.open(solana);
    token = (await payer.wallet.signIn(api)).token;
    post = await addPost();
  });

  afterEach(() => solana.control.clearFaults());

  async function addPost(): Promise<string> {
    const id = `paid-${++serial}`;
    await api.add(newPost({ id }));
    return (await api.context.posts.store.find(id))?._id.toHexString() as string;
  }

  const verify = (transaction: string, amberId = post, by = token) => payer.verify(api, by, amberId, transaction);
  const read = async (id = post) => (await request(api.app).get(`/amber/archives/${id}`)).body;
  const credits = async (by = token) =>
    (await request(api.app).get('/amber/feature/credits').set('Authorization', `Bearer ${by}`)).body;
  const useCredits = (amberId: string, by = token) =>
    request(api.app).post('/amber/feature/credits/use').set('Authorization', `Bearer ${by}`).send({ amberId });
  const makeDue = () => api.context.featuring.payments.reports.updateMany({}, { $set: { nextAt: new Date(0) } });
  const look = () => runUntilEmpty(api.context.featuring.watcher as PaymentWatcher);
  const finalize = async () => {
    await solana.control.advance(40);
    await look();
  };

  it('features the post, and says so again when asked again', async () => {
    const signature = await payer.pay(post);
    const answer = await verify(signature);
    expect([answer.status, answer.body.success]).toEqual([200, true]);
    expect(answer.body.archive).toMatchObject({
      _id: post,
      featured: true,
      featuredBy: 'payment',
      payee: payer.wallet.address,
    });
    expect((await verify(signature)).body).toEqual(answer.body);
    expect(await read()).toMatchObject({ featured: true, payee: payer.wallet.address });
    const listed = await request(api.app).get('/amber/archives?limit=1');
    expect(listed.body.featured._id).toBe(post);
    await finalize();
    expect((await api.context.featuring.payments.find(signature))?.state).toBe('finalized');
    expect(await credits()).toEqual([]);
  });

  it('tells its payer that the post is hidden when it is, and not at the time of the payment', async () => {
    await verify(await payer.pay(post));
    const { sealed, store } = api.context.posts;
    const notices = async () =>
      (await request(api.app).get('/amber/notices').set('Authorization', `Bearer ${token}`)).body.data as Notice[];
    const told = (await notices())[0] as Notice;
    expect(told).toMatchObject({ kind: 'featured', post: { _id: post } });
    await request(api.app).put('/amber/notices/read').set('Authorization', `Bearer ${token}`).expect(204);
    await delay(20);
    await sealed.hide(new ObjectId(post), 'rules');
    const { removedAt } = (await store.find(post)) as { removedAt: Date };
    const gone = (await notices())[0] as Notice;
    expect(gone).toMatchObject({ kind: 'featured', post: null, isNew: true, at: removedAt.toISOString() });
    expect(noticeSentence(gone)).toBe('A post you paid for is hidden or gone.');
    expect(gone._id).not.toBe(told._id);
    await sealed.unhide(new ObjectId(post));
    expect((await notices())[0]).toEqual({ ...told, isNew: false });
  });

  it('answers pending while the chain has not confirmed it, and applies it then without being asked', async () => {
    const signature = await payer.send(await payer.build(post));
    expect([(await verify(signature)).status, (await read()).featured]).toEqual([202, false]);
    await solana.control.advance(1);
    await makeDue();
    await look();
    expect((await read()).featured).toBe(true);
  });

  it('finds a payment that nobody has reported', async () => {
    const signature = await payer.pay(post);
    await look();
    expect((await read()).featured).toBe(true);
    expect((await verify(signature)).status).toBe(200);
  });

  it('of a hundred reports of one payment at once, one takes effect, and the watcher adds none', async () => {
    const signature = await payer.pay(post);
    // A slow disk may cause "try again": nothing was done, and the page reports the payment again.
    const report = async () => {
      const answer = await verify(signature);
      return answer.body.code === 'ledger_unavailable' ? verify(signature) : answer;
    };
    const reports = Promise.all(Array.from({ length: 100 }, report));
    const [answers] = await Promise.all([reports, look()]);
    // 202: the node answered late, and the watcher will settle the payment.
    expect(answers.filter(({ status }) => status !== 200 && status !== 202)).toEqual([]);
    await look();
    expect(await read()).toMatchObject({ featured: true, payee: payer.wallet.address });
    expect(await api.context.featuring.payments.payments.countDocuments({ payer: payer.wallet.address })).toBe(1);
    expect(await credits()).toEqual([]);
  });

  it('features one of two payers, and keeps the other payment as a credit that features another post', async () => {
    const other = await Payer.open(solana);
    const otherToken = (await other.wallet.signIn(api)).token;
    const [mine, theirs] = [await payer.pay(post), await other.pay(post)];
    const answers = await Promise.all([verify(mine), verify(theirs, post, otherToken)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const loser =
      answers[0]?.status === 409 ? { by: token, answer: answers[0] } : { by: otherToken, answer: answers[1] };
    expect(loser.answer?.body).toMatchObject({
      code: 'payment_credited',
      credit: { reason: 'already_featured', usedOn: null },
    });
    const second = await addPost();
    // A credit cannot be used before its payment is final.
    expect((await useCredits(second, loser.by)).status).toBe(422);
    await finalize();
    expect((await useCredits(second, loser.by)).body).toMatchObject({ success: true, archive: { featured: true } });
    expect((await useCredits(await addPost(), loser.by)).status).toBe(422);
    expect((await credits(loser.by))[0]).toMatchObject({ usedOn: second, usable: false });
  });

  it('takes what is more than the price as paid in full, and makes no credit of the rest', async () => {
    expect((await verify(await payer.pay(post, PRICE + 1n))).status).toBe(200);
    await finalize();
    expect(await read()).toMatchObject({ featured: true, payee: payer.wallet.address });
    expect(await credits()).toEqual([]);
  });

  it('adds up credits that are too small, and keeps what is left', async () => {
    const [first, second] = [await payer.pay(post, 600_000n), await payer.pay(post, 700_000n)];
    expect((await verify(first)).body).toMatchObject({ code: 'payment_too_little', credit: { baseUnits: '600000' } });
    expect((await verify(second)).status).toBe(422);
    await finalize();
    const answers = await Promise.all([useCredits(post), useCredits(post), useCredits(await addPost())]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const left = (await credits()).filter((credit: { usedOn: string | null }) => credit.usedOn === null);
    expect(left).toMatchObject([{ baseUnits: '300000', reason: 'change' }]);
  });

  it('features by credits that make exactly the price, and leaves nothing', async () => {
    for (const baseUnits of [400_000n, 600_000n])
      expect((await verify(await payer.pay(post, baseUnits))).status).toBe(422);
    await finalize();
    expect((await useCredits(post)).status).toBe(200);
    expect((await credits()).filter(({ usedOn }: { usedOn: string | null }) => usedOn === null)).toEqual([]);
  });

  it('does not feature by credits that are one base unit short', async () => {
    for (const baseUnits of [400_000n, 599_999n])
      expect((await verify(await payer.pay(post, baseUnits))).status).toBe(422);
    await finalize();
    expect((await useCredits(post)).body.code).toBe('not_enough_credit');
  });

  it('one credit used for two posts at once features one', async () => {
    await verify(await payer.pay(post));
    await verify(await payer.pay(post));
    await finalize();
    const posts = [await addPost(), await addPost()];
    const answers = await Promise.all(posts.map((id) => useCredits(id)));
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    expect((await Promise.all(posts.map(read))).filter(({ featured }) => featured)).toHaveLength(1);
  });

  it('takes credits in the token they were paid in, and names that of older ones where there was no other', async () => {
    const { payments, prices } = api.context.featuring;
    await verify(await payer.pay(post));
    await verify(await payer.pay(post));
    await finalize();
    const credit = { payer: payer.wallet.address, state: 'credit', usedOn: null } as const;
    await payments.payments.updateMany(credit, { $set: { mint: new TestWallet().address } });
    expect((await credits()).some(({ usable }: { usable: boolean }) => usable)).toBe(false);
    const target = await addPost();
    expect((await useCredits(target)).body.code).toBe('not_enough_credit');
    await payments.payments.updateMany(credit, { $unset: { mint: '' } });
    await payments.nameTokens(await prices.onlyMint());
    expect((await useCredits(target)).status).toBe(200);
    // With several tokens, the token of an old payment is not guessed.
    await prices.record(new TestWallet().address, 1n, new Date());
    expect(await prices.onlyMint()).toBeNull();
    await api.context.database.db.collection('feature_prices').deleteOne({ baseUnits: '1' });
  });

  it('refuses a payment of somebody else, whoever reports it first', async () => {
    const thief = new TestWallet();
    const thiefToken = (await thief.signIn(api)).token;
    const target = await addPost();
    const named = await payer.pay(post);
    const answer = await verify(named, target, thiefToken);
    expect([answer.status, answer.body.message]).toEqual([422, 'This payment was made by another wallet.']);
    expect((await read(target)).featured).toBe(false);
    expect((await verify(named)).status).toBe(200);

    const unnamed = await payer.transfer();
    expect((await verify(unnamed, target, thiefToken)).status).toBe(422);
    expect((await read(target)).featured).toBe(false);
    expect((await verify(unnamed, target)).status).toBe(200);
    expect((await verify(unnamed, await addPost())).body.code).toBe('payment_used');
  });

  it('refuses a payment that names another post, and applies it there', async () => {
    const target = await addPost();
    const signature = await payer.pay(post);
    expect((await verify(signature, target)).body.code).toBe('payment_used');
    expect([(await read()).featured, (await read(target)).featured]).toEqual([true, false]);
  });

  it('keeps payments for what cannot be featured as credits, each with its reason', async () => {
    const removed = await addPost();
    const forRemoved = await payer.pay(removed);
    const removal = await api.context.posts.store.find(removed);
    await api.context.posts.store.remove(removal?._id as never);
    expect((await verify(forRemoved, removed)).body).toMatchObject({
      code: 'payment_credited',
      credit: { reason: 'post_removed' },
    });
    await payer.pay('0123456789abcdef01234567');
    await payer.transfer({ memos: [`amber:feature:${post}`, `amber:feature:${removed}`] });
    await look();
    expect((await credits()).map(({ reason }: { reason: string }) => reason).sort()).toEqual([
      'post_removed',
      'post_unknown',
      'several_posts',
    ]);
    expect((await read()).featured).toBe(false);
  });

  it('takes a transfer that names no post only from its payer’s report, within a day', async () => {
    const signature = await payer.transfer({ memos: ['for lunch'] });
    await look();
    expect(await api.context.featuring.payments.find(signature)).toBeNull();
    await solana.control.moveTime(-25 * 3_600);
    const old = await payer.transfer();
    await solana.control.moveTime(25 * 3_600);
    expect((await verify(old)).body.message).toBe('This payment names no post and is older than 24 hours.');
    expect((await verify(signature)).status).toBe(200);
  });

  it('takes a plain transfer with our memo as the payment it is', async () => {
    const signature = await payer.transfer({ memos: [`amber:feature:${post}`], isPlain: true });
    expect((await verify(signature)).status).toBe(200);
    expect(await read()).toMatchObject({ featured: true, payee: payer.wallet.address });
    const second = await addPost();
    const small = await payer.transfer({ memos: [`amber:feature:${second}`], isPlain: true, baseUnits: 7n });
    await look();
    expect((await api.context.featuring.payments.find(small))?.reason).toBe('too_little');
  });

  it('keeps what arrives without its owner’s signature as the owner’s credit, and features nothing with it', async () => {
    const delegate = await Payer.open(solana);
    const delegateToken = (await delegate.wallet.signIn(api)).token;
    await payer.approve(delegate.wallet, PRICE);
    const signature = await delegate.transfer({ memos: [`amber:feature:${post}`], from: payer.wallet.address });
    const answer = await verify(signature, post, delegateToken);
    expect([answer.status, answer.body.message]).toEqual([422, 'This payment was made by another wallet.']);
    expect((await read()).featured).toBe(false);
    expect((await verify(signature)).body).toMatchObject({
      code: 'payment_credited',
      credit: { reason: 'moved_otherwise', baseUnits: String(PRICE) },
    });
    await finalize();
    expect((await useCredits(post)).status).toBe(200);
    // Without a memo the transfer can mean anything, so it cannot be claimed.
    await payer.approve(delegate.wallet, PRICE);
    const unnamed = await delegate.transfer({ from: payer.wallet.address });
    expect((await verify(unnamed)).body.code).toBe('payment_refused');
    expect(await api.context.featuring.payments.find(unnamed)).toBeNull();
  });

  it('takes back what the chain takes back, and applies it again when it is there again', async () => {
    const transaction = await payer.build(post);
    const signature = await payer.send(transaction);
    await solana.control.advance(1);
    expect((await verify(signature)).status).toBe(200);
    await solana.control.rollBack(signature);
    await solana.control.advance(70);
    await look();
    await look();
    expect((await read()).featured).toBe(false);
    expect((await api.context.featuring.payments.find(signature))?.state).toBe('dropped');
    expect((await verify(signature)).status).toBe(202);
    // The blockhash is still valid, so the payment can still land.
    await payer.send(transaction);
    await solana.control.advance(1);
    await look();
    expect((await read()).featured).toBe(true);
  });

  it('says after 151 blocks that a signature nobody has seen is no payment; one that lands later is applied all the same', async () => {
    const lost = payer.signatureOf(await payer.build(post));
    expect((await verify(lost)).status).toBe(202);
    await solana.control.advance(151);
    await makeDue();
    expect((await verify(lost)).body.code).toBe('payment_not_found');

    await solana.control.fault({ kind: 'hide-transactions', methods: ['getTransaction'] });
    const hidden = await payer.pay(post);
    expect((await verify(hidden)).status).toBe(202);
    await solana.control.advance(151);
    await solana.control.clearFaults();
    await look();
    expect((await read()).featured).toBe(true);
  });

  it('asks the node seldom about signatures that nobody has seen in time', async () => {
    const made = payer.signatureOf(await payer.build(post));
    expect((await verify(made)).status).toBe(202);
    await solana.control.advance(151);
    const { reports } = api.context.featuring.payments;
    await reports.updateMany({ signature: made }, { $set: { nextAt: new Date(0) } });
    await look();
    const [report] = await reports.find({ signature: made }).toArray();
    expect(report?.nextAt.getTime()).toBeGreaterThan(Date.now() + 1_800_000);
    expect((await verify(made)).body.code).toBe('payment_not_found');
  });

  it.each([
    ['HTML instead of JSON', { kind: 'html' }],
    ['a broken connection', { kind: 'drop' }],
    ['too many requests', { kind: 'status', status: 429 }],
    ['an error of its own', { kind: 'error', code: -32_005, message: 'behind' }],
    ['a stale node', { kind: 'lag', slots: 100 }],
  ] as const)('a node with %s loses nothing', async (_, fault) => {
    const signature = await payer.pay(post);
    await solana.control.fault(fault);
    expect((await verify(signature)).status).toBe(202);
    await look()?.catch(() => {});
    await solana.control.clearFaults();
    await makeDue();
    await look();
    expect((await read()).featured).toBe(true);
  });

  it('refuses what is malformed before it asks anybody', async () => {
    const signature = await payer.pay(post);
    for (const transaction of [
      '',
      'x',
      signature.slice(44),
      signature + signature,
      7,
      null,
      { $ne: null },
      '0'.repeat(88),
    ]) {
      expect((await verify(transaction as string)).status).toBe(400);
    }
    expect((await verify(signature, { $ne: null } as never)).status).toBe(400);
    expect((await verify(signature, 'nobody')).status).toBe(404);
    expect((await verify(signature, post, 'x')).status).toBe(401);
    expect((await useCredits('nobody')).status).toBe(404);
    expect((await useCredits(post, 'x')).status).toBe(401);
    expect((await read()).featured).toBe(false);
  });

  it('takes the lowest price of the while that it honours, which is longer than a page shows one', async () => {
    const { database } = api.context;
    const { prices } = api.context.featuring;
    const mint = payer.wallet.address;
    const now = database.clock.now().getTime();
    expect(PRICE_HONOURED_MS).toBeGreaterThan(OFFER_KEPT_MS + 60_000);
    await prices.record(mint, 900_000n, new Date(now - 2 * PRICE_HONOURED_MS));
    await prices.record(mint, PRICE, new Date(now));
    expect(await prices.lowestAt(mint, new Date(now + PRICE_HONOURED_MS - 1))).toBe(900_000n);
    // A lower price that begins later does not apply yet.
    await prices.record('lowered later', PRICE, new Date(now));
    await prices.record('lowered later', 100n, new Date(now + 2 * PRICE_HONOURED_MS));
    expect(await prices.lowestAt('lowered later', new Date(now + PRICE_HONOURED_MS))).toBe(PRICE);
    await database.db.collection('feature_prices').deleteMany({ mint: 'lowered later' });
    expect(await prices.lowestAt('another', new Date(now))).toBeNull();
  });

  it('takes of credits the lowest price of the while that it honours, and after it the one in force', async () => {
    expect((await verify(await payer.pay(post))).status).toBe(200);
    expect((await verify(await payer.pay(post, 3n * PRICE))).status).toBe(409);
    await finalize();
    const kept = api.context.database.db.collection('feature_prices');
    const before = await kept.find().toArray();
    const now = api.context.database.clock.now().getTime();
    const minute = 60_000;
    const ago = 2 * PRICE_HONOURED_MS;
    const held = async () =>
      (await credits())
        .filter(({ usedOn }: { usedOn: string | null }) => usedOn === null)
        .reduce((sum: bigint, { baseUnits }: { baseUnits: string }) => sum + BigInt(baseUnits), 0n);
    type Case = [name: string, prices: [baseUnits: bigint, ago: number][], spent: bigint];
    const cases: Case[] = [
      ['set below the settings', [[PRICE / 4n, ago]], PRICE / 4n],
      ['set above the settings', [[PRICE + 1n, ago]], PRICE + 1n],
      [
        'raised a moment ago',
        [
          [PRICE / 4n, ago],
          [9n * PRICE, minute],
        ],
        PRICE / 4n,
      ],
      [
        'lowered a moment ago',
        [
          [9n * PRICE, ago],
          [PRICE / 4n, minute],
        ],
        PRICE / 4n,
      ],
      [
        'raised longer ago than is honoured',
        [
          [PRICE / 4n, ago],
          [9n * PRICE, PRICE_HONOURED_MS + minute],
        ],
        0n,
      ],
    ];
    for (const [name, prices, expected] of cases) {
      await kept.deleteMany({});
      const set = prices.map(([baseUnits, since]) => ({ baseUnits: String(baseUnits), from: new Date(now - since) }));
      await kept.insertMany(set.map((price) => ({ mint: solana.mint, isSet: true, ...price })));
      const had = await held();
      const { status, body } = await useCredits(await addPost());
      const outcome = status === 200 ? 'featured' : body.code;
      const due = expected > 0n ? 'featured' : 'not_enough_credit';
      expect([name, outcome, had - (await held())]).toEqual([name, due, expected]);
    }
    await kept.deleteMany({});
    await kept.insertMany(before);
  });

  it('takes a price of the settings that has changed, and not over one that operators have set', async () => {
    const { prices } = api.context.featuring;
    const mint = new TestWallet().address;
    let at = api.context.database.clock.now().getTime();
    const next = () => new Date(++at);
    const told = async () => {
      const { baseUnits, isSet = false } = (await prices.inForce(mint)) ?? {};
      return [baseUnits, isSet];
    };
    expect(await told()).toEqual([undefined, false]);
    const steps: [change: () => Promise<void>, inForce: unknown[]][] = [
      [() => prices.record(mint, 5n, next()), ['5', false]],
      [() => prices.record(mint, 7n, next()), ['7', false]],
      [() => prices.set(mint, 9n, { isSet: true, now: next() }), ['9', true]],
      [() => prices.record(mint, 8n, next()), ['9', true]],
      [() => prices.set(mint, 8n, { isSet: false, now: next() }), ['8', false]],
      [() => prices.record(mint, 3n, next()), ['3', false]],
    ];
    for (const [change, inForce] of steps) {
      await change();
      expect(await told()).toEqual(inForce);
    }
    const kept = api.context.database.db.collection('feature_prices');
    await prices.record(mint, 3n, next());
    expect(await kept.countDocuments({ mint })).toBe(5);
    await kept.deleteMany({ mint });
  });

  it('a use of credits left half-way is brought to its end', async () => {
    await verify(await payer.pay(post));
    const spent = await payer.pay(post);
    await verify(spent);
    await finalize();
    const target = await api.context.posts.store.find(await addPost());
    const { payments } = api.context.featuring;
    const use = {
      _id: 'use:left',
      wallet: payer.wallet.address,
      post: target?._id as never,
      price: '1000000',
      credits: [spent],
      changedAt: new Date(0),
    };
    // A recent use is left to the process that made it.
    const now = api.context.database.clock.now();
    for (const state of ['claiming', 'applying'] as const) {
      await payments.uses.insertOne({ ...use, state, changedAt: now });
      await payments.payments.updateOne({ _id: spent }, { $set: { use: use._id } });
      await look();
      expect([state, (await credits())[0]]).toMatchObject([state, { usedOn: null, usable: false }]);
      await payments.uses.deleteOne({ _id: use._id });
    }
    await payments.uses.insertOne({ ...use, state: 'claiming' });
    await payments.payments.updateOne({ _id: spent }, { $set: { use: use._id } });
    await look();
    expect((await credits())[0]).toMatchObject({ usedOn: null, usable: true });
    await payments.uses.updateOne({ _id: use._id }, { $set: { state: 'applying', changedAt: new Date(0) } });
    await payments.payments.updateOne({ _id: spent }, { $set: { use: use._id } });
    await look();
    expect((await credits())[0]).toMatchObject({ usedOn: target?._id.toHexString(), usable: false });
    expect((await read(target?._id.toHexString())).featured).toBe(true);
  });

  it('gives free what was claimed for a use after that had been given back', async () => {
    await verify(await payer.pay(post));
    const credit = await payer.pay(post);
    await verify(credit);
    await finalize();
    const { payments } = api.context.featuring;
    const use = {
      _id: 'use:late',
      wallet: payer.wallet.address,
      post: new ObjectId(await addPost()),
      price: '1000000',
      credits: [credit],
      state: 'released' as const,
      changedAt: new Date(0),
    };
    await payments.uses.insertOne(use);
    await payments.payments.updateOne({ _id: credit }, { $set: { use: use._id } });
    await look();
    expect(await credits()).toMatchObject([{ usable: true }]);
    // A use that was given back features nothing, although its post is free again.
    expect(await completeUse(api.context, use)).toBe(false);
    expect((await read(use.post.toHexString())).featured).toBe(false);
  });

  it('lists what a wallet has paid for, the latest first, with what became of it', async () => {
    const { featuring, posts } = api.context;
    const { payments } = featuring.payments;
    const paid = async () =>
      (await request(api.app).get('/amber/feature/payments').set('Authorization', `Bearer ${token}`)).body
        .data as PaidPost[];
    const told = async () =>
      (await paid()).map(({ archiveId, state, content }) => [archiveId, state, content !== null]);
    const ids = [post, await addPost(), await addPost(), await addPost()];
    const [kept = '', ended = '', removed = '', usedOn = ''] = ids;
    const signatures: string[] = [];
    for (const id of [kept, ended, removed]) {
      signatures.push(await payer.pay(id));
      expect((await verify(signatures.at(-1) as string, id)).status).toBe(200);
    }
    const credit = await payer.pay(kept);
    expect((await verify(credit, kept)).status).toBe(409);
    await posts.store.setFeatured(new ObjectId(ended), false);
    await posts.store.remove(new ObjectId(removed));
    const rest = [
      [removed, 'removed', false],
      [ended, 'ended', true],
      [kept, 'featured', true],
    ];
    expect(await told()).toEqual([[kept, 'credit', true], ...rest]);
    await finalize();
    expect((await useCredits(usedOn)).status).toBe(200);
    expect(await told()).toEqual([[usedOn, 'featured', true], ...rest]);
    const change = { _id: signatures[0] as string };
    for (const [state, first] of [
      ['confirmed', [[kept, 'pending', true]]],
      ['dropped', []],
    ] as const) {
      await payments.updateOne(change, { $set: { state } });
      expect(await told()).toEqual([[usedOn, 'featured', true], ...rest.slice(0, 2), ...first]);
    }
    await payments.updateOne(change, { $set: { state: 'finalized' } });
  });

  it('never both features a post and stays a credit, whichever process comes late', async () => {
    await verify(await payer.pay(post));
    const late = await payer.pay(post);
    expect((await verify(late)).body.code).toBe('payment_credited');
    await api.context.posts.store.setFeatured((await api.context.posts.store.find(post))?._id as never, false);
    const credit = await api.context.featuring.payments.find(late);
    await applyPayment(api.context, { ...(credit as PaymentDocument), state: 'confirmed' });
    expect([(await read()).featured, (await api.context.featuring.payments.find(late))?.state]).toEqual([
      false,
      'credit',
    ]);
  });

  it('does not begin again what the team has ended', async () => {
    const signature = await payer.pay(post);
    await verify(signature);
    await api.context.posts.store.setFeatured((await api.context.posts.store.find(post))?._id as never, false);
    await api.context.featuring.payments.payments.updateOne({ _id: signature }, { $set: { state: 'confirmed' } });
    await look();
    expect([(await read()).featured, (await api.context.featuring.payments.find(signature))?.state]).toEqual([
      false,
      'applied',
    ]);
  });

  it('says of a credit that was spent that it was used, and of the post it was spent on that it is featured', async () => {
    await verify(await payer.pay(post));
    const spent = await payer.pay(post);
    expect((await verify(spent)).body.code).toBe('payment_credited');
    await finalize();
    const second = await addPost();
    expect((await useCredits(second)).status).toBe(200);
    expect((await verify(spent)).body.code).toBe('payment_used');
    expect((await verify(spent, await addPost())).body.code).toBe('payment_used');
    const there = await verify(spent, second);
    expect([there.status, there.body.archive?._id]).toEqual([200, second]);
  });

  it('features nothing for whoever asks to spend credits on what another has featured by credits', async () => {
    await verify(await payer.pay(post));
    await verify(await payer.pay(post));
    await finalize();
    const second = await addPost();
    expect((await useCredits(second)).status).toBe(200);
    const other = (await new TestWallet().signIn(api)).token;
    expect((await useCredits(second, other)).body.code).toBe('already_featured');
  });

  it.each([
    ['the smallest one that is enough', [3_000_000n, 1_200_000n, 900_000n, 10_000_000n], [1_200_000n]],
    ['one that is enough before several', [500_000n, 500_000n, 20_000_000n], [20_000_000n]],
    ['the fewest of several, the largest first', [100_000n, 200_000n, 300_000n, 900_000n], [300_000n, 900_000n]],
  ])('takes of credits %s', async (_, paid, taken) => {
    const listed = async () => (await credits()) as { baseUnits: string; reason: string; usedOn: string | null }[];
    await verify(await payer.pay(post));
    for (const baseUnits of paid) expect((await verify(await payer.pay(post, baseUnits))).body.success).toBe(undefined);
    await finalize();
    expect((await useCredits(await addPost())).status).toBe(200);
    const used = (await listed()).filter(({ usedOn }) => usedOn !== null);
    expect(used.map(({ baseUnits }) => BigInt(baseUnits)).sort()).toEqual(taken);
    // The remainder is a credit like any other.
    const change = (await listed()).filter(({ reason }) => reason === 'change');
    const left = taken.reduce((sum, one) => sum + one, -PRICE);
    expect(change).toMatchObject([{ baseUnits: String(left), usable: true, usedOn: null }]);
  });

  it('tells of a credit, and once it is used of the post, the latest first and nothing of what is left over', async () => {
    const told = async () =>
      (
        (await request(api.app).get('/amber/notices').set('Authorization', `Bearer ${token}`)).body.data as Notice[]
      ).map(({ kind, post: about, reason }) => [kind, about?._id ?? null, reason]);
    const { payments } = api.context.featuring.payments;
    await verify(await payer.pay(post));
    const credit = await payer.pay(post, PRICE + 5n);
    await verify(credit);
    expect(await told()).toEqual([
      ['credit', post, 'already_featured'],
      ['featured', post, null],
    ]);
    for (const state of ['confirmed', 'dropped'] as const) {
      await payments.updateOne({ _id: credit }, { $set: { state } });
      expect(await told()).toEqual([['featured', post, null]]);
    }
    await payments.updateOne({ _id: credit }, { $set: { state: 'credit' } });
    await finalize();
    const second = await addPost();
    expect((await useCredits(second)).status).toBe(200);
    expect((await credits()).map(({ reason }: { reason: string }) => reason)).toContain('change');
    expect(await told()).toEqual([
      ['featured', second, null],
      ['featured', post, null],
    ]);
  });

  it('answers a repeated use of credits as it did the first time', async () => {
    await verify(await payer.pay(post));
    await verify(await payer.pay(post));
    await finalize();
    const second = await addPost();
    const first = await useCredits(second);
    expect(first.status).toBe(200);
    expect(await useCredits(second)).toMatchObject({ status: 200, body: first.body });
  });

  it('looks at what the watcher has found before what anybody says', async () => {
    const { database } = api.context;
    const { payments } = api.context.featuring;
    const reportedAt = new Date(0);
    const made = payer.signatureOf(await payer.build(post));
    await payments.report({ signature: made, wallet: 'anybody', network: null, post: null, height: 1, reportedAt });
    await payments.report({
      signature: made,
      wallet: null,
      network: null,
      post: null,
      height: null,
      reportedAt: new Date(1),
    });
    const due = await payments.dueReports(database.clock.now());
    expect(due.findIndex(({ wallet }) => wallet === null)).toBe(0);
    await payments.forget(made);
  });

  describe('nodes that do not agree', () => {
    it('a payment is gone only when every node says so', async () => {
      const signature = await payer.pay(post);
      await solana.control.advance(70);
      const never = payer.signatureOf(await payer.build(post));
      const both = new Chain([solana.rpcUrl, 'http://127.0.0.1:9'], 500);
      const [row] = (await api.context.chain?.statusesOf([signature])) ?? [];
      await expect(both.isAbsent({ signature: never, slot: row?.slot ?? 0 })).rejects.toThrow('getEpochInfo failed');
      const one = new Chain([solana.rpcUrl]);
      expect(await one.isAbsent({ signature: never, slot: row?.slot ?? 0 })).toBe(true);
      expect(await one.isAbsent({ signature, slot: row?.slot ?? 0 })).toBe(false);
      // The finalized chain has not passed that slot yet.
      expect(await one.isAbsent({ signature: never, slot: (row?.slot ?? 0) + 60 })).toBe(false);
    });

    it('of several machines behind one address one that lags never says that a payment is gone', async () => {
      const signature = await payer.pay(post);
      const [row] = (await api.context.chain?.statusesOf([signature])) ?? [];
      await solana.control.advance(90);
      const methods = ['getTransaction', 'getSignatureStatuses'];
      await solana.control.fault({ kind: 'lag', slots: 120, methods });
      expect(await new Chain([solana.rpcUrl]).isAbsent({ signature, slot: row?.slot ?? 0 })).toBe(false);
      await solana.control.clearFaults();
    });

    it('reads a whole history from a node that gives short pages', async () => {
      const short = createServer(async (incoming, outgoing) => {
        const call = JSON.parse(await text(incoming));
        if (call.method === 'getSignaturesForAddress') call.params[1].limit = 2;
        const answer = await fetch(solana.rpcUrl, {
          method: 'POST',
          body: JSON.stringify(call),
          headers: { 'content-type': 'application/json' },
        });
        outgoing.end(await answer.text());
      }).listen(0);
      const { port } = short.address() as AddressInfo;
      const rowsOf = async (url: string) => {
        const rows = [];
        for await (const page of new Chain([url]).historyOf(payer.terms.receiverAccount, null)) rows.push(...page);
        return rows.map(({ signature }) => signature);
      };
      await payer.pay(post);
      const all = await rowsOf(solana.rpcUrl);
      expect(all.length).toBeGreaterThan(5);
      expect(await rowsOf(`http://127.0.0.1:${port}`)).toEqual(all);
      short.close();
    });

    it('one that is away keeps nothing closed', async () => {
      const other = await startTestApi({
        env: { ...featureEnv(solana), SOLANA_RPC_FALLBACK_URL: 'http://127.0.0.1:9' },
        start: false,
      });
      expect((await request(other.app).get('/feature/wallet')).body.enabled).toBe(true);
      await other.close();
    });
  });

  describe('the check of payments', () => {
    const check = () => {
      const { posts, featuring, chain, database } = api.context;
      const { payments } = featuring;
      // An hour later, so that no payment counts as unfinished.
      return checkPayments({
        posts: posts.store,
        payments,
        chain,
        now: new Date(database.clock.now().getTime() + 3_600_000),
      });
    };

    it('finds nothing after all that', async () => {
      await solana.control.advance(70);
      await look();
      await look();
      const { payments, onChain, differences } = await check();
      expect(differences).toEqual([]);
      expect(payments).toBeGreaterThan(20);
      expect(onChain).toBeGreaterThan(20);
    });

    it('finds each way in which payments can be wrong', async () => {
      const signature = await payer.pay(post);
      await verify(signature);
      const { payments } = api.context.featuring;
      const posts = api.context.database.db.collection('posts');
      const kept = await payments.find(signature);
      const set = (change: object) => payments.payments.updateOne({ _id: signature }, { $set: change });

      await payments.payments.deleteOne({ _id: signature });
      expect((await check()).differences).toEqual([
        `post ${post} is featured without a payment (${signature})`,
        `payment ${signature} is on the chain and is not kept`,
      ]);
      await payments.payments.insertOne(kept as never);
      await set({ baseUnits: '5' });
      expect((await check()).differences).toEqual([
        `payment ${signature} is kept with another amount or payer than on the chain`,
      ]);
      await set({ baseUnits: kept?.baseUnits, state: 'confirmed' });
      expect((await check()).differences).toEqual([`payment ${signature} was left half-way`]);
      await set({ state: 'applied' });
      await posts.updateOne({ id: `paid-${serial}` }, { $set: { featuredPayment: 'another' } });
      expect((await check()).differences).toEqual([
        `post ${post} is featured without a payment (another)`,
        `payment ${signature} was applied and does not feature post ${post}`,
      ]);
      await posts.updateOne({ id: `paid-${serial}` }, { $set: { featuredPayment: signature } });
      const never = payer.signatureOf(await payer.build(post));
      await payments.payments.insertOne({ ...kept, _id: never, state: 'credit', post: null } as never);
      expect((await check()).differences).toEqual([`payment ${never} is kept as credit and is not on the chain`]);
      await payments.payments.deleteOne({ _id: never });
      expect((await check()).differences).toEqual([]);
    });

    it('knows that the team may end what was paid for', async () => {
      await verify(await payer.pay(post));
      await api.context.posts.store.setFeatured((await api.context.posts.store.find(post))?._id as never, false);
      expect((await read()).featured).toBe(false);
      expect((await check()).differences).toEqual([]);
    });
  });
});

describe('an offer that does not check out', () => {
  it('tells the decimals of a token that was ever paid in, also while no node answers', async () => {
    const solana = await openLocalSolana({ slotMs: 0 });
    const api = await startTestApi({
      env: { ...featureEnv(solana), SOLANA_RPC_URL: 'http://127.0.0.1:9' },
      start: false,
    });
    const { mint, featureWallet: receiver } = solana;
    const told = async () => (await request(api.app).get('/feature/wallet')).body;
    expect(await told()).toMatchObject({ enabled: false, decimals: 6 });
    await api.context.featuring.payments.keepReceiver({
      mint,
      decimals: 9,
      tokenProgram: 'program',
      receiver,
      receiverAccount: 'account',
    });
    expect(await told()).toMatchObject({ enabled: false, decimals: 9 });
    await api.close();
    await solana.close();
  });

  it('is closed: nobody can pay, and the reason is in the log', async () => {
    const solana = await openLocalSolana({ slotMs: 0 });
    const env = featureEnv(solana);
    const wrong = [
      [{ ...env, FEATURE_MINT: solana.featureWallet }, 'UnsupportedMintError'],
      [{ ...env, FEATURE_PRICE: '0.0000001' }, 'InvalidPriceError'],
      [{ ...env, SOLANA_RPC_URL: 'http://127.0.0.1:9' }, 'ChainUnavailableError'],
      [{ FEATURE_WALLET: env['FEATURE_WALLET'] as string, FEATURE_MINT: env['FEATURE_MINT'] as string }, undefined],
    ] as const;
    for (const [settings, reason] of wrong) {
      const { log, lines } = recordedLog();
      const api = await startTestApi({ env: settings, start: false, overrides: { log } });
      expect((await request(api.app).get('/feature/wallet')).body).toMatchObject({ enabled: false });
      const { token } = await new TestWallet().signIn(api);
      const answer = await request(api.app)
        .post('/feature/verify')
        .set('Authorization', `Bearer ${token}`)
        .send({ amberId: 'x', transaction: '1'.repeat(64) });
      expect([answer.status, answer.body.code]).toEqual([503, 'featuring_unavailable']);
      const told = (msg: string) => lines.filter((line) => line.msg === msg).map(({ err }) => err?.type);
      // Without a reason the node is away: the API retries and does not close featuring.
      expect(new Set(told('featuring is closed'))).toEqual(new Set(reason ? [reason] : []));
      expect(told('refused')).toEqual([reason]);
      await api.close();
    }
    await solana.close();
  });
});
