import type { ArchivePage, ArchiveQuery, Post, TokenLaunch } from '@archive/contracts';
import { ObjectId } from 'mongodb';
import type { Asker } from '../archive-index/question-queue.ts';
import type { Base } from '../base.ts';
import { type ReactionCounter, toPost } from './post-document.ts';
import type { Posts } from './posts.ts';

/** Posts; reading more of them takes the main thread so long that everybody notices. */
const LARGE_PAGE = 100;

interface Needs extends Pick<Base, 'now'> {
  posts: Pick<Posts, 'store' | 'index' | 'largePages'>;
  reactions: ReactionCounter;
  launches: { last: { readonly current: TokenLaunch | null } };
}

/** One page of the archive: the index says which posts and how many, MongoDB what they are. */
export async function listArchives(context: Needs, query: ArchiveQuery, asker: Asker): Promise<ArchivePage> {
  const { page, limit, split, sortBy, sortOrder, ...filter } = query;
  const isSplit = split === 'featured';
  const sort = { sortBy, sortOrder };
  const offset = (page - 1) * limit;
  const question = { filter, sort, offset, limit, split: isSplit, now: context.now() };
  const answer = await context.posts.index.list(question, asker);
  const shown = page === 1 ? answer.featured : null;
  const wanted =
    shown && !answer.oids.some((oid) => Buffer.compare(oid, shown) === 0) ? [...answer.oids, shown] : answer.oids;
  const posts = new Map<string, Post>();
  const read = () =>
    Promise.all([
      context.posts.store.findInOrder(wanted),
      context.reactions.store.countOf(wanted.map((oid) => new ObjectId(oid))),
    ]);
  const isLarge = wanted.length > LARGE_PAGE;
  const [found, counts] = isLarge ? await context.posts.largePages.ask(read, asker) : await read();
  for (const post of found) posts.set(post._id.toHexString(), toPost(post, counts));
  const inData = answer.total - (isSplit && answer.featured ? 1 : 0);
  return {
    data: answer.oids.map((oid) => posts.get(hex(oid))).filter((post) => post !== undefined),
    stats: answer.stats,
    pagination: { page, limit, total: answer.total, pages: Math.ceil(inData / limit) },
    featured: shown ? (posts.get(hex(shown)) ?? null) : null,
    lastLaunch: context.launches.last.current,
  };
}

function hex(oid: Uint8Array): string {
  return Buffer.from(oid).toString('hex');
}
