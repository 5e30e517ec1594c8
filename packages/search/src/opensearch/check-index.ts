import type { IndexReport } from '../archive-index.ts';
import { Comparison } from '../compare.ts';
import type { IndexedPost } from '../indexed-post.ts';
import { AUTHOR, AUTHOR_FIELDS, type AuthorDocument, walkSearch } from './answers.ts';
import { documentOf, type HeldPost, hexOf, oidOf } from './mapping.ts';
import { type Hit, idOf, type Search, type Searcher } from './search.ts';

const PAGE = 1_000;

type Held = HeldPost & { oid: Uint8Array };

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
  const authors = new Map<string, AuthorDocument>();
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
  const search = { query: AUTHOR, sort: [{ by: 'asc' as const }], source: AUTHOR_FIELDS };
  for await (const { _source } of walkAll<AuthorDocument>(searcher, search)) {
    counted.push({ name: nameOf(_source), posts: _source.posts });
  }
  comparison.count('author', counted, wanted);
  return comparison.report;
}

function nameOf({ by, since }: AuthorDocument): string {
  return `${by} since ${new Date(since).toISOString()}`;
}

async function* walkDocuments(searcher: Searcher): AsyncGenerator<Held, undefined> {
  const search = { ...walkSearch(null), source: ['hash', 'in_thread'] };
  for await (const hit of walkAll<HeldPost>(searcher, search)) yield { ...hit._source, oid: oidOf(idOf(hit)) };
}

async function* walkAll<Source>(searcher: Searcher, search: Search): AsyncGenerator<Hit & { _source: Source }> {
  for (let after: Hit['sort']; ; ) {
    const { hits } = await searcher.one({ ...search, size: PAGE, after });
    yield* hits as (Hit & { _source: Source })[];
    after = hits.at(-1)?.sort;
    if (hits.length < PAGE) return;
  }
}
