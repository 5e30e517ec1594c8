import { CATEGORIES, monthOf, TREND_MONTHS } from '@archive/contracts';
import type { AuthorCount, ExploreAnswer } from '../../archive-index.ts';
import { DAY_MS, sameDaysOf } from '../../figures.ts';
import { languageOfTraits } from '../traits.ts';
import { NEWEST } from './authors.ts';
import type { Statements } from './statements.ts';

const AUTHORS = 6;
const YEARS_SHOWN = 4;

interface Found {
  oid: Uint8Array;
}

/** Answers from the kept counts; only a few posts are read. */
export function explore(file: Statements, now: number): ExploreAnswer {
  const [first] = file.all<{ savedAt: number }>(
    'SELECT saved_at AS savedAt FROM post INDEXED BY post_saved ORDER BY saved_at LIMIT 1',
  );
  const categories = countCategories(file);
  const [written] = file.all<{ month: number | null }>('SELECT min(month) AS month FROM month WHERE posts > 0');
  const thisMonth = monthOf(now / DAY_MS);
  return {
    total: categories.reduce((sum, { posts }) => sum + posts, 0),
    keptSince: first?.savedAt ?? null,
    writtenSince: written?.month ?? null,
    months: countMonths(file, thisMonth),
    categories,
    activeAuthors: activeAuthors(file, AUTHORS),
    newAuthors: file.all(
      `SELECT handle, posts, since, ${NEWEST} AS newest FROM author ORDER BY since DESC, handle DESC LIMIT ?`,
      AUTHORS,
    ),
    languages: countLanguages(file),
    sameDays: findSameDays(file, now),
  };
}

export function activeAuthors(file: Statements, limit: number): AuthorCount[] {
  return file.all(`SELECT handle, posts, ${NEWEST} AS newest FROM author ORDER BY posts DESC, handle LIMIT ?`, limit);
}

/**
 * Finds the post by the counts per day. The gaps between ranks differ, so a random rank would not give each post the
 * same chance.
 */
export function postAt(file: Statements, place: number): Uint8Array | null {
  const [all] = file.all<{ posts: number }>('SELECT coalesce(sum(posts), 0) AS posts FROM day');
  const wanted = Math.floor(place * (all?.posts ?? 0));
  const [on] = file.all<{ day: number; before: number }>(
    `SELECT day, upto - posts AS before
     FROM (SELECT day, posts, sum(posts) OVER (ORDER BY day) AS upto FROM day) WHERE upto > ? ORDER BY day LIMIT 1`,
    wanted,
  );
  if (!on) return null;
  const [post] = file.all<Found>(
    'SELECT oid FROM post INDEXED BY post_time WHERE at >= ? AND at < ? ORDER BY at, oid LIMIT 1 OFFSET ?',
    on.day * DAY_MS,
    (on.day + 1) * DAY_MS,
    wanted - on.before,
  );
  return post?.oid ?? null;
}

/** Categories with the most posts first. */
export function countCategories(file: Statements): { category: number; posts: number }[] {
  return file.all('SELECT category, posts FROM category WHERE posts > 0 ORDER BY posts DESC, category');
}

/** Counts of the latest months, up to the current one, that have posts with a category. */
function countMonths(file: Statements, thisMonth: number): ExploreAnswer['months'] {
  return file.all(
    `SELECT category, month, sum(posts) AS posts FROM month
     WHERE posts > 0 AND month IN (
       SELECT DISTINCT month FROM month WHERE posts > 0 AND category < ? AND month <= ?
       ORDER BY month DESC LIMIT ?
     ) GROUP BY category, month ORDER BY month, category`,
    CATEGORIES.length,
    thisMonth,
    TREND_MONTHS,
  );
}

function countLanguages(file: Statements): ExploreAnswer['languages'] {
  const counts = new Map<string | null, number>();
  for (const { traits, posts } of file.all<{ traits: number; posts: number }>('SELECT traits, posts FROM kind')) {
    const language = languageOfTraits(traits);
    counts.set(language, (counts.get(language) ?? 0) + posts);
  }
  return [...counts]
    .map(([language, posts]) => ({ language, posts }))
    .filter(({ posts }) => posts > 0)
    .sort((one, other) => other.posts - one.posts || (String(one.language) < String(other.language) ? -1 : 1));
}

/** Every earlier year with posts of this calendar day. The latest years also have a post to show. */
function findSameDays(file: Statements, now: number): ExploreAnswer['sameDays'] {
  const [bounds] = file.all<{ first: number | null; last: number | null }>(
    'SELECT (SELECT min(at) FROM post) AS first, (SELECT max(at) FROM post) AS last',
  );
  if (!bounds || bounds.first === null || bounds.last === null) return [];
  const counted = file.all<{ day: number; posts: number }>(
    `SELECT day, posts FROM day WHERE posts > 0 AND day IN (SELECT value FROM json_each(?)) ORDER BY day DESC`,
    JSON.stringify(sameDaysOf(now, bounds.first, bounds.last)),
  );
  return counted.map(({ day, posts }, index) => ({
    day,
    posts,
    shown: index < YEARS_SHOWN ? mostReacted(file, day) : null,
  }));
}

function mostReacted(file: Statements, day: number): Uint8Array | null {
  const [post] = file.all<Found>(
    'SELECT oid FROM post INDEXED BY post_time WHERE at >= ? AND at < ? ORDER BY reactions DESC, oid LIMIT 1',
    day * DAY_MS,
    (day + 1) * DAY_MS,
  );
  return post?.oid ?? null;
}
