import type { Audit } from '../audit/audit.ts';
import type { Database } from '../db/database.ts';
import { isRemoved } from '../posts/post-document.ts';
import { PostStore } from '../posts/post-store.ts';

const DONE = { feature: 'is featured', unfeature: 'is no longer featured' } as const;

/** Features or unfeatures one post; a running server shows it within 2 seconds. */
export async function changePost(
  { db, clock }: Database,
  audit: Audit,
  change: keyof typeof DONE,
  id: string,
): Promise<boolean> {
  const store = new PostStore(db, clock);
  const post = await store.find(id);
  if (!post || isRemoved(post)) {
    process.stdout.write(post ? `Post ${id} was removed before.\n` : `There is no post ${id}.\n`);
    return false;
  }
  const featured = change === 'feature';
  const act = { actor: { kind: 'command line' }, act: `${change} post`, after: { featured } } as const;
  const subject = { kind: 'post', id: post._id.toHexString() };
  const isDone = await audit.perform({ ...act, subject, before: { featured: post.featured } }, async () => {
    return (await store.setFeatured(post._id, featured)) !== null;
  });
  process.stdout.write(isDone ? `Post ${id} ${DONE[change]}.\n` : `Post ${id} was removed meanwhile.\n`);
  return isDone;
}
