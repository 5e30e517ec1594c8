import { monthOf } from '@archive/contracts';
import type { IndexReport } from '../archive-index.ts';
import type { IndexedPost } from '../indexed-post.ts';
import { type IndexFile, openForReading, Query } from './index-file.ts';
import { DERIVED_COLUMNS, deriveRow, type PostColumns, SEPARATOR, searchFields } from './post-table.ts';
import { DAY_MS } from './schema.ts';

interface Held extends PostColumns {
  oid: Uint8Array;
  handle: string;
  featured_at: number | null;
}

const KEPT = 1_000;

/**
 * Compares an index file with the posts it was derived from, given by `_id` ascending: every stored column of every
 * post, every count, and for the full text, which keeps no words, how many posts each trigram of the archive occurs in. What a row
 * should hold is derived as on the way in; how it got there, and by which trigrams it is found, is derived a second way.
 */
export async function checkIndex(
  path: string,
  posts: AsyncIterable<IndexedPost>,
  onProgress?: (done: number) => void,
): Promise<IndexReport> {
  const db = openForReading(path);
  const report: IndexReport = { posts: 0, differenceCount: 0, differences: [] };
  const differ = (text: string) => {
    report.differenceCount++;
    if (report.differences.length < KEPT) report.differences.push(text);
  };
  try {
    db.exec('BEGIN');
    const held = new Query<Held>(
      db,
      `SELECT post.oid, ${DERIVED_COLUMNS.map((name) => `post.${name}`).join(', ')}, author.handle, featured.at AS featured_at
       FROM post INDEXED BY post_oid JOIN author ON author.id = post.author LEFT JOIN featured ON featured.rank = post.rank
       ORDER BY post.oid`,
    ).iterate();
    const trigrams = new Map<string, number>();
    const pieces = new Map<string, number>();
    const counted = new CountedRows();
    let next = held.next();
    for await (const post of posts) {
      report.posts++;
      const row = deriveRow(post);
      for (const trigram of piecesOf(searchFields(row.columns), [3])) {
        trigrams.set(trigram, (trigrams.get(trigram) ?? 0) + 1);
      }
      for (const piece of piecesOf([row.columns.content, ...row.columns.names.split(SEPARATOR)], [1, 2])) {
        pieces.set(piece, (pieces.get(piece) ?? 0) + 1);
      }
      counted.add(row.columns);
      for (; !next.done && Buffer.compare(next.value.oid, post.oid) < 0; next = held.next()) {
        differ(`${hex(next.value.oid)}: only the index holds it`);
      }
      if (next.done || Buffer.compare(next.value.oid, post.oid) !== 0) {
        differ(`${hex(post.oid)}: the index lacks it`);
        continue;
      }
      const wanted = { ...row.columns, handle: row.handle, featured_at: post.featuredAt };
      for (const name of [...DERIVED_COLUMNS, 'handle', 'featured_at'] as const) {
        if (next.value[name] !== wanted[name]) differ(`${hex(post.oid)}: another ${name}`);
      }
      next = held.next();
      if (report.posts % 1_000 === 0) onProgress?.(report.posts);
    }
    for (; !next.done; next = held.next()) differ(`${hex(next.value.oid)}: only the index holds it`);
    const [{ misplaced }] = new Query<{ misplaced: number }>(
      db,
      'SELECT count(*) AS misplaced FROM (SELECT at < lag(at) OVER (ORDER BY rank) AS wrong FROM post) WHERE wrong',
    ).all() as [{ misplaced: number }];
    if (misplaced > 0) differ(`${misplaced} posts stand out of the order of time`);
    for (const { term, doc } of new Query<{ term: string; doc: number }>(db, 'SELECT term, doc FROM term').iterate()) {
      if (trigrams.get(term) !== doc)
        differ(`trigram ${JSON.stringify(term)}: ${doc} posts, not ${trigrams.get(term) ?? 0}`);
      trigrams.delete(term);
    }
    for (const [term, count] of trigrams) differ(`trigram ${JSON.stringify(term)}: no posts, not ${count}`);
    for (const { text, posts: count } of new Query<{ text: string; posts: number }>(
      db,
      'SELECT text, posts FROM piece',
    ).iterate()) {
      if (pieces.get(text) !== count)
        differ(`text ${JSON.stringify(text)}: ${count} posts, not ${pieces.get(text) ?? 0}`);
      pieces.delete(text);
    }
    for (const text of pieces.keys()) differ(`text ${JSON.stringify(text)}: no posts`);
    for (const difference of counted.compare(db)) differ(difference);
    db.exec('COMMIT');
  } finally {
    db.close();
  }
  return report;
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

/** What the tables of counts should hold, by the values that name a row. */
class CountedRows {
  readonly #tables = {
    category: { columns: ['category'], counts: new Map<string, number>() },
    day: { columns: ['day'], counts: new Map<string, number>() },
    kind: { columns: ['category', 'traits'], counts: new Map<string, number>() },
    month: { columns: ['month', 'category', 'traits'], counts: new Map<string, number>() },
  };

  add({ at, category, traits }: PostColumns): void {
    const day = Math.floor(at / DAY_MS);
    const values: Record<string, number> = { category, traits, day, month: monthOf(day) };
    for (const { columns, counts } of Object.values(this.#tables)) {
      const name = columns.map((column) => values[column]).join();
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }

  /** Where the file differs, in words. */
  *compare(db: IndexFile): Generator<string> {
    for (const [table, { columns, counts }] of Object.entries(this.#tables)) {
      const rows = new Query<{ name: string; posts: number }>(
        db,
        `SELECT ${columns.join(" || ',' || ")} AS name, posts FROM ${table}`,
      ).iterate();
      for (const { name, posts } of rows) {
        const wanted = counts.get(String(name)) ?? 0;
        if (posts !== wanted) yield `${table} ${name}: ${posts} posts, not ${wanted}`;
        counts.delete(String(name));
      }
      for (const [name, wanted] of counts) yield `${table} ${name}: no posts, not ${wanted}`;
    }
  }
}

function hex(oid: Uint8Array): string {
  return Buffer.from(oid).toString('hex');
}
