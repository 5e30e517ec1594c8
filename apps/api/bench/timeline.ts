import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ArchiveFilter } from '@archive/contracts';
import { Product } from '@archive/testing';
import { generatePosts } from '@archive/testing/generate-posts';
import { readConfig } from '../src/config.ts';
import { createContext } from '../src/context.ts';
import { askPage, BENCH, questions, traitQuestions } from './archive-questions.ts';
import { describeMachine, ms, p50, p95, type Row, Rows, say, toTable } from './measure.ts';

const API = resolve(import.meta.dirname, '..');
/**
 * Milliseconds that a timeline may take longer than its list: for texts of three letters and more, and for any
 * question.
 */
const MOST = { long: 100, any: 500 };

/**
 * `npm run bench -- timeline [posts]`: compares the time of a timeline with that of the total of the same question,
 * each asked once.
 */
export async function benchTimeline(args: string[]): Promise<void> {
  const [posts = 100_000] = args.map(Number);
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
    const env = { MONGODB_URI: product.mongo.uri, DATA_DIR: join(product.folder, 'bench'), LOG_LEVEL: 'silent' };
    const context = await createContext(readConfig({ ...env, PORT: '4100' }), join(API, 'dist/worker.js'));
    await context.posts.follower.start();
    const measure = async (what: string, filters: ArchiveFilter[], most = MOST.any) =>
      rows.push(await compare(context, what, filters, most));
    try {
      const now = Date.now();
      for (const filter of [{ search: 'warm' }, { author: 'up' }, { category: 'tech' as const }]) {
        await askPage(context, filter);
        await context.posts.index.ask('timeline', { filter, now }, BENCH);
      }
      await measure('media, platform, language, category', traitQuestions(200));
      const words = questions(600);
      await measure(
        'words of 3 letters and more, with others',
        words.filter((filter) => !isShort(filter)),
        MOST.long,
      );
      await measure('1 and 2 letters', words.filter(isShort));
      await measure(
        'few months of words',
        words.slice(0, 60).map((filter) => ({ ...filter, startDate: '2026-09-01', endDate: '2026-11-30' })),
      );
      // A single question, and the shortest. It comes last, so that statements are prepared and code is compiled as in
      // a process in use.
      await measure('the whole archive', [{}]);
    } finally {
      await context.background.stop();
    }
  } finally {
    await product.close();
  }
  console.log(`\n${describeMachine()}\n\n${toTable(rows)}`);
}

async function compare(
  context: Awaited<ReturnType<typeof createContext>>,
  what: string,
  filters: ArchiveFilter[],
  most: number,
): Promise<Row> {
  const [totals, timelines]: [number[], number[]] = [[], []];
  const wrong: string[] = [];
  const asked = new Set<string>();
  for (const filter of filters) {
    const name = JSON.stringify(filter);
    if (asked.has(name)) continue;
    asked.add(name);
    const list = await askPage(context, filter);
    const timeline = await context.posts.index.ask('timeline', { filter, now: Date.now() }, BENCH);
    const sum = timeline.counts.reduce((all, { posts }) => all + posts, 0);
    if (sum !== list.total) wrong.push(`${name}: ${sum}, not ${list.total}`);
    totals.push(list.spent.total);
    timelines.push(timeline.spent);
  }
  return {
    what,
    must: `p95 at most ${most} ms; equal sums`,
    got: `timelines p50 ${ms(p50(timelines))}, p95 ${ms(p95(timelines))}, slowest ${ms(Math.max(...timelines))}; totals p50 ${ms(p50(totals))}, p95 ${ms(p95(totals))} (${asked.size})${wrong.length > 0 ? `; ${wrong.length} differ, such as ${wrong[0]}` : ''}`,
    isMet: p95(timelines) <= most && wrong.length === 0,
  };
}

function isShort({ search, author, content }: ArchiveFilter): boolean {
  return [search, author, content].some((text) => text !== undefined && Array.from(text).length < 3);
}
