import type { IngestReport, IngestResult } from '@archive/contracts';
import { importedPostSchema, newPostSchema } from '@archive/contracts/schemas';
import type { ObjectId } from 'mongodb';
import { fingerprintsOf, type KnownPost, type NewDocument } from '../posts/post-document.ts';
import type { PostStore } from '../posts/post-store.ts';
import type { Posts } from '../posts/posts.ts';

export interface IngestNeeds {
  posts: Pick<Posts, 'store'>;
}

interface Candidate {
  index: number;
  post: NewDocument;
  /** Of a removed post that it may be. */
  refused: string[];
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
  const candidates: Candidate[] = [];
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
  let left = candidates;
  // A second round settles what lost a race; a third would mean posts removed and sent again in the same moment.
  for (let round = 0; left.length > 0 && round < 5; round++) left = await settle(context, left, results);
  if (left.length > 0) throw new Error('posts kept colliding with other writers');
  const count = (status: IngestResult['status']) => results.filter((result) => result.status === status).length;
  return { created: count('created'), duplicates: count('duplicate'), invalid: count('invalid'), results };
}

/** Decides each candidate by what is known, inserts the rest, and answers those that lost a race. */
async function settle(context: IngestNeeds, candidates: Candidate[], results: IngestResult[]): Promise<Candidate[]> {
  const known = await context.posts.store.findKnown(
    candidates.map(({ post }) => post.id),
    candidates.flatMap(({ refused }) => refused),
  );
  const byId = new Map<string, KnownPost>();
  const byFingerprint = new Map<string, KnownPost>();
  for (const post of known) {
    for (const id of post.ids) byId.set(id, post);
    byFingerprint.set(post.fingerprint, post);
  }
  const fresh: Candidate[] = [];
  const later: Candidate[] = [];
  const newIds = new Set<string>();
  const newFingerprints = new Set<string>();
  for (const candidate of candidates) {
    const { index, post, refused } = candidate;
    const same = byId.get(post.id);
    const alike = byFingerprint.get(post.fingerprint);
    if (same?.isRemoved || refused.some((fingerprint) => byFingerprint.get(fingerprint)?.isRemoved)) {
      results[index] = { index, id: post.id, status: 'invalid', message: 'removed' };
    } else if (same) {
      results[index] = { index, id: post.id, status: 'duplicate' };
    } else if (alike) {
      const isKept = await remember(context.posts.store, alike._id, post);
      if (isKept) results[index] = { index, id: post.id, status: 'duplicate' };
      else later.push(candidate);
    } else if (newIds.has(post.id) || newFingerprints.has(post.fingerprint)) {
      // Twice in one batch: the next round finds the first one kept.
      later.push(candidate);
    } else {
      newIds.add(post.id);
      newFingerprints.add(post.fingerprint);
      fresh.push(candidate);
    }
  }
  if (fresh.length === 0) return later;
  const inserted = await context.posts.store.insert(fresh.map(({ post }) => post));
  for (const [position, candidate] of fresh.entries()) {
    const { index, post } = candidate;
    if (inserted.has(position)) results[index] = { index, id: post.id, status: 'created' };
    else later.push(candidate);
  }
  return later.sort((a, b) => a.index - b.index);
}

function remember(store: PostStore, keptId: ObjectId, post: NewDocument): Promise<boolean> {
  const { id, url, timestamp: at, savedBy } = post;
  return store.addAlias(keptId, { id, url, at, ...(savedBy && { savedBy }) });
}

function idOf(raw: unknown): string | null {
  const id = raw !== null && typeof raw === 'object' && 'id' in raw ? raw.id : null;
  return typeof id === 'string' ? id.slice(0, 100) : null;
}
