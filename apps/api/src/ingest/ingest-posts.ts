import type { IngestReport, IngestResult } from '@archive/contracts';
import { importedPostSchema, newPostSchema } from '@archive/contracts/schemas';
import type { Authors } from '../authors/authors.ts';
import { keepPosts } from '../posts/keep-posts.ts';
import { fingerprintsOf, type NewDocument } from '../posts/post-document.ts';
import type { Posts } from '../posts/posts.ts';

export interface IngestNeeds {
  posts: Pick<Posts, 'store'>;
  authors: Pick<Authors, 'wishes'>;
}

/**
 * Takes in posts as sent, one result each in their order. Acknowledged means written and flushed; sending the same
 * again changes nothing. `savedBy` is the agent key that sends them; with `tellsOrigin` they may say as well when and how
 * they first came into an archive.
 */
export async function ingestPosts(
  context: IngestNeeds,
  sent: readonly unknown[],
  { savedBy, tellsOrigin = false }: { savedBy?: string; tellsOrigin?: boolean } = {},
): Promise<IngestReport> {
  const results = new Array<IngestResult>(sent.length);
  const candidates: { index: number; post: NewDocument; refused: string[] }[] = [];
  const schema = tellsOrigin ? importedPostSchema : newPostSchema;
  for (const [index, raw] of sent.entries()) {
    const checked = schema.safeParse(raw);
    if (checked.success) {
      const { own, refused } = fingerprintsOf(checked.data);
      candidates.push({ index, refused, post: { ...checked.data, fingerprint: own, ...(savedBy && { savedBy }) } });
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
  for (const [at, { index, post }] of wanted.entries()) {
    const status = kept[at]?.status;
    results[index] =
      status === 'created' || status === 'duplicate'
        ? { index, id: post.id, status }
        : { index, id: post.id, status: 'invalid', message: 'removed' };
  }
  const count = (status: IngestResult['status']) => results.filter((result) => result.status === status).length;
  return { created: count('created'), duplicates: count('duplicate'), invalid: count('invalid'), results };
}

function idOf(raw: unknown): string | null {
  const id = raw !== null && typeof raw === 'object' && 'id' in raw ? raw.id : null;
  return typeof id === 'string' ? id.slice(0, 100) : null;
}
