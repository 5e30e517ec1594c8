import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { CATEGORIES } from '../packages/contracts/src/index.ts';
import { newPostSchema } from '../packages/contracts/src/schemas/index.ts';
import { importSampleIfEmpty, shiftedSample } from './sample-archive.ts';

const SAMPLE = join(__dirname, 'sample');
const posts = readFileSync(join(SAMPLE, 'archive.ndjson'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => newPostSchema.parse(JSON.parse(line)));

test('the sample holds about 150 acceptable posts, each once, of every category and none', () => {
  expect(posts.length).toBeGreaterThanOrEqual(150);
  expect(new Set(posts.map((post) => post.id)).size).toBe(posts.length);
  expect(new Set(posts.map((post) => `${post.authorUsername} ${post.content}`)).size).toBe(posts.length);
  expect(new Set(posts.map((post) => post.category))).toEqual(new Set([...CATEGORIES, null]));
});

test('the featured posts are in it', () => {
  const ids = new Set(posts.map((post) => post.id));
  const featured = JSON.parse(readFileSync(join(SAMPLE, 'featured.json'), 'utf8')) as string[];
  expect(featured).not.toHaveLength(0);
  expect(featured.filter((id) => !ids.has(id))).toEqual([]);
});

test('the sample moves in time as a whole, so that its newest post is two hours old', async () => {
  const now = new Date('2031-05-06T07:08:09.000Z');
  const moved = (await shiftedSample(now)).trim().split('\n');
  const times = moved.map((line) => Date.parse(JSON.parse(line).timestamp));
  expect(Math.max(...times)).toBe(Date.parse('2031-05-06T05:08:09.000Z'));
  const own = posts.map((post) => post.timestamp.getTime());
  expect(Math.max(...times) - Math.min(...times)).toBe(Math.max(...own) - Math.min(...own));
  expect(times.filter((time) => now.getTime() - time < 7 * 86_400_000).length).toBeGreaterThan(20);
});

test('an API that does not answer lists yet is asked again: its search cluster may still build the index', async () => {
  let asked = 0;
  const api = createServer((_, response) => {
    asked++;
    response.statusCode = asked < 3 ? 503 : 200;
    response.end(JSON.stringify({ stats: { total: 1 } }));
  }).listen(0, '127.0.0.1');
  await once(api, 'listening');
  const said: string[] = [];
  const { port } = api.address() as AddressInfo;
  try {
    const say = (line: string) => void said.push(line);
    await importSampleIfEmpty(`http://127.0.0.1:${port}`, 'mongodb://127.0.0.1:1', '/nowhere', say);
    expect([asked, said]).toEqual([3, []]);
  } finally {
    api.closeAllConnections();
    api.close();
  }
});
