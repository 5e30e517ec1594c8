import type { IndexReport } from '../archive-index.ts';
import type { IndexedPost } from '../indexed-post.ts';
import { walkSearch } from './answers.ts';
import { term } from './compile.ts';
import { documentOf, type HeldPost, hexOf, oidOf } from './mapping.ts';
import { idOf, type Searcher } from './search.ts';

const PAGE = 1_000;
const KEPT = 1_000;

interface Held extends HeldPost {
  id: string;
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
  const report: IndexReport = { posts: 0, differenceCount: 0, differences: [] };
  const differ = (text: string) => {
    report.differenceCount++;
    if (report.differences.length < KEPT) report.differences.push(text);
  };
  const authors = new Map<string, { posts: number; since: number }>();
  const threads = new Map<string, { posts: number; held: boolean[] }>();
  const documents = walkDocuments(searcher);
  let next = await documents.next();
  const passUpTo = async (id: string | null) => {
    for (; !next.done && (id === null || next.value.id < id); next = await documents.next()) {
      differ(`${next.value.id}: only the index holds it`);
    }
  };
  for await (const post of posts) {
    report.posts++;
    if (report.posts % PAGE === 0) onProgress?.(report.posts);
    const id = hexOf(post.oid);
    const wanted = documentOf(post);
    const author = authors.get(wanted.by);
    authors.set(wanted.by, {
      posts: (author?.posts ?? 0) + 1,
      since: Math.min(author?.since ?? post.savedAt, post.savedAt),
    });
    await passUpTo(id);
    if (next.done || next.value.id !== id) {
      differ(`${id}: the index lacks it`);
      continue;
    }
    if (next.value.hash !== wanted.hash) differ(`${id}: another document`);
    if (post.thread !== null) {
      const thread = threads.get(post.thread) ?? { posts: 0, held: [] };
      thread.posts++;
      thread.held.push(next.value.in_thread ?? false);
      threads.set(post.thread, thread);
    }
    next = await documents.next();
  }
  await passUpTo(null);
  for (const [name, { posts: count, held }] of threads) {
    if (held.some((isInThread) => isInThread !== count > 1)) differ(`thread ${name}: ${count} posts`);
  }
  for await (const { by, posts: count, since } of walkAuthors(searcher)) {
    const wanted = authors.get(by);
    if (wanted?.posts !== count || wanted.since !== since)
      differ(`author ${by}: ${count} posts, not ${wanted?.posts ?? 0}`);
    authors.delete(by);
  }
  for (const [by, { posts: count }] of authors) differ(`author ${by}: no posts, not ${count}`);
  return report;
}

async function* walkDocuments(searcher: Searcher): AsyncGenerator<Held, undefined> {
  for (let after: Uint8Array | null = null; ; ) {
    const { hits } = await searcher.one({ ...walkSearch(after), size: PAGE, source: ['hash', 'in_thread'] });
    for (const hit of hits) yield { ...(hit._source as unknown as HeldPost), id: idOf(hit) };
    const last = hits.at(-1);
    if (!last || hits.length < PAGE) return;
    after = oidOf(idOf(last));
  }
}

async function* walkAuthors(searcher: Searcher): AsyncGenerator<{ by: string; posts: number; since: number }> {
  for (let after = ''; ; ) {
    const { hits } = await searcher.one({
      query: { bool: { filter: [term('kind', 'author'), { range: { by: { gt: after } } }] } },
      sort: [{ by: 'asc' }],
      size: PAGE,
      source: ['by', 'posts', 'since'],
    });
    for (const { _source } of hits) yield _source as { by: string; posts: number; since: number };
    const last = hits.at(-1)?._source as { by: string } | undefined;
    if (!last || hits.length < PAGE) return;
    after = last.by;
  }
}
