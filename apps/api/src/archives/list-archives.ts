import type { Archive, ArchivePage, ArchiveQuery } from '@archive/contracts';
import { ObjectId } from 'mongodb';
import type { Context } from '../context.ts';
import { toArchive } from './post-document.ts';

/** One page of the archive: the index says which posts and how many, MongoDB what they are. */
export async function listArchives(
  context: Pick<Context, 'archives' | 'index' | 'now' | 'reactions' | 'lastLaunch'>,
  query: ArchiveQuery,
): Promise<ArchivePage> {
  const { page, limit, split, sortBy, sortOrder, ...filter } = query;
  const isSplit = split === 'featured';
  const answer = await context.index.list({
    filter,
    sort: { sortBy, sortOrder },
    offset: (page - 1) * limit,
    limit,
    split: isSplit,
    now: context.now(),
  });
  const shown = page === 1 ? answer.featured : null;
  const wanted =
    shown && !answer.oids.some((oid) => Buffer.compare(oid, shown) === 0) ? [...answer.oids, shown] : answer.oids;
  const posts = new Map<string, Archive>();
  const [found, counts] = await Promise.all([
    context.archives.findInOrder(wanted),
    context.reactions.countOf(wanted.map((oid) => new ObjectId(oid))),
  ]);
  for (const post of found) posts.set(post._id.toHexString(), toArchive(post, counts));
  const inData = answer.total - (isSplit && answer.featured ? 1 : 0);
  return {
    data: answer.oids.map((oid) => posts.get(hex(oid))).filter((post) => post !== undefined),
    stats: answer.stats,
    pagination: { page, limit, total: answer.total, pages: Math.ceil(inData / limit) },
    featured: shown ? (posts.get(hex(shown)) ?? null) : null,
    lastLaunch: context.lastLaunch.current,
  };
}

function hex(oid: Uint8Array): string {
  return Buffer.from(oid).toString('hex');
}
