import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { KEPT_DATA, REMOVED_WORDS } from '@archive/contracts';
import { TestWallet } from '@archive/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ensureIndexes } from '../src/db/indexes.ts';
import { EXPIRING } from '../src/db/sweep.ts';
import { RateLimits } from '../src/http/rate-limits.ts';
import { escapeText } from '../src/markup/clean-text.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';
import { makeWebDir } from './_web-dir.ts';

const told = KEPT_DATA.flatMap(({ data }) => data);

describe('what the page on privacy tells', () => {
  const webDir = makeWebDir();
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi({ env: { RATE_LIMITS: 'on', WEB_DIR: webDir } });
    await ensureIndexes(api.context.database.db);
  });

  afterAll(async () => {
    await api?.close();
    rmSync(webDir, { recursive: true });
  });

  it('names every collection of the database once, and none that is not there', async () => {
    const names = told.flatMap(({ collections }) => collections);
    const made = (await api.context.database.db.listCollections().toArray()).map(({ name }) => name);
    expect([...new Set([...made, ...namedInSources()])].sort()).toEqual([...names].sort());
  });

  it('can be read without scripts', async () => {
    const html = await (await fetch(`${api.url}/privacy`)).text();
    expect(html).toContain('<title>What is kept, and for how long, Amber</title>');
    const [, plain = ''] = /<noscript>(.*?)<\/noscript>/s.exec(html) ?? [];
    for (const { what } of told) expect(plain).toContain(escapeText(what));
    for (const { where, howLong } of REMOVED_WORDS)
      expect(plain).toContain(`<td>${escapeText(where)}</td><td>${escapeText(howLong)}</td>`);
  });

  it('tells of all that expires, and of nothing else, for how long', () => {
    const ending = told.filter(({ longestMs }) => longestMs !== undefined).flatMap(({ collections }) => collections);
    expect([...ending].sort()).toEqual(EXPIRING.map(([name]) => name).sort());
  });

  it('tells no shorter time than what is kept has', async () => {
    const wallet = new TestWallet();
    const { accounts, database, launches, notices } = api.context;
    await wallet.signedChallenge(api);
    await wallet.signIn(api);
    const post = newPost({ id: 'kept' });
    await api.add(post);
    const at = database.clock.now();
    await accounts.signedMessages.accept('text', 'about', at.getTime());
    const message = { title: 't', body: 'b', url: '/', tag: 't' };
    await notices.pushes.add([{ browser: 'b', wallet: wallet.address, notice: 'n', message }], at);
    await launches.store.spend([{ who: 'all', cap: 10 }], at);
    for (const budget of ['change', 'reaction'] as const)
      await new RateLimits({ db: database.db, isOn: true }).spend(budget, 'somebody', null);
    for (const [name, field] of EXPIRING) {
      const longestMs = told.find(({ collections }) => collections.includes(name))?.longestMs ?? 0;
      const kept = await database.db.collection(name).find({}).toArray();
      expect([name, kept.length]).not.toEqual([name, 0]);
      const left = Math.max(...kept.map((one) => (one[field] as Date).getTime())) - database.clock.now().getTime();
      expect([name, left > longestMs + 1_000]).toEqual([name, false]);
    }
  });
});

/** The collections that the product's code opens. */
function namedInSources(folder = join(__dirname, '../src')): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return namedInSources(path);
    if (!/(?<!\.test)\.ts$/.test(entry.name)) return [];
    return [...readFileSync(path, 'utf8').matchAll(/\bcollection(?:<[^'()]*>)?\('(\w+)'/g)].map(
      ([, name]) => name as string,
    );
  });
}
