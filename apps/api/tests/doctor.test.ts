import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalSolana, openLocalSolana } from '@archive/local-solana';
import { featureEnv, TestWallet } from '@archive/testing';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { examine, type Finding } from '../src/cli/doctor.ts';
import { readConfig } from '../src/config.ts';
import { DatabaseClock } from '../src/db/database.ts';
import { newPushKeys } from '../src/push-keys.ts';
import { startTestApi, type TestApi } from './_test-api.ts';

const SECRET = 'q8Zr3TnV5xLw0KpYb7HdJm2sUcEg9fAi';

describe('doctor', () => {
  let api: TestApi;
  let solana: LocalSolana;
  let folder: string;
  let uri: string;

  beforeAll(async () => {
    api = await startTestApi();
    solana = await openLocalSolana({ slotMs: 0 });
    folder = mkdtempSync(join(tmpdir(), 'doctor-'));
    const url = new URL(process.env['MONGODB_URI'] as string);
    url.pathname = `/${api.context.database.db.databaseName}`;
    uri = url.href;
  });

  afterAll(async () => {
    await api?.close();
    await solana?.close();
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true, force: true });
  });

  async function findings(env: Record<string, string> = {}, database: string | null = uri): Promise<Finding[]> {
    const config = readConfig({ MONGODB_URI: uri, DATA_DIR: folder, DISK_FLOOR: '0', PORT: '1', ...env });
    const found: Finding[] = [];
    for await (const one of examine(config, database)) found.push(one);
    return found;
  }
  const wrongs = async (...given: Parameters<typeof findings>) =>
    (await findings(...given)).filter(({ state }) => state === 'wrong').map(({ sentence }) => sentence);

  it('finds nothing wrong where all is right, and says what else could be set', async () => {
    const found = await findings();
    expect(found.filter(({ state }) => state === 'wrong')).toEqual([]);
    for (const { state, sentence, advice } of found) {
      expect(sentence).toMatch(/[.]$/);
      if (state !== 'right') expect(advice).toMatch(/[.]$/);
    }
  });

  it('says that the database is away, and looks at the rest all the same', async () => {
    const found = await wrongs({}, 'mongodb://127.0.0.1:9/nothing');
    expect(found).toEqual(['The database does not answer within five seconds.']);
  });

  it.each([
    [{ JWT_SECRET: 'abcabcabcabcabcabcabcabcabcabcabcabc' }, 'JWT_SECRET can be guessed'],
    [{ AUDIT_KEY: 'abcabcabcabcabcabcabcabcabcabcabcabc' }, 'AUDIT_KEY can be guessed'],
    [{ AUDIT_KEY: SECRET, JWT_SECRET: SECRET }, 'AUDIT_KEY is JWT_SECRET'],
    [{ PUBLIC_URL: 'http://archive.example' }, 'PUBLIC_URL is http at a public name'],
    [{ PUBLIC_URL: 'https://archive.example', TRUSTED_PROXIES: '0' }, 'TRUSTED_PROXIES is 0'],
    [{ TRUSTED_PROXIES: '2' }, 'whoever calls can claim any address'],
    [{ RATE_LIMITS: 'off' }, 'RATE_LIMITS is off'],
    [{ DISK_FLOOR: '999999' }, 'less than DISK_FLOOR'],
    [{ SOLANA_RPC_URL: 'http://127.0.0.1:9' }, 'No Solana node answers'],
    [{ BLUESKY_IDENTIFIER: 'a.example', BLUESKY_PASSWORD: 'hunter2' }, 'does not look like an app password'],
    [
      { X_API_KEY: 'a b', X_API_SECRET: SECRET, X_ACCESS_TOKEN: SECRET, X_ACCESS_SECRET: SECRET },
      'One of the four X_ credentials',
    ],
    [
      { S3_ENDPOINT: 'http://127.0.0.1:9', S3_BUCKET: 'media', S3_KEY: 'a', S3_SECRET: 'b' },
      'The byte store takes no file',
    ],
  ] as [Record<string, string>, string][])('finds what is wrong with %o', async (env, words) => {
    const found = await wrongs(env);
    expect(found.join(' ')).toContain(words);
    for (const secret of ['hunter2', SECRET, 'abcabc']) expect(found.join(' ')).not.toContain(secret);
  });

  it.each([
    ['ahead', 10_000, 0, ['This machine’s clock is 10.0 s off the database’s.']],
    ['behind', -10_000, 0, ['This machine’s clock is 10.0 s off the database’s.']],
    ['right, though its answer was 10 s on its way', 0, 10_000, []],
  ])('says of a database whose clock is %s whether this machine’s is off', async (_what, aheadMs, wayMs, expected) => {
    const now = Date.now();
    let passedMs = 0;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now + passedMs);
    const measured = jest.spyOn(DatabaseClock.prototype, 'measure').mockImplementation(async () => {
      const told = new Date(now + passedMs + aheadMs);
      passedMs += wayMs;
      return told;
    });
    try {
      expect((await wrongs()).filter((sentence) => sentence.includes('clock'))).toEqual(expected);
    } finally {
      measured.mockRestore();
      clock.mockRestore();
    }
  });

  it('says who may open /admin, and who can read the metrics', async () => {
    const notes = async (env: Record<string, string>) =>
      (await findings(env)).filter(({ state }) => state === 'note').map(({ sentence }) => sentence);
    expect(await notes({})).toEqual(
      expect.arrayContaining([
        expect.stringContaining('ADMIN_WALLETS names nobody'),
        'METRICS_PORT is not set, so no alarm can ring.',
      ]),
    );
    const wallet = new TestWallet().address;
    const told = await notes({ ADMIN_WALLETS: wallet, METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' });
    expect(told.filter((sentence) => /ADMIN|METRICS/.test(sentence))).toEqual([]);
    expect(told).toContain('Metrics are answered at 0.0.0.0, to whoever reaches it.');
    expect((await notes({ METRICS_PORT: '9464' })).join(' ')).not.toContain('Metrics');
  });

  it('reads the chain: its network, the token that is paid in, and what the launch key holds', async () => {
    const env = { ...featureEnv(solana), LAUNCH_BALANCE_FLOOR: '5' };
    const found = await findings(env);
    expect(found.map(({ sentence }) => sentence).join(' ')).toContain('The nodes serve localnet.');
    expect((await wrongs(env)).join(' ')).toMatch(
      /^The launch key \w+ holds 0 SOL, less than LAUNCH_BALANCE_FLOOR \(5\)\.$/,
    );
    expect((await wrongs({ ...env, LAUNCH_PLATFORM: 'off', FEATURE_MINT: solana.featureWallet })).join(' ')).toContain(
      'FEATURE_MINT is no token',
    );
    const keys = newPushKeys();
    const production = {
      ...env,
      LAUNCH_PLATFORM: 'off',
      NODE_ENV: 'production',
      AUDIT_KEY: 'mT7wXo2RzPq9KdLf4VbNs6YhGc1JuEa8',
      JWT_SECRET: SECRET,
      PUBLIC_URL: 'https://archive.example',
      TRUSTED_PROXIES: '1',
      VAPID_PUBLIC_KEY: keys.publicKey,
      VAPID_PRIVATE_KEY: keys.privateKey,
    };
    expect(await wrongs(production)).toEqual(['The nodes serve localnet, and this is production.']);
  });

  it('finds folders that cannot be written to', async () => {
    const own = join(folder, 'own');
    mkdirSync(own);
    writeFileSync(join(own, 'ledger'), 'in the way');
    expect((await wrongs({ DATA_DIR: own })).join(' ')).toMatch(/The ledger \(.*\) cannot be written to: E\w+\./);
    expect((await wrongs({ DATA_DIR: join(own, 'ledger', 'below') })).join(' ')).toContain('DATA_DIR (');
  });

  it('finds folders that keep what is removed: of media beside a bucket, of the index beside a cluster', async () => {
    const own = join(folder, 'moved');
    for (const name of ['media', 'index']) mkdirSync(join(own, name), { recursive: true });
    const notes = async (env: Record<string, string>) =>
      (await findings({ DATA_DIR: own, ...env }, null))
        .filter(({ state, sentence }) => state === 'note' && sentence.startsWith('The folder'))
        .map(({ sentence }) => sentence.slice(0, 19));
    expect(await notes({})).toEqual([]);
    const store = { S3_ENDPOINT: 'http://127.0.0.1:9', S3_BUCKET: 'media', S3_KEY: 'a', S3_SECRET: 'b' };
    expect(await notes(store)).toEqual(['The folder "media" ']);
    expect(await notes({ SEARCH_URL: 'http://127.0.0.1:9' })).toEqual(['The folder "index" ']);
    rmSync(join(own, 'media'), { recursive: true });
    expect(await notes(store)).toEqual([]);
  });

  it('finds that an index is missing, and that a proxy leads elsewhere', async () => {
    await api.context.database.db.collection('reactions').dropIndex('given');
    expect(await wrongs()).toEqual(['Of the database’s indexes 1 is missing, such as reactions.given.']);
    await api.context.database.db.collection('reactions').createIndex({ wallet: 1, createdAt: -1 }, { name: 'given' });
    const { port } = new URL(api.url);
    expect((await wrongs({ PORT: port, PUBLIC_URL: `${api.url}` })).join(' ')).toBe('');
    expect((await wrongs({ PORT: port, PUBLIC_URL: 'http://localhost:9' })).join(' ')).toContain('cannot be reached');
  });
});
