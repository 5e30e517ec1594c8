import { monthOf } from '@archive/contracts';
import type { IndexReport } from '../archive-index.ts';
import { Comparison } from '../compare.ts';
import { DAY_MS } from '../figures.ts';
import type { IndexedPost } from '../indexed-post.ts';
import { openForReading, Query } from './index-file.ts';
import { DERIVED_COLUMNS, deriveRow, type PostColumns, SEPARATOR, searchFields } from './post-table.ts';

interface Held extends PostColumns {
  oid: Uint8Array;
  handle: string;
  featured_at: number | null;
}

/** All rows of each count table: the row's name, and its number of posts. */
const COUNTS = {
  trigram: 'SELECT term AS name, doc AS posts FROM term',
  text: 'SELECT text AS name, posts FROM piece',
  category: "SELECT category || '' AS name, posts FROM category",
  day: "SELECT day || '' AS name, posts FROM day",
  kind: "SELECT category || ',' || traits AS name, posts FROM kind",
  month: "SELECT month || ',' || category || ',' || traits AS name, posts FROM month",
};

/**
 * Compares an index file with the posts that it was derived from. `posts` must be in ascending order of `_id`. The
 * check covers every stored column, every count, and, because the full text keeps no words, the number of posts per
 * trigram. The expected row comes from the writer's own `deriveRow`; the expected counts and trigrams are computed a
 * second way.
 */
export async function checkIndex(
  path: string,
  posts: AsyncIterable<IndexedPost>,
  onProgress?: (done: number) => void,
): Promise<IndexReport> {
  const db = openForReading(path);
  const comparison = new Comparison();
  try {
    db.exec('BEGIN');
    const held = new Query<Held>(
      db,
      `SELECT post.oid, ${DERIVED_COLUMNS.map((name) => `post.${name}`).join(', ')}, author.handle, featured.at AS featured_at
       FROM post INDEXED BY post_oid JOIN author ON author.id = post.author LEFT JOIN featured ON featured.rank = post.rank
       ORDER BY post.oid`,
    ).iterate();
    const wantedCounts = new Map(Object.keys(COUNTS).map((table) => [table, new Map<string, number>()]));
    const compare = (post: IndexedPost, found: Held | null) => {
      const row = deriveRow(post);
      for (const [table, names] of Object.entries(countedIn(row.columns))) {
        const counts = wantedCounts.get(table) as Map<string, number>;
        for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
      }
      if (!found) return;
      const wanted = { ...row.columns, handle: row.handle, featured_at: post.featuredAt };
      for (const name of [...DERIVED_COLUMNS, 'handle', 'featured_at'] as const) {
        if (found[name] !== wanted[name]) comparison.differ(`${hex(post.oid)}: another ${name}`);
      }
    };
    await comparison.pair(posts, held, compare, onProgress);
    const [{ misplaced }] = new Query<{ misplaced: number }>(
      db,
      'SELECT count(*) AS misplaced FROM (SELECT at < lag(at) OVER (ORDER BY rank) AS wrong FROM post) WHERE wrong',
    ).all() as [{ misplaced: number }];
    if (misplaced > 0) comparison.differ(`${misplaced} posts stand out of the order of time`);
    for (const [table, wanted] of wantedCounts) {
      const rows = new Query<{ name: string; posts: number }>(db, COUNTS[table as keyof typeof COUNTS]).iterate();
      comparison.count(table, rows, wanted);
    }
    db.exec('COMMIT');
  } finally {
    db.close();
  }
  return comparison.report;
}

function piecesOf(fields: string[], lengths: number[]): Set<string> {
  const distinct = new Set<string>();
  for (const field of fields) {
    const points = Array.from(field);
    for (const length of lengths) {
      for (let at = 0; at + length <= points.length; at++) distinct.add(points.slice(at, at + length).join(''));
    }
  }
  return distinct;
}

/** The rows of each count table that count a post, by name. */
function countedIn(row: PostColumns): Record<keyof typeof COUNTS, Iterable<string>> {
  const { at, category, traits, content, names } = row;
  const day = Math.floor(at / DAY_MS);
  return {
    trigram: piecesOf(searchFields(row), [3]),
    text: piecesOf([content, ...names.split(SEPARATOR)], [1, 2]),
    category: [`${category}`],
    day: [`${day}`],
    kind: [`${category},${traits}`],
    month: [`${monthOf(day)},${category},${traits}`],
  };
}

function hex(oid: Uint8Array): string {
  return Buffer.from(oid).toString('hex');
}
