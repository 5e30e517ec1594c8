import { join, resolve } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type ArchiveFilter, CATEGORIES, SORT_FIELDS, SORT_ORDERS } from '@archive/contracts';
import { seeded } from '@archive/testing/generate-posts';
import { readConfig } from '../src/config.ts';
import { createContext } from '../src/context.ts';
import { exploreArchive } from '../src/posts/explore-archive.ts';
import { getAnalytics } from '../src/posts/get-analytics.ts';
import { getRandom } from '../src/posts/get-random.ts';
import { askPage, BENCH, NEWEST_FIRST, pick, questions, traitQuestions, warmUp } from './archive-questions.ts';
import { PORT } from './archive-server.ts';
import { ms, p50, p95, type Row, Rows, say, timed } from './measure.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const API = join(ROOT, 'apps/api');

/** Measures a question in the server without HTTP: the index thread, the messages to it and back, and MongoDB. */
export async function benchInProcess(uri: string, folder: string): Promise<Row[]> {
  const config = readConfig({ MONGODB_URI: uri, DATA_DIR: folder, PORT: String(PORT), LOG_LEVEL: 'silent' });
  const context = await createContext(config, join(API, 'dist/worker.js'));
  await context.posts.follower.start();
  try {
    const rows = new Rows();
    const filters = questions(600);
    say('first pages and totals');
    const first: number[] = [];
    const longTotals: number[] = [];
    const shortTotals: number[] = [];
    const stalls = monitorEventLoopDelay({ resolution: 1 });
    await warmUp(context, filters.slice(0, 60));
    stalls.enable();
    for (const filter of filters.slice(60)) {
      const { ms: all, value } = await timed(async () => {
        const answer = await askPage(context, filter);
        await context.posts.store.findInOrder(answer.oids);
        return answer;
      });
      first.push(all - value.spent.total);
      const isShort = [filter.search, filter.author, filter.content].some(
        (text) => text && Array.from(text).length < 3,
      );
      (isShort ? shortTotals : longTotals).push(value.spent.total);
    }
    stalls.disable();
    const stall = stalls.max / 1e6;
    rows.push({
      what: 'first 12 of any search or filter combination',
      must: 'p50 2 ms, p95 10 ms',
      got: `p50 ${ms(p50(first))}, p95 ${ms(p95(first))} (${first.length} questions)`,
      isMet: p50(first) <= 2 && p95(first) <= 10,
    });
    rows.push({
      what: 'exact total, 3 letters and more',
      must: 'p95 25 ms',
      got: `p50 ${ms(p50(longTotals))}, p95 ${ms(p95(longTotals))} (${longTotals.length})`,
      isMet: p95(longTotals) <= 25,
    });
    rows.push({
      what: 'exact total, 1-2 letters',
      must: 'p95 300 ms; no stall over 20 ms',
      got: `p50 ${ms(p50(shortTotals))}, p95 ${ms(p95(shortTotals))} (${shortTotals.length}); longest stall ${ms(stall)}`,
      isMet: p95(shortTotals) <= 300 && stall <= 20,
    });

    say('media, platform and language');
    const pages: number[] = [];
    const totals: number[] = [];
    for (const filter of traitQuestions(400)) {
      const { ms: all, value } = await timed(() => askPage(context, filter));
      pages.push(all - value.spent.total);
      totals.push(value.spent.total);
    }
    rows.push({
      what: 'media, platform, language, with others and without',
      must: 'first 12 p95 10 ms; total p95 25 ms',
      got: `first 12 p50 ${ms(p50(pages))}, p95 ${ms(p95(pages))}; total p50 ${ms(p50(totals))}, p95 ${ms(p95(totals))}`,
      isMet: p95(pages) <= 10 && p95(totals) <= 25,
    });

    say('any page, any sort');
    const random = seeded(5);
    const { total } = (await askPage(context, {})).stats;
    const deep: number[] = [];
    for (let i = 0; i < 400; i++) {
      const sort = { sortBy: pick(SORT_FIELDS, random), sortOrder: pick(SORT_ORDERS, random) };
      const filter: ArchiveFilter = i % 4 === 0 ? { category: pick(CATEGORIES, random) } : {};
      const size = filter.category ? total / 10 : total;
      const offset = Math.floor((random() * size) / 12) * 12;
      const { ms: spent } = await timed(async () => {
        const { oids } = await askPage(context, filter, sort, offset);
        await context.posts.store.findInOrder(oids);
      });
      deep.push(spent);
    }
    rows.push({
      what: 'any page number, any sort',
      must: 'p95 60 ms',
      got: `p50 ${ms(p50(deep))}, p95 ${ms(p95(deep))} (400 pages, a quarter of them within a category)`,
      isMet: p95(deep) <= 60,
    });

    const figures: number[] = [];
    for (let i = 0; i < 200; i++) {
      const { ms: spent } = await timed(async () => {
        await getAnalytics(context, BENCH);
        await context.posts.index.ask(
          'list',
          { filter: {}, sort: NEWEST_FIRST, offset: 0, limit: 1, split: false, now: Date.now() },
          BENCH,
        );
      });
      figures.push(spent);
    }
    rows.push({
      what: 'stats + analytics',
      must: 'p95 6 ms',
      got: `p50 ${ms(p50(figures))}, p95 ${ms(p95(figures))}`,
      isMet: p95(figures) <= 6,
    });

    say('ways into the archive');
    const ways: number[] = [];
    const chances: number[] = [];
    for (let i = 0; i < 100; i++) {
      ways.push((await timed(() => exploreArchive(context, BENCH))).ms);
      chances.push((await timed(() => getRandom(context, BENCH, random))).ms);
    }
    rows.push({
      what: 'ways into the archive; a random post',
      must: 'p50 20 ms each',
      got: `p50 ${ms(p50(ways))}, p95 ${ms(p95(ways))}; p50 ${ms(p50(chances))}, p95 ${ms(p95(chances))}`,
      isMet: p50(ways) <= 20 && p50(chances) <= 20,
    });
    return rows;
  } finally {
    await context.background.stop();
  }
}
