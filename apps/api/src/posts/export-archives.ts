import type { ArchiveFilter, ArchiveSort, ExportFormat, Post } from '@archive/contracts';
import { ObjectId } from 'mongodb';
import type { Base } from '../base.ts';
import { answerPosts, type ReactionCounter, toPost } from './answer-posts.ts';
import { givenOnly } from './held-back.ts';
import type { Posts } from './posts.ts';
import { writeExport } from './write-export.ts';

interface Needs extends Pick<Base, 'config' | 'now'> {
  posts: Pick<Posts, 'store' | 'index'>;
  reactions: ReactionCounter;
}

/** Yields all matches in order, as text chunks. The next chunk is read while the reader takes the last one. */
export async function* exportArchives(
  context: Needs,
  input: { filter: ArchiveFilter; sort: ArchiveSort; format: ExportFormat },
): AsyncGenerator<string> {
  const { config } = context;
  yield* writeExport(givenOnly(readChunks(context, input), config), input.format, config.publicUrl.origin);
}

async function* readChunks(
  context: Needs,
  { filter, sort, format }: { filter: ArchiveFilter; sort: ArchiveSort; format: ExportFormat },
): AsyncGenerator<Post[]> {
  const read = async (oids: Uint8Array[]): Promise<Post[]> => {
    // CSV needs no reactions and no other posts.
    if (format === 'csv') {
      const posts = await context.posts.store.findInOrder(oids, { batch: true, fields: 'csv' });
      return posts.map((post) => toPost(post));
    }
    const counts = context.reactions.store.countOf(oids.map((oid) => new ObjectId(oid)));
    // The rejection is handled below. This prevents an unhandled rejection if reading the posts fails first.
    counts.catch(() => {});
    return answerPosts(context, await context.posts.store.findInOrder(oids, { batch: true }), { counts, batch: true });
  };
  let ahead: Promise<Post[]> | undefined;
  for await (const oids of context.posts.index.export(filter, sort, context.now())) {
    const next = read(oids);
    // `next` is awaited one round later; until then a rejection must not count as unhandled.
    next.catch(() => {});
    if (ahead) yield await ahead;
    ahead = next;
  }
  if (ahead) yield await ahead;
}
