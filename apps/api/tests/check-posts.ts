import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Post } from '@archive/contracts';
import { newPostSchema } from '@archive/contracts/schemas';
import { Product } from '@archive/testing';
import { readPosts } from '../src/ingest/read-posts.ts';
import { compareTimelines, compareWithReference, ReferenceArchive } from './_reference-archive.ts';

/**
 * `npm run check:posts -- FILE...`: imports files into an archive of its own, twice, and compares listing, search,
 * filters, sorts, paging, export and posts over time with a plain in-memory reference over the same posts.
 */
const QUERIES = 1_000;
const EXPORTS = 40;
const TIMELINES = 400;

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('npm run check:posts -- FILE...');
  process.exit(2);
}
const product = await Product.open({ env: { LOG_LEVEL: 'error' } });
const { url, folder } = product;
try {
  const problems: string[] = [];
  for (const run of ['first', 'second'] as const) {
    console.log(`${run} import`);
    await command('import', ...files.map((file) => resolve(file)));
  }
  const expected = await readExpected();
  await caughtUp(expected.size);

  const text = await (await fetch(`${url}/amber/archives/export?format=ndjson`)).text();
  const kept = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Post);
  problems.push(...compareKept(expected, kept));

  const reference = new ReferenceArchive(kept);
  const result = await compareWithReference(url, reference, { queries: QUERIES, exports: EXPORTS, seed: 2026 });
  problems.push(...result.differences);
  const timelines = await compareTimelines(url, reference, { queries: TIMELINES, seed: 2027 });
  problems.push(...timelines.differences);

  const csv = join(folder, 'again.csv');
  await command('export', csv);
  await command('import', csv);
  const { stats } = (await (await fetch(`${url}/amber/archives?limit=1`)).json()) as { stats: { total: number } };
  if (stats.total !== kept.length)
    problems.push(`after its own CSV came back there are ${stats.total} posts, not ${kept.length}`);
  await command('check');

  console.log(
    `${kept.length} posts kept; ${result.queries} generated queries (${result.nonEmpty} with matches), ${result.exports} exports and ${TIMELINES} timelines compared: ${problems.length} differences`,
  );
  for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await product.close();
}

/** The posts that the archive must keep: of posts with the same id, or the same words by the same author, the first. */
async function readExpected(): Promise<
  Map<string, { content: string; author: string; authorUsername: string; timestamp: string }>
> {
  const posts = new Map<string, { content: string; author: string; authorUsername: string; timestamp: string }>();
  const ids = new Set<string>();
  for (const file of files) {
    for await (const { post } of readPosts(resolve(file))) {
      const checked = newPostSchema.safeParse(post);
      if (!checked.success) continue;
      const { id, content, author, authorUsername, timestamp } = checked.data;
      const words = JSON.stringify([content, author, authorUsername]);
      if (ids.has(id) || posts.has(words)) {
        ids.add(id);
        continue;
      }
      ids.add(id);
      posts.set(words, { content, author, authorUsername, timestamp: timestamp.toISOString() });
    }
  }
  return posts;
}

function compareKept(expected: Awaited<ReturnType<typeof readExpected>>, kept: Post[]): string[] {
  const problems: string[] = [];
  if (kept.length !== expected.size) problems.push(`${kept.length} posts kept, not ${expected.size}`);
  for (const post of kept) {
    const wanted = expected.get(JSON.stringify([post.content, post.author, post.authorUsername]));
    if (wanted?.timestamp !== post.timestamp) problems.push(`${post.id}: ${post.timestamp}, not ${wanted?.timestamp}`);
  }
  return problems;
}

async function command(...args: string[]): Promise<void> {
  console.log((await product.command(...args)).trim());
}

/** Waits for the server, which sees the importer's writes within 2 s. */
async function caughtUp(count: number): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const { stats } = (await (await fetch(`${url}/amber/archives?limit=1`)).json()) as { stats: { total: number } };
    if (stats.total === count || Date.now() > deadline) return;
    await delay(100);
  }
}
