import type { ArchivePage, ArchiveQuery, Post, TokenLaunch } from '@archive/contracts';
import { ObjectId } from 'mongodb';
import type { Base } from '../base.ts';
import type { Asker } from '../question-queue.ts';
import { answerPosts, type ReactionCounter } from './answer-posts.ts';
import { readCursor, writeCursor } from './page-cursor.ts';
import type { Posts } from './posts.ts';

/** Posts. Reading more of them blocks the main thread long enough to delay other requests. */
const LARGE_PAGE = 100;

/** Milliseconds. Posts that were read ahead earlier than this are read again. */
const LONGEST_AHEAD_MS = 500;

interface Needs extends Pick<Base, 'now'> {
  posts: Pick<Posts, 'store' | 'index' | 'largePages'>;
  reactions: ReactionCounter;
  launches: { last: { readonly current: TokenLaunch | null } };
}

/** One page of the archive. The index gives the ids and the total, MongoDB the posts. */
export async function listArchives(context: Needs, query: ArchiveQuery, asker: Asker): Promise<ArchivePage> {
  const { page, limit, split, sortBy, sortOrder, cursor, ...filter } = query;
  const isSplit = split === 'featured';
  const sort = { sortBy, sortOrder };
  const after = cursor === undefined ? undefined : readCursor(sort, cursor);
  const offset = after ? 0 : (page - 1) * limit;
  const question = { filter, sort, offset, limit, split: isSplit, now: context.now(), after };
  // While the index still counts, the database already reads the posts that the page will probably show.
  let ahead: { posts: ReturnType<typeof readPosts>; version: number; at: number } | undefined;
  const { index } = context.posts;
  const answer = await index.ask('list', question, asker, (oids) => {
    if (limit > LARGE_PAGE || (ahead && performance.now() - ahead.at < LONGEST_AHEAD_MS)) return;
    ahead = { posts: readPosts(context, oids), version: index.version, at: performance.now() };
    // Awaited below, unless the index fails or the result is too old.
    ahead.posts.catch(() => {});
  });
  const isFresh = ahead?.version === index.version && performance.now() - ahead.at < LONGEST_AHEAD_MS;
  const posts = isFresh && ahead ? await ahead.posts : new Map<string, Post>();
  const shown = page === 1 && !after ? answer.featured : null;
  const wanted =
    shown && !answer.oids.some((oid) => Buffer.compare(oid, shown) === 0) ? [...answer.oids, shown] : answer.oids;
  const missing = wanted.filter((oid) => !posts.has(hex(oid)));
  if (missing.length > 0) {
    const read = () => readPosts(context, missing);
    const found = await (missing.length > LARGE_PAGE ? context.posts.largePages.ask(read, asker) : read());
    for (const [id, post] of found) posts.set(id, post);
  }
  const inData = answer.total - (isSplit && answer.featured ? 1 : 0);
  return {
    data: answer.oids.map((oid) => posts.get(hex(oid))).filter((post) => post !== undefined),
    stats: answer.stats,
    pagination: {
      page,
      limit,
      total: answer.total,
      pages: Math.ceil(inData / limit),
      next: answer.last && writeCursor(sort, answer.last),
    },
    match: query.match ?? 'exact',
    featured: shown ? (posts.get(hex(shown)) ?? null) : null,
    lastLaunch: context.launches.last.current,
  };
}

/** Live posts in their answered form, by hexadecimal id. */
async function readPosts(context: Needs, oids: Uint8Array[]): Promise<Map<string, Post>> {
  const counts = context.reactions.store.countOf(oids.map((oid) => new ObjectId(oid)));
  // Awaited below, unless reading the posts fails first.
  counts.catch(() => {});
  const posts = await answerPosts(context, await context.posts.store.findInOrder(oids), { counts });
  return new Map(posts.map((post) => [post._id, post]));
}

function hex(oid: Uint8Array): string {
  return Buffer.from(oid).toString('hex');
}
