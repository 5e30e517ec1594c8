import { CATEGORIES, foldText } from '@archive/contracts';
import type { PostDocument } from '../archives/post-document.ts';
import { openForReading, Query } from './index-file.ts';
import { categoryToken, END, NO_CATEGORY, SEPARATOR } from './schema.ts';

export interface IndexReport {
  posts: number;
  trigrams: number;
  differenceCount: number;
  /** The first of them, in words. */
  differences: string[];
}

interface Held {
  oid: Uint8Array;
  at: number;
  category: number;
  handle: string;
  author_key: string;
  names: string;
  content_key: string | null;
  content: string;
  featured_at: number | null;
}

const KEPT = 1_000;

/**
 * Compares an index file with the posts it was derived from, given by `_id` ascending: every stored column of every
 * post, and for the full text, which keeps no words, how many posts each trigram of the archive occurs in.
 */
export async function checkIndex(
  path: string,
  posts: AsyncIterable<PostDocument>,
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
      `SELECT post.oid, post.at, post.category, author.handle, post.author_key, post.names, post.content_key, post.content,
              featured.at AS featured_at
       FROM post INDEXED BY post_oid JOIN author ON author.id = post.author LEFT JOIN featured ON featured.rank = post.rank
       ORDER BY post.oid`,
    ).iterate();
    const trigrams = new Map<string, number>();
    let next = held.next();
    for await (const post of posts) {
      report.posts++;
      countTrigrams(post, trigrams);
      for (; !next.done && Buffer.compare(next.value.oid, post._id.id) < 0; next = held.next()) {
        differ(`${hex(next.value.oid)}: only the index holds it`);
      }
      if (next.done || Buffer.compare(next.value.oid, post._id.id) !== 0) {
        differ(`${post._id.toHexString()}: the index lacks it`);
        continue;
      }
      for (const name of differingColumns(next.value, post)) differ(`${post._id.toHexString()}: another ${name}`);
      next = held.next();
      if (report.posts % 1_000 === 0) onProgress(report.posts);
    }
    for (; !next.done; next = held.next()) differ(`${hex(next.value.oid)}: only the index holds it`);
    report.trigrams = trigrams.size;
    for (const { term, doc } of new Query<{ term: string; doc: number }>(db, 'SELECT term, doc FROM term').iterate()) {
      if (trigrams.get(term) !== doc)
        differ(`trigram ${JSON.stringify(term)}: ${doc} posts, not ${trigrams.get(term) ?? 0}`);
      trigrams.delete(term);
    }
    for (const [term, count] of trigrams) differ(`trigram ${JSON.stringify(term)}: no posts, not ${count}`);
    db.exec('COMMIT');
  } finally {
    db.close();
  }
  return report;
}

function differingColumns(held: Held, post: PostDocument): string[] {
  const content = foldText(post.content);
  const key = post.content.toLowerCase();
  const category = post.category === null ? NO_CATEGORY : CATEGORIES.indexOf(post.category);
  const wanted: Omit<Held, 'oid'> = {
    at: post.timestamp.getTime(),
    category,
    handle: foldText(post.authorUsername),
    author_key: post.author.toLowerCase(),
    names: foldText(post.author) + SEPARATOR + foldText(post.authorUsername),
    content_key: key === content ? null : key,
    content,
    featured_at: post.featuredAt?.getTime() ?? null,
  };
  return (Object.keys(wanted) as (keyof typeof wanted)[]).filter((name) => held[name] !== wanted[name]);
}

function countTrigrams(post: PostDocument, counts: Map<string, number>): void {
  const category = post.category === null ? NO_CATEGORY : CATEGORIES.indexOf(post.category);
  const distinct = new Set([categoryToken(category)]);
  for (const text of [post.content, post.author, post.authorUsername]) {
    const points = Array.from(foldText(text) + END);
    for (let at = 0; at + 3 <= points.length; at++) distinct.add(points.slice(at, at + 3).join(''));
  }
  for (const trigram of distinct) counts.set(trigram, (counts.get(trigram) ?? 0) + 1);
}

function hex(oid: Uint8Array): string {
  return Buffer.from(oid).toString('hex');
}
