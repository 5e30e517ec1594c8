import type { ObjectId } from 'mongodb';
import { type KnownPost, type NewDocument, partsOf } from './post-document.ts';
import type { PostStore } from './post-store.ts';

export interface Candidate {
  post: NewDocument;
  /** See `Fingerprints.refused`. */
  refused: string[];
}

export type Kept = { status: 'created' | 'duplicate'; _id: ObjectId } | { status: 'removed' };

/**
 * Keeps the new ones of these posts and returns one outcome for each, in their order. A post is a duplicate if its id
 * is kept, or if its text is kept under another id; `_id` is then that of the kept post. The function is idempotent.
 */
export async function keepPosts(store: PostStore, candidates: readonly Candidate[]): Promise<Kept[]> {
  const outcomes = new Array<Kept>(candidates.length);
  let left = candidates.map((candidate, index) => ({ ...candidate, index }));
  // The second round settles the candidates that lost a race. More rounds are needed only if a post is removed and sent
  // again at the same moment.
  for (let round = 0; left.length > 0 && round < 5; round++) left = await settle(store, left, outcomes);
  if (left.length > 0) throw new Error('posts kept colliding with other writers');
  return outcomes;
}

type Placed = Candidate & { index: number };

/** Settles each candidate that is known, inserts the others, and returns those that lost a race. */
async function settle(store: PostStore, candidates: readonly Placed[], outcomes: Kept[]): Promise<Placed[]> {
  const known = await store.findKnown(
    candidates.map(({ post }) => post.id),
    candidates.flatMap(({ refused }) => refused),
  );
  const byId = new Map<string, KnownPost>();
  const byWords = new Map<string, KnownPost[]>();
  for (const post of known) {
    for (const id of post.ids) byId.set(id, post);
    byWords.set(post.base, [...(byWords.get(post.base) ?? []), post]);
  }
  const fresh: Placed[] = [];
  const later: Placed[] = [];
  const newIds = new Set<string>();
  const newFingerprints = new Set<string>();
  for (const candidate of candidates) {
    const { index, post, refused } = candidate;
    const { base, author } = partsOf(post.fingerprint);
    const same = byId.get(post.id);
    const alike = byWords.get(base)?.find((one) => !one.isRemoved && isDuplicate(author, one.author));
    const isRefused = refused.some((words) =>
      byWords.get(words)?.some((one) => one.isRemoved && isRefusedBy(author, one.author)),
    );
    if (same?.isRemoved || isRefused) {
      outcomes[index] = { status: 'removed' };
    } else if (same) {
      outcomes[index] = { status: 'duplicate', _id: same._id };
    } else if (alike) {
      const isKept = await remember(store, alike._id, post);
      if (isKept) outcomes[index] = { status: 'duplicate', _id: alike._id };
      else later.push(candidate);
    } else if (newIds.has(post.id) || newFingerprints.has(post.fingerprint)) {
      // The batch holds the post twice. The next round finds the first one kept.
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

/**
 * A post without a verified author duplicates any post with the same text. A post that its platform has told duplicates
 * only posts of the same author.
 */
function isDuplicate(author: string | undefined, known: string | undefined): boolean {
  return author === undefined || author === known;
}

/** A removal of one author's post does not refuse the same text of another author. */
function isRefusedBy(author: string | undefined, removed: string | undefined): boolean {
  return author === undefined || removed === undefined || author === removed;
}

function remember(store: PostStore, keptId: ObjectId, post: NewDocument): Promise<boolean> {
  const { id, url, timestamp: at, savedBy } = post;
  return store.addAlias(keptId, { id, url, at, ...(savedBy && { savedBy }) });
}
