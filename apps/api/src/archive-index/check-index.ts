import { openForReading, Query } from './index-file.ts';
import {
  DERIVED_COLUMNS,
  deriveRow,
  type IndexSource,
  type PostColumns,
  SEPARATOR,
  searchFields,
  toIndexedPost,
} from './post-table.ts';

export interface IndexReport {
  posts: number;
  trigrams: number;
  differenceCount: number;
  /** The first of them, in words. */
  differences: string[];
}

interface Held extends PostColumns {
  oid: Uint8Array;
  handle: string;
  featured_at: number | null;
}

const KEPT = 1_000;

/**
 * Compares an index file with the posts it was derived from, given by `_id` ascending: every stored column of every
 * post, and for the full text, which keeps no words, how many posts each trigram of the archive occurs in. What a row
 * should hold is derived as on the way in; how it got there, and by which trigrams it is found, is told anew.
 */
export async function checkIndex(
  path: string,
  posts: AsyncIterable<IndexSource>,
  onProgress: (done: number) => void,
): Promise<IndexReport> {
  const db = openForReading(path);
  const report: IndexReport = { posts: 0, trigrams: 0, differenceCount: 0, differences: [] };
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
    let next = held.next();
    for await (const post of posts) {
      report.posts++;
      const row = deriveRow(toIndexedPost(post));
      countPieces(searchFields(row.columns), [3], trigrams);
      countPieces([row.columns.content, ...row.columns.names.split(SEPARATOR)], [1, 2], pieces);
      for (; !next.done && Buffer.compare(next.value.oid, post._id.id) < 0; next = held.next()) {
        differ(`${hex(next.value.oid)}: only the index holds it`);
      }
      if (next.done || Buffer.compare(next.value.oid, post._id.id) !== 0) {
        differ(`${post._id.toHexString()}: the index lacks it`);
        continue;
      }
      const wanted = { ...row.columns, handle: row.handle, featured_at: post.featuredAt?.getTime() ?? null };
      for (const name of [...DERIVED_COLUMNS, 'handle', 'featured_at'] as const) {
        if (next.value[name] !== wanted[name]) differ(`${post._id.toHexString()}: another ${name}`);
      }
      next = held.next();
      if (report.posts % 1_000 === 0) onProgress(report.posts);
    }
    for (; !next.done; next = held.next()) differ(`${hex(next.value.oid)}: only the index holds it`);
    const [{ misplaced }] = new Query<{ misplaced: number }>(
      db,
      'SELECT count(*) AS misplaced FROM (SELECT at < lag(at) OVER (ORDER BY rank) AS wrong FROM post) WHERE wrong',
    ).all() as [{ misplaced: number }];
    if (misplaced > 0) differ(`${misplaced} posts stand out of the order of time`);
    report.trigrams = trigrams.size;
    for (const { term, doc } of new Query<{ term: string; doc: number }>(db, 'SELECT term, doc FROM term').iterate()) {
      if (trigrams.get(term) !== doc)
        differ(`trigram ${JSON.stringify(term)}: ${doc} posts, not ${trigrams.get(term) ?? 0}`);
      trigrams.delete(term);
    }
    for (const [term, count] of trigrams) differ(`trigram ${JSON.stringify(term)}: no posts, not ${count}`);
    const kept = new Query<{ text: string; posts: number }>(db, 'SELECT text, posts FROM piece').iterate();
    for (const { text, posts: count } of kept) {
      if (pieces.get(text) !== count)
        differ(`text ${JSON.stringify(text)}: ${count} posts, not ${pieces.get(text) ?? 0}`);
      pieces.delete(text);
    }
    for (const [text, count] of pieces) differ(`text ${JSON.stringify(text)}: no posts, not ${count}`);
    db.exec('COMMIT');
  } finally {
    db.close();
  }
  return report;
}

/** In how many posts each piece of one of these lengths stands. */
function countPieces(fields: string[], lengths: number[], counts: Map<string, number>): void {
  const distinct = new Set<string>();
  for (const field of fields) {
    const points = Array.from(field);
    for (const length of lengths) {
      for (let at = 0; at + length <= points.length; at++) distinct.add(points.slice(at, at + length).join(''));
    }
  }
  for (const piece of distinct) counts.set(piece, (counts.get(piece) ?? 0) + 1);
}

function hex(oid: Uint8Array): string {
  return Buffer.from(oid).toString('hex');
}
