import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type LocalSolana, openLocalSolana } from '@archive/local-solana';
import { call, featureEnv, Launcher, Payer } from '@archive/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { ArchiveState } from '../src/db/archive-state.ts';
import { ledgerFolder } from '../src/ledger/ledger.ts';
import { readLedger } from '../src/ledger/read-ledger.ts';
import { addPost, startLaunchApi } from './_launch-api.ts';
import type { TestApi } from './_test-api.ts';

const OPEN_MS = 15_000;

describe('launches and payments, the ledger and a restore', () => {
  let solana: LocalSolana;
  let api: TestApi;
  let payer: Payer;
  let launcher: Launcher;
  let token: string;

  beforeAll(async () => {
    solana = await openLocalSolana({ slotMs: 0 });
    api = await startLaunchApi(solana, { env: featureEnv(solana) });
    payer = await Payer.open(solana);
    launcher = await Launcher.open(api);
    token = (await payer.wallet.signIn(api)).token;
  });

  afterAll(async () => {
    await api.close();
    await solana.close();
  });

  const folder = () => ledgerFolder(api.context.config.dataDir);
  const entries = async () => (await readLedger(folder()))?.entries ?? [];

  /** As where nothing can be written. */
  async function withoutLedger<T>(work: () => Promise<T>): Promise<T> {
    rmSync(folder(), { recursive: true });
    writeFileSync(folder(), '');
    try {
      return await work();
    } finally {
      rmSync(folder());
    }
  }

  it('launches nothing that the ledger does not have, and the post stays free', async () => {
    const { post } = await addPost(api);
    const refused = await withoutLedger(() => launcher.launch({ amberId: post }));
    expect([refused.status, refused.body.code]).toEqual([503, 'ledger_unavailable']);
    expect(await api.context.launches.store.find(new ObjectId(post))).toMatchObject({
      state: 'failed',
      // Named, so that no other attempt has its token; what could be sent is kept nowhere.
      transaction: expect.any(String),
      signedTransaction: null,
    });
    expect((await launcher.launch({ amberId: post })).status).toBe(202);
    const [kept] = await entries();
    const launch = await api.context.launches.store.find(new ObjectId(post));
    expect(kept).toMatchObject({
      kind: 'launch',
      launch: { mint: launch?.mint, transaction: launch?.transaction, state: 'signed' },
      post: { _id: launch?._id },
    });
  });

  it('keeps no payment that the ledger does not have, and keeps it once it can', async () => {
    const { post } = await addPost(api);
    const signature = await payer.pay(post);
    const refused = await withoutLedger(() => payer.verify(api, token, post, signature));
    expect([refused.status, refused.body.code]).toEqual([503, 'ledger_unavailable']);
    expect(await api.context.featuring.payments.find(signature)).toBeNull();
    expect((await payer.verify(api, token, post, signature)).status).toBe(200);
    expect((await entries()).at(-1)).toMatchObject({
      kind: 'payment',
      payment: { _id: signature, state: 'confirmed' },
    });
  });

  it('opens neither after a restore before the chain has told what happened since', async () => {
    const [{ post: launched }, { post: paid }] = [await addPost(api), await addPost(api)];
    expect((await launcher.launch({ amberId: launched })).status).toBe(202);
    const signature = await payer.pay(paid);
    await new ArchiveState(api.context.database.db).finishRestore();
    const { databaseName } = api.context.database.db;
    const restored = await startLaunchApi(solana, { env: featureEnv(solana), overrides: { databaseName } });
    try {
      const { featuring, launches } = restored.context;
      const again = await Launcher.open(restored);
      const { post } = await addPost(restored);
      expect((await again.launch({ amberId: post })).body.code).toBe('launching_unavailable');
      const other = (await payer.wallet.signIn(restored)).token;
      expect((await payer.verify(restored, other, paid, signature)).body.code).toBe('featuring_unavailable');
      expect((await call(restored, 'GET', '/amber/feature/wallet')).body.enabled).toBe(false);
      await solana.control.advance(1);
      await Promise.all([featuring.watcher?.look(), launches.watcher?.look()]);
      for (const deadline = Date.now() + OPEN_MS; Date.now() < deadline; await delay(50)) {
        if (featuring.offer.current && launches.offer.current) break;
      }
      expect((await featuring.payments.find(signature))?.state).toBe('applied');
      expect((await payer.verify(restored, other, paid, signature)).status).toBe(200);
      expect((await again.launch({ amberId: launched })).status).toBe(409);
      expect((await again.launch({ amberId: post })).status).toBe(202);
    } finally {
      await restored.close({ keepDatabase: true });
    }
  });
});
