import type { IndexReport } from '../archive-index.ts';
import { Comparison } from '../compare.ts';
import type { IndexedPost } from '../indexed-post.ts';
import { AUTHOR, AUTHOR_FIELDS, walkSearch } from './answers.ts';
import { documentOf, type HeldPost, hexOf, oidOf } from './mapping.ts';
import { type Hit, idOf, type Searcher } from './search.ts';

const PAGE = 1_000;

interface Held extends HeldPost {
  oid: Uint8Array;
}

interface Author {
  by: string;
  posts: number;
  since: number;
}

/**
 * Compares every document with the post that it was derived from, and the counts of every author. `posts` must be in
 * ascending order of `_id`.
 */
export async function checkIndex(
  searcher: Searcher,
  posts: AsyncIterable<IndexedPost>,
  onProgress?: (done: number) => void,
): Promise<IndexReport> {
  const comparison = new Comparison();
  const authors = new Map<string, Author>();
  const threads = new Map<string, { posts: number; held: boolean[] }>();
  const compare = (post: IndexedPost, held: Held | null) => {
    const { by, saved_at, hash } = documentOf(post);
    const author = authors.get(by) ?? { by, posts: 0, since: saved_at };
    authors.set(by, { by, posts: author.posts + 1, since: Math.min(author.since, saved_at) });
    if (held && held.hash !== hash) comparison.differ(`${hexOf(held.oid)}: another document`);
    if (!held || post.thread === null) return;
    const thread = threads.get(post.thread) ?? { posts: 0, held: [] };
    thread.posts++;
    thread.held.push(held.in_thread ?? false);
    threads.set(post.thread, thread);
  };
  await comparison.pair(posts, walkDocuments(searcher), compare, onProgress);
  for (const [name, { posts: count, held }] of threads) {
    if (held.some((isInThread) => isInThread !== count > 1)) comparison.differ(`thread ${name}: ${count} posts`);
  }
  const wanted = new Map(Array.from(authors.values(), (author) => [nameOf(author), author.posts]));
  const counted: { name: string; posts: number }[] = [];
  for await (const author of walkAuthors(searcher)) counted.push({ name: nameOf(author), posts: author.posts });
  comparison.count('author', counted, wanted);
  return comparison.report;
}

function nameOf({ by, since }: Author): string {
  return `${by} since ${new Date(since).toISOString()}`;
}

async function* walkDocuments(searcher: Searcher): AsyncGenerator<Held, undefined> {
  for (let after: Uint8Array | null = null; ; ) {
    const { hits } = await searcher.one({ ...walkSearch(after), size: PAGE, source: ['hash', 'in_thread'] });
    for (const hit of hits) yield { ...(hit._source as unknown as HeldPost), oid: oidOf(idOf(hit)) };
    const last = hits.at(-1);
    if (!last || hits.length < PAGE) return;
    after = oidOf(idOf(last));
  }
}

async function* walkAuthors(searcher: Searcher): AsyncGenerator<Author> {
  const search = { query: AUTHOR, sort: [{ by: 'asc' as const }], size: PAGE, source: AUTHOR_FIELDS };
  for (let after: Hit['sort']; ; ) {
    const { hits } = await searcher.one({ ...search, after });
    for (const { _source } of hits) yield _source as unknown as Author;
    after = hits.at(-1)?.sort;
    if (hits.length < PAGE) return;
  }
}
