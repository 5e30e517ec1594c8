import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalSolana, openLocalSolana } from '@archive/local-solana';
import { call, featureEnv, Launcher, Payer } from '@archive/testing';
import { until } from '@archive/tiers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BSON, ObjectId } from 'mongodb';
import { restoreBackup } from '../src/backup/restore-backup.ts';
import { writeBackup } from '../src/backup/write-backup.ts';
import { ArchiveState } from '../src/db/archive-state.ts';
import { ledgerFolder } from '../src/ledger/ledger.ts';
import type { KeptEntry } from '../src/ledger/ledger-entry.ts';
import { readLedger } from '../src/ledger/read-ledger.ts';
import { addPost, startLaunchApi } from './_launch-api.ts';
import { openRestoreTarget, type RestoreTarget } from './_restore-target.ts';
import { newPost, type TestApi } from './_test-api.ts';

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

  /** Runs `work` while the ledger cannot be written. */
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
      // The transaction is recorded, so that no other attempt uses its token. The signed bytes are not stored.
      transaction: expect.any(String),
      signedTransaction: null,
    });
    expect((await launcher.launch({ amberId: post })).status).toBe(202);
    const [kept] = await entries();
    const launch = await api.context.launches.store.find(new ObjectId(post));
    expect(kept).toMatchObject({
      kind: 'launch-signed',
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
      await until(() => featuring.offer.current && launches.offer.current);
      expect((await featuring.payments.find(signature))?.state).toBe('applied');
      expect((await payer.verify(restored, other, paid, signature)).status).toBe(200);
      expect((await again.launch({ amberId: launched })).status).toBe(409);
      expect((await again.launch({ amberId: post })).status).toBe(202);
    } finally {
      await restored.close({ keepDatabase: true });
    }
  });

  describe('a restore puts back what was launched since, without a word of a post in the ledger', () => {
    const WORDS = 'Words that a token says of its post.';
    let folderOfBackups: string;
    let restoring: RestoreTarget;
    let restored: TestApi | undefined;

    beforeEach(async () => {
      folderOfBackups = mkdtempSync(join(tmpdir(), 'backups-'));
      restoring = await openRestoreTarget(folderOfBackups);
    });

    afterEach(async () => {
      await restored?.close({ keepDatabase: true });
      restored = undefined;
      await restoring.close();
      rmSync(folderOfBackups, { recursive: true, force: true });
    });

    const sentAs = (id: string, content: string) => newPost({ id, content });
    const save = async (on: TestApi, post: Record<string, unknown>) => {
      await on.add(post);
      return (await on.context.posts.store.find(String(post['id'])))?._id.toHexString() as string;
    };
    const launch = async (post: string) => {
      const { mint } = (await launcher.launch({ amberId: post })).body;
      await solana.control.advance(1);
      expect((await launcher.launch({ amberId: post })).status).toBe(201);
      return mint as string;
    };
    const backUp = async () => {
      const file = join(folderOfBackups, 'backup');
      await writeBackup(api.context.database, file);
      return file;
    };

    /** Restores a backup with these ledger entries, and starts an API with the same launch key. */
    async function restore(from: string, kept: readonly KeptEntry[]): Promise<TestApi> {
      const { target, ledger, audit } = restoring;
      await restoreBackup({ database: target, ledger, audit }, from, {
        entries: [...kept],
        files: [],
        torn: [],
        mayLack: true,
      });
      const key = readFileSync(join(api.context.config.dataDir, 'launch-keypair.json'), 'utf8');
      restored = await startLaunchApi(solana, {
        env: { LAUNCH_KEYPAIR: key },
        overrides: { databaseName: target.db.databaseName },
      });
      const { launches } = restored.context;
      await launches.watcher?.look();
      await until(async () => launches.offer.current);
      return restored;
    }
    const metadataOf = async (on: TestApi, mint: string) =>
      (await call(on, 'GET', `/amber/token/${mint}/metadata.json`)).body;
    const post = async (on: TestApi, id: string) => (await call(on, 'GET', `/amber/archives/${id}`)).body;

    it('of a post that the backup has, with its mark and its words', async () => {
      const before = (await entries()).length;
      const id = await save(api, sentAs('launched-after', `${WORDS} 1`));
      const from = await backUp();
      const mint = await launch(id);
      const said = await metadataOf(api, mint);
      expect(said.description).toContain(WORDS);
      const kept = (await entries()).slice(before);
      expect(BSON.EJSON.stringify(kept)).not.toContain(WORDS);
      const on = await restore(from, kept);
      expect((await post(on, id)).launched).toBe(true);
      expect(await metadataOf(on, mint)).toEqual(said);
      expect((await (await Launcher.open(on)).launch({ amberId: id, name: 'Second' })).status).toBe(409);
    });

    it('of a post that the backup lacks: saved again it has its id, its mark and its words', async () => {
      const before = (await entries()).length;
      const from = await backUp();
      const sent = sentAs('saved-and-launched-after', `${WORDS} 2`);
      const id = await save(api, sent);
      const mint = await launch(id);
      const said = await metadataOf(api, mint);
      const on = await restore(from, (await entries()).slice(before));
      expect((await call(on, 'GET', `/amber/archives/${id}`)).status).toBe(404);
      expect(await metadataOf(on, mint)).toEqual({ ...said, description: '' });
      expect(await save(on, sent)).toBe(id);
      await on.context.launches.watcher?.look();
      expect((await post(on, id)).launched).toBe(true);
      expect(await metadataOf(on, mint)).toEqual(said);
      expect((await (await Launcher.open(on)).launch({ amberId: id, name: 'Second' })).status).toBe(409);
    });

    it('and gives it to no other words that an agent sends under its id, from which nothing is launched either', async () => {
      const before = (await entries()).length;
      const from = await backUp();
      const sent = sentAs('claimed-after', `${WORDS} 3`);
      const id = await save(api, sent);
      const mint = await launch(id);
      const on = await restore(from, (await entries()).slice(before));
      const other = await save(on, { ...sent, content: 'What its author never said.' });
      expect(other).not.toBe(id);
      await on.context.launches.watcher?.look();
      expect((await post(on, other)).launched).toBe(false);
      expect((await metadataOf(on, mint)).description).toBe('');
      const second = await (await Launcher.open(on)).launch({ amberId: other });
      expect([second.status, second.body.code]).toEqual([409, 'already_launched']);
    });

    it('and its words not, where it was removed since', async () => {
      const before = (await entries()).length;
      const id = await save(api, sentAs('removed-after', `${WORDS} 4`));
      const from = await backUp();
      const mint = await launch(id);
      await api.context.posts.store.remove(new ObjectId(id));
      const on = await restore(from, (await entries()).slice(before));
      await on.context.launches.watcher?.look();
      expect((await call(on, 'GET', `/amber/archives/${id}`)).status).toBe(410);
      expect((await metadataOf(on, mint)).description).toBe('');
      const { db } = restoring.target;
      const kept = [
        ...(await db.collection('launches').find().toArray()),
        ...(await db.collection('posts').find().toArray()),
      ];
      expect(JSON.stringify(kept)).not.toContain(`${WORDS} 4`);
    });

    it('and all of a post, where the version before has written it down', async () => {
      const from = await backUp();
      const id = await save(api, sentAs('of-before', `${WORDS} 5`));
      const mint = await launch(id);
      const document = await api.context.posts.store.find(id);
      const kept = await api.context.launches.store.find(new ObjectId(id));
      const line = { launch: { ...kept, state: 'signed', shown: false }, post: { ...document, launched: false } };
      const on = await restore(from, [{ kind: 'launch', ...line, at: new Date() }]);
      expect(await post(on, id)).toMatchObject({ content: `${WORDS} 5`, launched: true });
      expect((await metadataOf(on, mint)).description).toBe(`${WORDS} 5`);
    });
  });
});
