import type { ArchiveFilter, ArchiveSort, ExportFormat, Post } from '@archive/contracts';
import { ObjectId } from 'mongodb';
import type { Base } from '../base.ts';
import { answerPosts, type ReactionCounter, toPost } from './answer-posts.ts';
import { csvHeader, csvRow } from './csv.ts';
import type { Posts } from './posts.ts';

interface Needs extends Pick<Base, 'config'> {
  posts: Pick<Posts, 'store' | 'index'>;
  reactions: ReactionCounter;
}

/** Every match in order as text, chunk by chunk; one chunk is fetched while the last one is written. */
export async function* exportArchives(
  context: Needs,
  input: { filter: ArchiveFilter; sort: ArchiveSort; format: ExportFormat },
): AsyncGenerator<string> {
  yield* writeExport(readChunks(context, input), input.format, context.config.publicUrl.origin);
}

/** Chunks of posts in an export format, from its first to its last character; addresses of ours begin with `origin`. */
export async function* writeExport(
  posts: AsyncIterable<Post[]>,
  format: ExportFormat,
  origin: string,
): AsyncGenerator<string> {
  const chunks = format === 'csv' ? posts : withOrigin(posts, origin);
  if (format === 'csv') yield csvHeader();
  if (format === 'json') yield '[';
  let isFirst = true;
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    if (format === 'csv') yield chunk.map(csvRow).join('');
    else if (format === 'ndjson') yield chunk.map((post) => `${JSON.stringify(post)}\n`).join('');
    else yield (isFirst ? '\n' : ',\n') + chunk.map((post) => JSON.stringify(post)).join(',\n');
    isFirst = false;
  }
  if (format === 'json') yield '\n]\n';
}

/** A file that leaves this archive tells where its pictures are. */
async function* withOrigin(chunks: AsyncIterable<Post[]>, origin: string): AsyncGenerator<Post[]> {
  for await (const posts of chunks) yield posts.map((post) => absolute(post, origin));
}

function absolute(post: Post, origin: string): Post {
  const at = (path: string | null) => path && `${origin}${path}`;
  const avatar = post.authorAvatar?.startsWith('/') ? at(post.authorAvatar) : post.authorAvatar;
  const media = post.media.map((one) => ({ ...one, url: at(one.url), preview: at(one.preview) }));
  return { ...post, authorAvatar: avatar, media };
}

async function* readChunks(
  context: Needs,
  { filter, sort, format }: { filter: ArchiveFilter; sort: ArchiveSort; format: ExportFormat },
): AsyncGenerator<Post[]> {
  const read = async (oids: Uint8Array[]): Promise<Post[]> => {
    // CSV has columns of the post alone.
    if (format === 'csv') {
      const posts = await context.posts.store.findInOrder(oids, { batch: true, fields: 'csv' });
      return posts.map((post) => toPost(post));
    }
    const counts = context.reactions.store.countOf(oids.map((oid) => new ObjectId(oid)));
    // Awaited below, unless the posts cannot be read.
    counts.catch(() => {});
    return answerPosts(context, await context.posts.store.findInOrder(oids, { batch: true }), { counts, batch: true });
  };
  let ahead: Promise<Post[]> | undefined;
  for await (const oids of context.posts.index.export(filter, sort)) {
    const next = read(oids);
    // It is awaited a round later; until then a failure must not count as unhandled.
    next.catch(() => {});
    if (ahead) yield await ahead;
    ahead = next;
  }
  if (ahead) yield await ahead;
}
