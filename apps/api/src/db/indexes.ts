import { NO_HANDLE } from '@archive/contracts';
import type { Db, IndexDescription } from 'mongodb';

export const INDEXES: Record<string, IndexDescription[]> = {
  posts: [
    // One unique index over a post's own id and its aliases, so that no id names two posts.
    { key: { ids: 1 }, name: 'ids', unique: true },
    // Posts with the same content, author and handle are one post.
    { key: { fingerprint: 1 }, name: 'fingerprint', unique: true },
    { key: { words: 1 }, name: 'words', sparse: true },
    // Read by followers of changes.
    { key: { changedAt: 1, _id: 1 }, name: 'changed' },
    // The order of an index build.
    { key: { timestamp: 1, _id: 1 }, name: 'time' },
    // One payment features one post.
    { key: { featuredPayment: 1 }, name: 'payment', unique: true, sparse: true },
    { key: { endedPayments: 1 }, name: 'ended', sparse: true },
    { key: { savedBy: 1 }, name: 'saved-by', sparse: true },
    // Posts that the platform itself has told, read by author.
    ofSome('author-told', 'authorId', 'isFromPlatform'),
    { key: { lookDueAt: 1 }, name: 'look-due', sparse: true },
    { key: { mediaDueAt: 1 }, name: 'media-due', sparse: true },
    { key: { emptied: 1 }, name: 'unemptied', sparse: true },
    // Posts of an earlier version whose handle is still to be replaced by the author id.
    { key: { authorUsername: 1 }, name: 'no-handle', partialFilterExpression: { authorUsername: NO_HANDLE } },
    ofSome('thread', 'threadRoot', 'timestamp', 'id'),
    ofSome('sealed-due', 'sealedOn', 'lookDueAt'),
  ],
  saves: [
    // A mention is one request, however often it is delivered.
    { key: { key: 1 }, name: 'key', unique: true },
    ofSome('work-queue', 'queue', 'dueAt', 'platform'),
    { key: { state: 1, endsAt: 1 }, name: 'late' },
    { key: { reply: 1, endsAt: 1 }, name: 'unanswered' },
    { key: { createdAt: 1, via: 1 }, name: 'minute' },
    { key: { isPublic: 1, createdAt: -1, _id: -1 }, name: 'shown' },
    { key: { isPublic: 1, state: 1, createdAt: -1, _id: -1 }, name: 'shown-state' },
    { key: { 'askedBy.id': 1, createdAt: -1, _id: -1 }, name: 'asked' },
    { key: { 'askedBy.id': 1, endedAt: -1 }, name: 'told', partialFilterExpression: { endedAt: { $exists: true } } },
    ofSome('known-network', 'network', 'createdAt'),
    { key: { replyId: 1 }, name: 'answered', sparse: true },
  ],
  sealed_posts: [
    { key: { at: 1 }, name: 'age' },
    { key: { 'post.authorId': 1 }, name: 'author' },
  ],
  // Captures of an earlier version that are still to be reduced.
  captures: [{ key: { at: 1 }, name: 'whole', partialFilterExpression: { raw: { $exists: true } } }],
  look_hints: [{ key: { dueAt: 1 }, name: 'due' }],
  author_wishes: [{ key: { handle: 1 }, name: 'handle' }],
  users: [{ key: { walletAddress: 1 }, name: 'wallet', unique: true }],
  // One row for each post, wallet and type. Totals are counted from rows, so that they cannot drift.
  reactions: [
    { key: { post: 1, wallet: 1, type: 1 }, name: 'row', unique: true },
    { key: { post: 1, type: 1 }, name: 'count' },
    { key: { wallet: 1, createdAt: -1 }, name: 'given' },
  ],
  payments: [
    { key: { payer: 1, createdAt: -1 }, name: 'payer' },
    { key: { state: 1, finalizedAt: 1 }, name: 'state' },
    { key: { use: 1 }, name: 'use' },
    { key: { createdAt: -1, _id: -1 }, name: 'newest' },
    { key: { state: 1, createdAt: -1, _id: -1 }, name: 'newest-state' },
    // One transaction refunds one credit.
    { key: { 'refund.transaction': 1 }, name: 'refund', unique: true, sparse: true },
  ],
  payment_reports: [
    { key: { nextAt: 1 }, name: 'due' },
    { key: { signature: 1 }, name: 'signature' },
    { key: { wallet: 1, isExpired: 1 }, name: 'wallet' },
    { key: { network: 1, isExpired: 1 }, name: 'network' },
  ],
  credit_uses: [{ key: { state: 1, changedAt: 1 }, name: 'state' }],
  feature_prices: [{ key: { mint: 1, from: -1 }, name: 'latest' }],
  launches: [
    { key: { mint: 1 }, name: 'mint', unique: true },
    { key: { wallet: 1, createdAt: -1 }, name: 'wallet' },
    { key: { state: 1, changedAt: 1 }, name: 'state' },
    { key: { changedAt: -1, _id: -1 }, name: 'changed' },
    { key: { confirmedAt: -1 }, name: 'confirmed' },
    // Launches that a restore has put back without the text of their posts.
    { key: { 'restored.ids': 1 }, name: 'restored', sparse: true },
    // Read by the watcher in each round: launches whose posts are not marked as their state says.
    { key: { shown: 1, state: 1 }, name: 'shown' },
  ],
  saved_searches: [
    { key: { wallet: 1, query: 1 }, name: 'question', unique: true },
    { key: { wallet: 1, createdAt: -1 }, name: 'wallet' },
  ],
  browsers: [
    { key: { wallet: 1, since: 1 }, name: 'wallet' },
    { key: { session: 1 }, name: 'session' },
    { key: { key: 1, lookedAt: 1 }, name: 'look' },
  ],
  pushes: [
    { key: { tries: 1, dueAt: 1 }, name: 'due', partialFilterExpression: { dueAt: { $exists: true } } },
    { key: { wallet: 1 }, name: 'wallet' },
    { key: { expiresAt: 1 }, name: 'expiry' },
  ],
  collections: [{ key: { wallet: 1, changedAt: -1 }, name: 'wallet' }],
  collection_posts: [
    { key: { collection: 1, post: 1 }, name: 'row', unique: true },
    { key: { collection: 1, at: -1, post: 1 }, name: 'order' },
    { key: { post: 1 }, name: 'post' },
  ],
  // Removals that a dead process has left.
  removals: [{ key: { state: 1, leaseUntil: 1 }, name: 'left' }],
  audit: [
    { key: { at: 1 }, name: 'time' },
    { key: { act: 1, _id: -1 }, name: 'act' },
    { key: { 'subject.id': 1, _id: -1 }, name: 'subject' },
    { key: { 'actor.id': 1, _id: -1 }, name: 'actor' },
  ],
  reports: [
    { key: { number: 1 }, name: 'number', unique: true },
    { key: { secrets: 1 }, name: 'secret', unique: true },
    // One report of a post for each network.
    {
      key: { post: 1, network: 1 },
      name: 'row',
      unique: true,
      partialFilterExpression: { network: { $exists: true } },
    },
    { key: { post: 1, number: -1 }, name: 'post' },
    { key: { doneAt: 1 }, name: 'done', sparse: true },
  ],
  reported_posts: [
    { key: { state: 1, gravity: 1, firstAt: 1, _id: 1 }, name: 'queue' },
    { key: { state: 1, changedAt: -1, _id: -1 }, name: 'decided' },
    { key: { hiddenByReportsAt: 1 }, name: 'hidden', sparse: true },
  ],
  launch_counts: [{ key: { expiresAt: 1 }, name: 'expiry' }],
  // Files that are being removed.
  media: [{ key: { state: 1 }, name: 'state' }],
  // One row for each post that needs a file. The file exists as long as it has a row.
  media_refs: [
    { key: { sha256: 1, post: 1 }, name: 'row', unique: true },
    { key: { post: 1 }, name: 'post' },
  ],
  // Short-lived documents. Our own sweep deletes them, since the embedded database has no TTL indexes. Readers check
  // the expiry themselves.
  challenges: [{ key: { expiresAt: 1 }, name: 'expiry' }],
  sessions: [
    { key: { expiresAt: 1 }, name: 'expiry' },
    { key: { walletAddress: 1 }, name: 'wallet' },
  ],
  signed_messages: [{ key: { expiresAt: 1 }, name: 'expiry' }],
  signed_marks: [{ key: { expiresAt: 1 }, name: 'expiry' }],
  rate_limits: [
    { key: { key: 1 }, name: 'key', unique: true },
    { key: { expire: 1 }, name: 'expiry' },
  ],
};

/** Indexes of earlier versions; they would slow down every write. */
const DROPPED = [
  { collection: 'posts', name: 'updated' },
  { collection: 'posts', name: 'author-id' },
  { collection: 'posts', name: 'thread-order' },
  { collection: 'posts', name: 'sealed' },
  { collection: 'saves', name: 'due' },
  { collection: 'saves', name: 'reply' },
  { collection: 'saves', name: 'queue' },
  { collection: 'saves', name: 'network' },
];

/**
 * An index over the documents that have the first field. A sparse index would contain each document with any of the
 * fields.
 */
function ofSome(name: string, first: string, ...others: string[]): IndexDescription {
  const key = Object.fromEntries([first, ...others].map((field) => [field, 1]));
  return { key, name, partialFilterExpression: { [first]: { $exists: true } } };
}

/** Names of missing indexes, with their collections. */
export async function missingIndexes(db: Db): Promise<string[]> {
  const missing: string[] = [];
  for (const [collection, indexes] of Object.entries(INDEXES)) {
    const there = await db
      .collection(collection)
      .listIndexes()
      .toArray()
      .catch(() => []);
    const names = new Set(there.map(({ name }) => name));
    missing.push(...indexes.filter(({ name }) => !names.has(name)).map(({ name }) => `${collection}.${name}`));
  }
  return missing;
}

export async function ensureIndexes(db: Db): Promise<void> {
  const hasRowsByPost = await db
    .collection('collection_posts')
    .indexExists('post')
    .catch(() => false);
  // An earlier version removed posts from a collection only when it was shown. The emptying of a removed post does it
  // now, so posts that were emptied before are emptied again.
  if (!hasRowsByPost)
    await db
      .collection('posts')
      .updateMany({ removedAt: { $exists: true }, sealed: { $exists: false } }, { $set: { emptied: false } });
  for (const [collection, indexes] of Object.entries(INDEXES)) {
    if (indexes.length > 0) await db.collection(collection).createIndexes(indexes);
  }
  for (const { collection, name } of DROPPED) {
    if (await db.collection(collection).indexExists(name)) await db.collection(collection).dropIndex(name);
  }
}
