import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArchivePage } from '@archive/contracts';
import { openSecureSearch, type SecureSearch } from '@archive/local-search';
import { SERIES_MS, until } from '@archive/tiers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newPost, startTestApi } from './_test-api.ts';

const ROLE = readFileSync(join(__dirname, '../../../docker/search/roles.yml'), 'utf8');

let folder: string;
let search: SecureSearch;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'secure-search-'));
  search = await openSecureSearch(folder, ROLE);
}, SERIES_MS);

afterAll(async () => {
  await search?.close();
  rmSync(folder, { recursive: true, force: true });
});

const settings = () => ({
  SEARCH_URL: search.url,
  SEARCH_USERNAME: search.username,
  SEARCH_PASSWORD: search.password,
  SEARCH_CA: search.ca,
  SEARCH_INDEX: 'amber',
  SEARCH_REPLICAS: '0',
});

it('builds, writes, finds, removes and builds again by TLS, with the rights of its role alone', async () => {
  const api = await startTestApi({ env: settings() });
  try {
    await api.add(newPost({ id: 'by-tls', content: 'binnacle' }));
    const answer = await fetch(`${api.url}/amber/archives?search=binnacle`);
    expect(((await answer.json()) as ArchivePage).data.map(({ id }) => id)).toEqual(['by-tls']);
    const post = await api.context.posts.store.find('by-tls');
    if (post) await api.context.posts.store.remove(post._id);
    await api.context.posts.follower.buildNow(() => {});
    expect(await api.context.posts.index.summary()).toMatchObject({ posts: 0, goneSince: null });
    expect(api.context.posts.index.trouble).toBeNull();
  } finally {
    await api.close();
  }
});

it.each([
  ['a wrong password', { SEARCH_PASSWORD: 'another' }, 'refuses SEARCH_USERNAME and SEARCH_PASSWORD'],
  ['an authority that is not told', { SEARCH_CA: undefined }, 'certificate'],
  ['an index that the role does not name', { SEARCH_INDEX: 'other' }, 'may not do what it must'],
])('says why it cannot be used with %s', async (_, other, sentence) => {
  const env = Object.fromEntries(
    Object.entries({ ...settings(), ...other }).filter(([, value]) => value !== undefined),
  );
  const api = await startTestApi({ env: env as Record<string, string>, start: false });
  try {
    await api.context.posts.follower.start();
    const { trouble } = await until(() => api.context.posts.follower.isAway && api.context.posts.follower);
    expect(trouble).toMatch(sentence);
    expect(trouble).not.toContain(search.password);
  } finally {
    await api.close();
  }
});
