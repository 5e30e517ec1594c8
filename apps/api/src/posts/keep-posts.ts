import type { ObjectId } from 'mongodb';
import type { KnownPost, NewDocument } from './post-document.ts';
import type { PostStore } from './post-store.ts';

export interface Candidate {
  post: NewDocument;
  /** Fingerprints of a removed post that it may be. */
  refused: string[];
}

export type Kept = { status: 'created' | 'duplicate'; _id: ObjectId } | { status: 'removed' };

/**
 * Keeps what is new of these posts, one outcome each in their order. What is kept already under this id, or word for word
 * under another, is a duplicate: then `_id` is that of the kept one. Doing it again changes nothing.
 */
export async function keepPosts(store: PostStore, candidates: readonly Candidate[]): Promise<Kept[]> {
  const outcomes = new Array<Kept>(candidates.length);
  let left = candidates.map((candidate, index) => ({ ...candidate, index }));
  // A second round settles what lost a race; a third would mean posts removed and sent again in the same moment.
  for (let round = 0; left.length > 0 && round < 5; round++) left = await settle(store, left, outcomes);
  if (left.length > 0) throw new Error('posts kept colliding with other writers');
  return outcomes;
}

type Placed = Candidate & { index: number };

/** Decides each candidate by what is known, inserts the rest, and answers those that lost a race. */
async function settle(store: PostStore, candidates: readonly Placed[], outcomes: Kept[]): Promise<Placed[]> {
  const known = await store.findKnown(
    candidates.map(({ post }) => post.id),
    candidates.flatMap(({ refused }) => refused),
  );
  const byId = new Map<string, KnownPost>();
  const byFingerprint = new Map<string, KnownPost>();
  for (const post of known) {
    for (const id of post.ids) byId.set(id, post);
    byFingerprint.set(post.fingerprint, post);
  }
  const fresh: Placed[] = [];
  const later: Placed[] = [];
  const newIds = new Set<string>();
  const newFingerprints = new Set<string>();
  for (const candidate of candidates) {
    const { index, post, refused } = candidate;
    const same = byId.get(post.id);
    const alike = byFingerprint.get(post.fingerprint);
    if (same?.isRemoved || refused.some((fingerprint) => byFingerprint.get(fingerprint)?.isRemoved)) {
      outcomes[index] = { status: 'removed' };
    } else if (same) {
      outcomes[index] = { status: 'duplicate', _id: same._id };
    } else if (alike) {
      const isKept = await remember(store, alike._id, post);
      if (isKept) outcomes[index] = { status: 'duplicate', _id: alike._id };
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
  const inserted = await store.insert(fresh.map(({ post }) => post));
  for (const [position, candidate] of fresh.entries()) {
    const kept = inserted.get(position);
    if (kept) outcomes[candidate.index] = { status: 'created', _id: kept._id };
    else later.push(candidate);
  }
  return later.sort((a, b) => a.index - b.index);
}

function remember(store: PostStore, keptId: ObjectId, post: NewDocument): Promise<boolean> {
  const { id, url, timestamp: at, savedBy } = post;
  return store.addAlias(keptId, { id, url, at, ...(savedBy && { savedBy }) });
}
