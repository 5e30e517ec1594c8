import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentSettings, type BlueskyNetwork, type LocalAccount, sharedBluesky } from '@archive/local-bluesky';
import { aPicture } from '@archive/testing/media';
import { until } from '@archive/tiers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Binary } from 'mongodb';
import pino from 'pino';
import { type Agent, createAgent } from '../src/agent.ts';
import { readBackupFile } from '../src/backup/backup-file.ts';
import { writeBackup } from '../src/backup/write-backup.ts';
import { readConfig } from '../src/config.ts';
import { ledgerFolder } from '../src/ledger/ledger.ts';
import type { CaptureDocument } from '../src/saves/capture-store.ts';
import { startTestApi, type TestApi } from './_test-api.ts';

describe('an author who has all that they wrote removed', () => {
  const databaseName = `test_${randomBytes(6).toString('hex')}`;
  const dataDir = mkdtempSync(join(tmpdir(), 'agent-'));
  let network: BlueskyNetwork;
  let keeper: LocalAccount;
  let api: TestApi;
  let agent: Agent;
  /** A word in each text of the author, and in no other text. */
  let words: string;
  let author: LocalAccount;
  let other: LocalAccount;

  beforeAll(async () => {
    network = await sharedBluesky();
    keeper = await network.createAccount({});
    const env = { ...agentSettings(network, keeper), DATA_DIR: dataDir };
    api = await startTestApi({ env, overrides: { databaseName } });
    const settings = { MONGODB_URI: process.env['MONGODB_URI'], ...env };
    agent = await createAgent(readConfig(settings), { databaseName, log: pino({ level: 'silent' }) });
    await agent.runUntilEmpty();
  });

  beforeEach(async () => {
    words = randomBytes(8).toString('hex');
    author = await network.createAccount({ displayName: `Name ${words}` });
    other = await network.createAccount({});
  });

  afterAll(async () => {
    await agent?.stop();
    await api?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const db = () => api.context.database.db;
  const captures = () => db().collection<CaptureDocument>('captures');

  /** Asks the agent for something and waits for the result. */
  async function ask(account: LocalAccount, text: string, post: Parameters<LocalAccount['post']>[0]['quote']) {
    const { uri } = await account.post({
      text: `@${keeper.handle} ${text}`,
      mentions: [keeper],
      ...(post && { quote: post }),
    });
    await until(async () => {
      await network.settled();
      await agent.runUntilEmpty();
      return db().collection('saves').findOne({ key: uri, state: 'answered', reply: 'sent' });
    });
  }

  /** Saves another author's thread in which this author occurs before, within and after it. */
  async function saveThread(): Promise<{ uri: string; cid: string }> {
    const own = await author.post({ text: `before it ${words}` });
    const quoted = await author.post({
      text: `quoted ${words}`,
      images: [{ bytes: await aPicture({ width: 40, height: 30 }), alt: `a picture ${words}` }],
    });
    const post = await other.post({ text: 'an answer', reply: { root: own, parent: own }, quote: quoted });
    await author.post({ text: `after it ${words}`, reply: { root: own, parent: post } });
    await other.post({ text: 'and more', reply: { root: own, parent: post } });
    await ask(other, 'save thread', post);
    return post;
  }

  /** Where the author's words occur: collections, a new backup, and the ledger. */
  async function found(): Promise<string[]> {
    const places: string[] = [];
    for (const { name } of await db().listCollections().toArray()) {
      for await (const document of db().collection(name).find({}, { raw: true })) {
        if (Buffer.from(document as unknown as Uint8Array).includes(words)) places.push(name);
      }
    }
    const backup = join(dataDir, `backup-${randomBytes(4).toString('hex')}`);
    await writeBackup(api.context.database, backup);
    for await (const { collection, documents } of readBackupFile(backup)) {
      if (Buffer.from(documents).includes(words)) places.push(`backup of ${collection}`);
    }
    const ledger = ledgerFolder(dataDir);
    for (const name of readdirSync(ledger)) {
      if (readFileSync(join(ledger, name)).includes(words)) places.push('ledger');
    }
    return [...new Set(places)].sort();
  }

  it('leaves no word of theirs in the database, its backups or the ledger, also beside posts of others', async () => {
    const post = await saveThread();
    expect(await found()).toEqual(expect.arrayContaining(['posts', 'backup of posts']));
    await ask(author, 'remove all', undefined);
    expect(await found()).toEqual([]);
    const kept = await captures().findOne({ address: post.uri });
    expect(JSON.parse(Buffer.from(kept?.own.buffer ?? []).toString())).toMatchObject({
      uri: post.uri,
      author: { did: other.did, handle: other.handle },
      record: { text: 'an answer', reply: {}, embed: {} },
    });
    expect(kept?.signed?.did).toBe(other.did);
  });

  it('leaves none in evidence that the version before has kept whole', async () => {
    const post = await saveThread();
    const params = { uri: post.uri, depth: 100, parentHeight: 100 };
    const answer = await other.call<object>('app.bsky.feed.getPostThread', { params });
    const raw = new Binary(Buffer.from(JSON.stringify(answer)));
    expect(raw.toString('utf8')).toContain(`before it ${words}`);
    const before = await captures().findOne({ address: post.uri });
    await captures().updateOne({ address: post.uri }, { $set: { raw }, $unset: { own: '' } });
    await ask(author, 'remove all', undefined);
    await until(async () => {
      await agent.runUntilEmpty();
      return (await captures().countDocuments({ raw: { $exists: true } })) === 0 ? true : null;
    });
    expect(await found()).toEqual([]);
    const after = await captures().findOne({ address: post.uri });
    const read = (one: typeof after) => JSON.parse(Buffer.from(one?.own.buffer ?? []).toString());
    expect(read(after)).toEqual(read(before));
    expect(after?.signed).toEqual(before?.signed);
  });
});
