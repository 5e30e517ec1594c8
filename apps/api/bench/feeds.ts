import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ArchiveFilter, FEED_FORMATS, FEED_SIZE, printFilters } from '@archive/contracts';
import { Product } from '@archive/testing';
import { generatePosts } from '@archive/testing/generate-posts';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { questions } from './archive-questions.ts';
import { describeMachine, ms, p50, p95, type Row, Rows, say, timed, toTable } from './measure.ts';
import { measureSlowness } from './plain-peers.ts';

const FEED_OVER_LIST_MS = 10;
const MCP_OVER_LIST_MS = 10;
const MCP_POSTS = 12;
const PICTURE_MS = 60;
const PICTURES = 100;
const AUTHORS = 80;
const QUESTIONS = 400;
const NAMES = ['list', ...FEED_FORMATS] as const;

/** Milliseconds of each question, by kind of answer. */
type Times = Record<(typeof NAMES)[number], number[]>;

/**
 * `npm run bench -- feeds [posts]`: compares each feed with the list of the same posts, each question asked once, so
 * that no answer is cached; the same through MCP; and pictures of posts that were not drawn yet.
 */
export async function benchFeeds(args: string[]): Promise<void> {
  const [posts = 20_000] = args.map(Number);
  const rows = new Rows();
  const product = await Product.open({
    env: { RATE_LIMITS: 'off' },
    prepare: async (made) => {
      say(`${posts} generated posts`);
      const file = join(made.folder, 'posts.ndjson');
      await writeFile(file, [...generatePosts(posts)].map((post) => `${JSON.stringify(post)}\n`).join(''));
      await made.command('import', file);
    },
  });
  try {
    const list = await (await fetch(`${product.url}/amber/archives?limit=${PICTURES}`)).arrayBuffer();
    const { slowness, express } = await measureSlowness(Buffer.from(list));
    const beside = `Express ${Math.round(express)}/s: ${slowness.toFixed(1)} times longer allowed`;
    rows.push(...(await benchEach(product.url, slowness, beside)));
    rows.push(...(await benchAuthors(product.url, posts, { slowness, beside })));
    rows.push(await benchMcp(product.url, slowness, beside));
    const { data } = JSON.parse(Buffer.from(list).toString()) as { data: { _id: string }[] };
    rows.push(
      await benchPictures(
        product.url,
        data.map(({ _id }) => _id),
        { slowness, beside },
      ),
    );
  } finally {
    await product.close();
  }
  console.log(`\n${describeMachine()}\n\n${toTable(rows)}`);
}

/**
 * The feeds of the authors with the most posts that no other question named: asked first, and asked after another
 * question.
 */
async function benchAuthors(url: string, posts: number, peer: { slowness: number; beside: string }): Promise<Row[]> {
  const ofAuthor = new Map<string, number>();
  for (const { authorUsername } of generatePosts(posts)) {
    ofAuthor.set(authorUsername, (ofAuthor.get(authorUsername) ?? 0) + 1);
  }
  for (const { handle } of questions(QUESTIONS)) if (handle) ofAuthor.delete(handle);
  const most = [...ofAuthor].sort(([, a], [, b]) => b - a).slice(0, AUTHORS);
  const { first, later } = await timeFeeds(
    url,
    most.map(([handle]) => ({ handle })),
  );
  const kind = `of the ${AUTHORS} authors with most posts (${most[0]?.[1]} to ${most.at(-1)?.[1]})`;
  return [...toRows(`, the first asked ${kind}`, first, peer), ...toRows(`, after another ${kind}`, later, peer)];
}

async function benchEach(url: string, slowness: number, beside: string): Promise<Row[]> {
  const { first, later } = await timeFeeds(url, questions(QUESTIONS));
  const both = Object.fromEntries(NAMES.map((name) => [name, [...first[name].slice(10), ...later[name].slice(30)]]));
  return toRows('', both as Times, { slowness, beside });
}

/**
 * Times each question as a list and as each feed. The first to ask also pays for the total, so each is first in turn.
 */
async function timeFeeds(url: string, asked: readonly ArchiveFilter[]): Promise<{ first: Times; later: Times }> {
  const first: Times = { list: [], atom: [], rss: [], json: [] };
  const later: Times = { list: [], atom: [], rss: [], json: [] };
  for (const [at, filter] of asked.entries()) {
    const query = printFilters(filter);
    for (const [place, name] of [...NAMES.slice(at % 4), ...NAMES.slice(0, at % 4)].entries()) {
      const path =
        name === 'list' ? `/amber/archives?sortBy=saved&limit=${FEED_SIZE}&${query}` : `/feed.${name}?${query}`;
      const { ms: spent } = await timed(async () => (await fetch(`${url}${path}`)).arrayBuffer());
      (place === 0 ? first : later)[name].push(spent);
    }
  }
  return { first, later };
}

function toRows(kind: string, times: Times, { slowness, beside }: { slowness: number; beside: string }): Row[] {
  return FEED_FORMATS.map((format) => {
    const own = times[format];
    return {
      what: `feed.${format} over the list of the same posts${kind}`,
      must: `at p95 at most ${FEED_OVER_LIST_MS} ms more`,
      got: `p50 ${ms(p50(own))}, p95 ${ms(p95(own))}; list p50 ${ms(p50(times.list))}, p95 ${ms(p95(times.list))} (${own.length})`,
      beside,
      isMet: p95(own) - p95(times.list) <= FEED_OVER_LIST_MS * slowness,
    };
  });
}

/** Compares a search through MCP with the list of the same posts. */
async function benchMcp(url: string, slowness: number, beside: string): Promise<Row> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  const times: Record<'list' | 'mcp', number[]> = { list: [], mcp: [] };
  // Other questions than those of the feeds.
  const asked = questions(1_000).slice(400);
  for (const [at, { search }] of asked.filter((filter) => filter.search && !filter.author).entries()) {
    const ask = {
      list: async () =>
        (await fetch(`${url}/amber/archives?limit=${MCP_POSTS}&${printFilters({ search })}`)).arrayBuffer(),
      mcp: () => client.callTool({ name: 'search_posts', arguments: { search, limit: MCP_POSTS } }),
    };
    const names = ['list', 'mcp'] as const;
    for (const name of at % 2 === 0 ? names : names.toReversed()) {
      const { ms: spent } = await timed<unknown>(ask[name]);
      if (at >= 20) times[name].push(spent);
    }
  }
  await client.close();
  return {
    what: 'search_posts of MCP over the list of the same posts',
    must: `at p95 at most ${MCP_OVER_LIST_MS} ms more`,
    got: `p50 ${ms(p50(times.mcp))}, p95 ${ms(p95(times.mcp))}; list p50 ${ms(p50(times.list))}, p95 ${ms(p95(times.list))} (${times.mcp.length})`,
    beside,
    isMet: p95(times.mcp) - p95(times.list) <= MCP_OVER_LIST_MS * slowness,
  };
}

async function benchPictures(
  url: string,
  ids: readonly string[],
  { slowness, beside }: { slowness: number; beside: string },
): Promise<Row> {
  const times: number[] = [];
  for (const [at, id] of ids.entries()) {
    const { ms: spent } = await timed(async () => (await fetch(`${url}/share/${id}`)).arrayBuffer());
    // The first requests start the thread and load its fonts.
    if (at >= 5) times.push(spent);
  }
  return {
    what: 'a picture that was not drawn yet',
    must: `p95 ${PICTURE_MS} ms`,
    got: `p50 ${ms(p50(times))}, p95 ${ms(p95(times))}`,
    beside,
    isMet: p95(times) <= PICTURE_MS * slowness,
  };
}
