import type { IngestReport, IngestResult } from '@archive/contracts';
import { importedPostSchema, type NewMedia, type NewPost, newPostSchema } from '@archive/contracts/schemas';
import type { Authors } from '../authors/authors.ts';
import { type Candidate, keepPosts } from '../posts/keep-posts.ts';
import { ownReplyTo } from '../posts/own-reply.ts';
import { fingerprintsOf, type NewDocument } from '../posts/post-document.ts';
import type { Posts } from '../posts/posts.ts';

export interface IngestNeeds {
  posts: Pick<Posts, 'store' | 'arrived'>;
  authors: Pick<Authors, 'wishes'>;
}

interface IngestOptions {
  /** The agent key that sends the posts. */
  savedBy?: string;
  /** Whether the posts may state when and how they first came into an archive. */
  tellsOrigin?: boolean;
  /** Stores the bytes of their media. Without it, the server fetches them from the platform. */
  keepMedia?: KeepMedia | undefined;
}

/** Stores a post's media and returns them; `post` is its `_id`. */
export type KeepMedia = (post: NewPost, _id: string) => Promise<NewMedia[]>;

/**
 * Ingests posts and returns one result for each, in their order. A result means that the post is written and flushed.
 * Idempotent.
 */
export async function ingestPosts(
  context: IngestNeeds,
  sent: readonly unknown[],
  { savedBy, tellsOrigin = false, keepMedia }: IngestOptions = {},
): Promise<IngestReport> {
  const results = new Array<IngestResult>(sent.length);
  const candidates: (Candidate & { index: number; media: NewMedia[] | undefined })[] = [];
  const schema = tellsOrigin ? importedPostSchema : newPostSchema;
  for (const [index, raw] of sent.entries()) {
    const checked = schema.safeParse(raw);
    if (checked.success) {
      const { own, refused } = fingerprintsOf(checked.data);
      const { media, ...told } = checked.data;
      const post: NewDocument = { ...told, fingerprint: own, ...(savedBy && { savedBy }) };
      // The sender's hashes are dropped, since only the bytes prove them.
      if (media) post.media = media.map(({ sha256: _, ...one }) => one);
      if (media && !tellsOrigin) post.mediaDueAt = context.posts.store.now();
      candidates.push({ index, refused, post, media });
    } else {
      const issue = checked.error.issues[0];
      const message = issue ? `${issue.path.join('.') || 'post'} ${issue.message}` : 'is not a post';
      results[index] = { index, id: idOf(raw), status: 'invalid', message };
    }
  }
  const declined = await context.authors.wishes.refused(candidates.map(({ post }) => post));
  for (const { index, post } of candidates.filter((_, at) => declined.has(at))) {
    results[index] = { index, id: post.id, status: 'invalid', message: 'its author does not want to be kept here' };
  }
  const wanted = candidates.filter((_, at) => !declined.has(at));
  const kept = await keepPosts(context.posts.store, wanted);
  for (const [at, { index, post, media }] of wanted.entries()) {
    const outcome = kept[at];
    if (!outcome || outcome.status === 'removed') {
      results[index] = { index, id: post.id, status: 'invalid', message: 'removed' };
      continue;
    }
    results[index] = { index, id: post.id, status: outcome.status };
    const replyTo = ownReplyTo(post);
    if (replyTo) await context.posts.arrived.joinThread(post, replyTo);
    if (media && keepMedia) {
      const found = await keepMedia({ ...post, media }, outcome._id.toHexString());
      // Media of a kept post are replaced only if all bytes are present.
      const isBetter = outcome.status === 'created' || found.every(({ sha256 }) => sha256);
      if (isBetter) await context.posts.arrived.setMedia(outcome._id, found, null);
    }
  }
  const count = (status: IngestResult['status']) => results.filter((result) => result.status === status).length;
  return { created: count('created'), duplicates: count('duplicate'), invalid: count('invalid'), results };
}

function idOf(raw: unknown): string | null {
  const id = raw !== null && typeof raw === 'object' && 'id' in raw ? raw.id : null;
  return typeof id === 'string' ? id.slice(0, 100) : null;
}
