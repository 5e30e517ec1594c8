import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArchivePage } from '@archive/contracts';
import { openSecureSearch, type SecureSearch } from '@archive/local-search';
import { SERIES_MS, until } from '@archive/tiers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newPost, startTestApi } from './_test-api.ts';

let folder: string;
let search: SecureSearch;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'secure-search-'));
  search = await openSecureSearch(folder);
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

it('says that a certificate has run out', async () => {
  const secrets = join(folder, 'expired');
  execFileSync('sh', [join(__dirname, '../../../docker/search/make-secrets.sh'), secrets, '-1']);
  const pem = (name: string) => readFileSync(join(secrets, 'search', name));
  const server = createServer({ key: pem('node.key'), cert: pem('node.pem') }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const env = { ...settings(), SEARCH_URL: `https://localhost:${port}`, SEARCH_CA: join(secrets, 'search/ca.pem') };
  const api = await startTestApi({ env, start: false });
  try {
    await api.context.posts.follower.start();
    const { trouble } = await until(() => api.context.posts.follower.isAway && api.context.posts.follower);
    expect(trouble).toMatch('certificate has expired');
  } finally {
    await api.close();
    server.close();
  }
});
