import { type ArchiveFilter, CATEGORIES, type Explore, platformOf, RECENT_DAYS } from '@archive/contracts';
import type { ExploreAnswer } from '@archive/search';
import type { Base } from '../base.ts';
import type { Asker } from '../question-queue.ts';
import { answerAuthor, byOid, hex } from './answer-authors.ts';
import { answerPosts, type ReactionCounter } from './answer-posts.ts';
import type { Posts } from './posts.ts';

const DAY_MS = 86_400_000;
const SHOWN = 3;

interface Needs extends Pick<Base, 'now'> {
  posts: Pick<Posts, 'store' | 'index'>;
  reactions: ReactionCounter;
}

/**
 * The lists of the Explore page. Each question that depends on the clock contains its day, so that yesterday's cached
 * answer is not used.
 */
export async function exploreArchive(context: Needs, asker: Asker): Promise<Explore> {
  const now = context.now();
  const { store, index } = context.posts;
  const today = Math.floor(now / DAY_MS);
  const from = dayName(today - RECENT_DAYS + 1);
  const to = dayName(today);
  const [told, week] = await Promise.all([
    index.ask('explore', { now }, asker),
    index.ask('list', mostReacted(from, to, now), asker),
  ]);
  const sameDays = told.sameDays.flatMap(({ shown, ...day }) => (shown ? [{ ...day, shown }] : []));
  const [inFull, ofAuthors] = await Promise.all([
    store
      .findInOrder([...week.oids, ...sameDays.map(({ shown }) => shown)])
      .then((documents) => answerPosts(context, documents)),
    store.findInOrder([...told.activeAuthors, ...told.newAuthors].map(({ newest }) => newest)).then(byOid),
  ]);
  // Posts that were removed since the index answered are missing here.
  const posts = new Map(inFull.map((post) => [post._id, post]));
  return {
    ...countsOf(told),
    // Every list answer contains these figures, and the index caches them.
    authors: week.stats.authors,
    activeAuthors: told.activeAuthors.map((author) => answerAuthor(author, ofAuthors.get(hex(author.newest)))),
    newAuthors: told.newAuthors.map((author) => {
      const newest = ofAuthors.get(hex(author.newest));
      return {
        ...answerAuthor(author, newest),
        platform: platformOf(newest?.url ?? ''),
        since: new Date(author.since).toISOString(),
      };
    }),
    week: { from, to, posts: week.oids.flatMap((oid) => posts.get(hex(oid)) ?? []) },
    onThisDay: {
      day: to,
      count: told.sameDays.reduce((sum, { posts }) => sum + posts, 0),
      years: sameDays.flatMap(({ day, posts: count, shown }) => {
        const post = posts.get(hex(shown));
        return post ? [{ day: dayName(day), count, post }] : [];
      }),
    },
  };
}

/** The question for the most reacted posts; posts without reactions are left out. */
function mostReacted(startDate: string, endDate: string, now: number) {
  const filter: ArchiveFilter = { startDate, endDate, q: 'reactions:>0' };
  const sort = { sortBy: 'reactions', sortOrder: 'desc' } as const;
  return { filter, sort, offset: 0, limit: SHOWN, split: false, now };
}

type Counts =
  | 'total'
  | 'keptSince'
  | 'writtenSince'
  | 'months'
  | 'categories'
  | 'uncategorized'
  | 'languages'
  | 'withoutLanguage';

function countsOf({
  total,
  keptSince,
  writtenSince,
  months,
  categories,
  languages,
}: ExploreAnswer): Pick<Explore, Counts> {
  const names = [...new Set(months.map(({ month }) => month))];
  const counts = new Map(months.map(({ category, month, posts }) => [`${category} ${month}`, posts]));
  return {
    total,
    keptSince: keptSince === null ? null : new Date(keptSince).toISOString(),
    writtenSince: writtenSince === null ? null : monthName(writtenSince),
    months: names.map(monthName),
    categories: categories.flatMap(({ category, posts }) => {
      const name = CATEGORIES[category];
      if (!name) return [];
      return [{ category: name, count: posts, months: names.map((month) => counts.get(`${category} ${month}`) ?? 0) }];
    }),
    uncategorized: categories.find(({ category }) => category === CATEGORIES.length)?.posts ?? 0,
    languages: languages.flatMap(({ language, posts }) => (language === null ? [] : [{ language, count: posts }])),
    withoutLanguage: languages.find(({ language }) => language === null)?.posts ?? 0,
  };
}

function dayName(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

function monthName(month: number): string {
  return new Date(Date.UTC(1970, month)).toISOString().slice(0, 7);
}
