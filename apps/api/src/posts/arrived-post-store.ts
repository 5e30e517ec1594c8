import { NO_HANDLE, type Platform } from '@archive/contracts';
import type { NewMedia } from '@archive/contracts/schemas';
import type { Collection, Db, Document, Filter, ObjectId, UpdateResult } from 'mongodb';
import { isDuplicateKey } from '../db/database.ts';
import type { PostChanges } from './post-changes.ts';
import { CHANGED, type NewDocument, type PostDocument, type StoredPost } from './post-document.ts';

/** How long a look at a post stays claimed. If the look fails, the post is looked at again after this time. */
export const LOOK_CLAIMED_MS = 5 * 60_000;
/** Longest time that one look takes, as a part of `LOOK_CLAIMED_MS`. */
const LOOKING_MS = 30_000;
/** Due time of a look that precedes all others. */
const FIRST_OF_ALL = new Date(0);

/** Fields that a post may lack if it was kept before its platform was asked. */
const FILLED_FIELDS = [
  'language',
  'links',
  'sensitive',
  'media',
  'replyTo',
  'quoted',
  'threadRoot',
  'avatarSha256',
  'source',
  'versions',
  'mediaDueAt',
  'mediaPayers',
  'lookDueAt',
] as const satisfies (keyof NewDocument)[];

/** Fields in which the platform's answer replaces what another sender has sent. */
const TOLD_FIELDS = [
  ...FILLED_FIELDS,
  'content',
  'author',
  'authorUsername',
  'authorAvatar',
  'authorId',
  'timestamp',
  'url',
  'metadata',
  'origin',
  'fingerprint',
  'words',
] as const satisfies (keyof NewDocument)[];

/** Updates posts with what their platforms tell. Announces each change, as `PostStore` does. */
export class ArrivedPostStore {
  readonly #posts: Collection<StoredPost>;
  readonly #changes: PostChanges;

  constructor(db: Db, changes: PostChanges) {
    this.#posts = db.collection<StoredPost>('posts');
    this.#changes = changes;
  }

  /**
   * Fills the fields that a kept post lacks, and its author, from the platform's answer. If an agent has sent the post,
   * the platform's answer replaces all fields, also the text. But the text stays if a token was launched from it or
   * a payment features it. Returns false if the post has other text under this id, or if the same text is kept as
   * another post; then the post stays unchanged and does not count as told by the platform.
   */
  async fill(id: ObjectId, from: NewDocument): Promise<boolean> {
    const same = { _id: id, id: from.id, removedAt: { $exists: false } } as Filter<StoredPost>;
    const replaced = await this.#replaceClaims(same, from);
    if (replaced === 'other') return false;
    const { matchedCount } = replaced ?? (await this.#complete({ ...same, content: from.content }, from));
    if (matchedCount > 0) {
      // Stamped and announced even if no field was lacking: another process may have died between the two writes.
      if (!replaced) await this.#posts.updateOne({ _id: id }, { $currentDate: CHANGED });
      await this.#changes.announce({ kind: 'filled', ids: [id] });
    }
    return matchedCount > 0;
  }

  /**
   * Removes an alias that was wrongly recorded for this post. With `claimedOnly`, only if an agent has sent the alias.
   */
  async dropAlias(_id: ObjectId, id: string, { claimedOnly }: { claimedOnly: boolean }): Promise<void> {
    const alias = { id, ...(claimedOnly && { savedBy: { $exists: true } }) };
    const { modifiedCount } = await this.#posts.updateOne(
      { _id, id: { $ne: id }, aliases: { $elemMatch: alias } } as Filter<StoredPost>,
      { $pull: { aliases: { id }, ids: id } },
    );
    if (modifiedCount > 0) await this.#changes.announce({ kind: 'alias', ids: [_id] });
  }

  /**
   * Null if no agent has sent the post, if the platform has told it since, or if a payment or a token depends on other
   * text. 'other' if the same post is kept under another id.
   */
  async #replaceClaims(same: Filter<StoredPost>, from: NewDocument): Promise<UpdateResult | 'other' | null> {
    const told = TOLD_FIELDS.filter((name) => from[name] !== undefined);
    const untold = TOLD_FIELDS.filter((name) => from[name] === undefined);
    const set = Object.fromEntries(told.map((name) => [name, from[name]]));
    try {
      const result = await this.#posts.updateOne(
        {
          ...same,
          savedBy: { $exists: true },
          isFromPlatform: { $exists: false },
          // If a payment or a token depends on the post, it is replaced only if the text is the same.
          $or: [{ content: from.content }, { launched: { $ne: true }, featuredPayment: { $exists: false } }],
        },
        {
          $set: { ...set, isFromPlatform: true },
          // Without `savedBy`, a removal of all posts of that agent leaves this post.
          $unset: { ...Object.fromEntries(untold.map((name) => [name, ''])), savedBy: '' },
          $currentDate: CHANGED,
        },
      );
      return result.matchedCount > 0 ? result : null;
    } catch (error) {
      if (isDuplicateKey(error)) return 'other';
      throw error;
    }
  }

  #complete(same: Filter<StoredPost>, from: NewDocument): Promise<UpdateResult> {
    const present = FILLED_FIELDS.filter((name) => from[name] !== undefined);
    const values = present.map((name) => [name, { $ifNull: [`$${name}`, { $literal: from[name] }] }]);
    const { authorId, origin } = from;
    const isSigned = { $and: ['$isFromPlatform', '$origin.capture.signed'] };
    const told = origin && {
      origin: {
        // The first requester stays, and so does a capture with a signature.
        savedBy: { $ifNull: ['$origin.savedBy', { $literal: origin.savedBy }] },
        capture: { $cond: [isSigned, '$origin.capture', origin.capture] },
      },
      ...(authorId !== undefined && { authorId: { $literal: authorId } }),
      isFromPlatform: true,
    };
    return this.#posts.updateOne(same, [{ $set: { ...Object.fromEntries(values), ...told } }]);
  }

  /**
   * Live posts of an author by the platform's author id, newest first; only posts that the platform itself has told.
   */
  async findOfAuthor(platform: Platform, authorId: string, limit: number): Promise<PostDocument[]> {
    return (await this.#posts
      .find({ authorId, isFromPlatform: true, ...isOn(platform), removedAt: { $exists: false } })
      .sort({ timestamp: -1 })
      .limit(limit)
      .toArray()) as PostDocument[];
  }

  /** Counts live posts that were sent in under this author id and that the platform itself has not told. */
  countClaimed(platform: Platform, authorId: string): Promise<number> {
    const claimed = { authorId, isFromPlatform: { $exists: false }, removedAt: { $exists: false } };
    const address = platform === 'x' ? /^https?:\/\/(?:\w+\.)?(?:x|twitter)\.com\// : /^https:\/\/bsky\.app\//;
    return this.#posts.countDocuments({ ...claimed, url: address } as Filter<StoredPost>);
  }

  /** Removed posts whose media and evidence are not deleted yet. */
  async findUnemptied(limit: number): Promise<ObjectId[]> {
    const found = this.#posts.find({ emptied: false } as Filter<StoredPost>, { projection: { _id: 1 }, limit });
    return (await found.toArray()).map(({ _id }) => _id);
  }

  async markEmptied(id: ObjectId): Promise<void> {
    await this.#posts.updateOne({ _id: id }, { $unset: { emptied: '' } });
  }

  /**
   * Stores the media and, if bytes are missing, the time `dueAt` of the next fetch. Returns false if the post is
   * removed, or if `changedAt` is given and the post has changed since.
   */
  async setMedia(
    id: ObjectId,
    media: readonly NewMedia[],
    dueAt: Date | null,
    { changedAt, avatarSha256 }: Partial<Pick<PostDocument, 'changedAt' | 'avatarSha256'>> = {},
  ): Promise<boolean> {
    const { matchedCount } = await this.#posts.updateOne(
      { _id: id, removedAt: { $exists: false }, ...(changedAt && { changedAt }) },
      {
        $set: {
          ...(media.length > 0 && { media: [...media] }),
          ...(dueAt && { mediaDueAt: dueAt }),
          ...(avatarSha256 && { avatarSha256 }),
        },
        ...(!dueAt && { $unset: { mediaDueAt: '', mediaPayers: '' } }),
        $currentDate: CHANGED,
      },
    );
    if (matchedCount > 0) await this.#changes.announce({ kind: 'filled', ids: [id] });
    return matchedCount > 0;
  }

  /** Sets the handle to the author id in posts whose handle is invalid. Returns how many posts were found. */
  async nameByIds(limit: number): Promise<number> {
    const unnamed = { authorUsername: NO_HANDLE, isFromPlatform: true as const, authorId: { $exists: true } };
    const found = (await this.#posts.find(unnamed, { hint: 'no-handle', limit }).toArray()) as PostDocument[];
    for (const { _id, authorId } of found) {
      const change = { $set: { authorUsername: authorId }, $currentDate: CHANGED };
      await this.#posts.updateOne({ _id, ...unnamed }, change as Document);
    }
    if (found.length > 0) await this.#changes.announce({ kind: 'filled', ids: found.map(({ _id }) => _id) });
    return found.length;
  }

  /** Counts posts with media still to be fetched, up to `limit`. */
  countMissingMedia(limit: number): Promise<number> {
    return this.#posts.countDocuments({ mediaDueAt: { $exists: true } }, { limit, hint: 'media-due' });
  }

  /** Claims a post whose media are due for a fetch, until `until`. */
  async claimMissingMedia(now: Date, until: Date): Promise<PostDocument | null> {
    return (await this.#posts.findOneAndUpdate(
      { mediaDueAt: { $lte: now } },
      { $set: { mediaDueAt: until } },
      { returnDocument: 'before' },
    )) as PostDocument | null;
  }

  /**
   * Puts a post into the thread of the author's own post that it answers, as far as that thread is known. The posts
   * that continue this post move with it. The method is idempotent, and the order in which the posts of a thread arrive
   * makes no difference.
   */
  async joinThread(
    child: Pick<NewDocument, 'id' | 'authorUsername' | 'authorId' | 'isFromPlatform'>,
    replyTo: string,
  ): Promise<void> {
    const found = await this.#posts.findOne({ ids: replyTo, removedAt: { $exists: false } });
    const parent = found as PostDocument | null;
    // Only the address names the author of the answered post, so the author is checked here.
    if (parent && !isSameAuthor(parent, child)) return;
    const root = parent?.threadRoot ?? parent?.id ?? replyTo;
    const moved = [{ ids: child.id }, { threadRoot: child.id }, ...(parent ? [{ _id: parent._id }] : [])];
    await this.#posts.updateMany(
      { $or: moved, threadRoot: { $ne: root }, removedAt: { $exists: false } } as Filter<StoredPost>,
      { $set: { threadRoot: root }, $currentDate: CHANGED },
    );
  }

  /** Claims posts of a platform that are due for a look, until `until`. */
  async claimLooks(platform: Platform, limit: number, now: Date, until: Date): Promise<PostDocument[]> {
    const due = { lookDueAt: { $lte: now }, isFromPlatform: true as const, ...isOn(platform) };
    const posts = (await this.#posts.find(due).sort({ lookDueAt: 1 }).limit(limit).toArray()) as PostDocument[];
    const claimed: PostDocument[] = [];
    for (const post of posts) {
      const own = { _id: post._id, lookDueAt: post.lookDueAt as Date };
      const { modifiedCount } = await this.#posts.updateOne(own, { $set: { lookDueAt: until } });
      if (modifiedCount === 1) claimed.push(post);
    }
    return claimed;
  }

  /**
   * Makes looks at these posts due at once, before all others, also for posts out of sight. A post that another process
   * is looking at right now is skipped.
   */
  async hurryLooks({ ids }: { ids: readonly string[] }, now: Date): Promise<void> {
    const isLooked = [{ isFromPlatform: true }, { sealedOn: { $exists: true } }];
    const claimedUntil = now.getTime() + LOOK_CLAIMED_MS;
    const claimed = { $gt: new Date(claimedUntil - LOOKING_MS), $lte: new Date(claimedUntil) };
    const which = { ids: { $in: [...ids] }, $or: isLooked, lookDueAt: { $not: claimed } };
    await this.#posts.updateMany(which as Filter<StoredPost>, { $set: { lookDueAt: FIRST_OF_ALL } });
  }

  /**
   * Sets the next look after one that told nothing. `claimed` is the claim's end; if the look was hurried meanwhile, it
   * stays due at once.
   */
  async putOffLook(id: ObjectId, claimed: Date, dueAt: Date): Promise<void> {
    await this.#posts.updateOne({ _id: id, lookDueAt: claimed }, { $set: { lookDueAt: dueAt } });
  }

  /** Stores the result of a look. `dueAt` is the next look; null if that was the last one. */
  async setSource(
    id: ObjectId,
    source: NonNullable<PostDocument['source']>,
    { dueAt, versions, isNews }: { dueAt: Date | null; versions?: PostDocument['versions']; isNews: boolean },
  ): Promise<void> {
    await this.#posts.updateOne(
      { _id: id, removedAt: { $exists: false } },
      {
        $set: { source, ...(dueAt && { lookDueAt: dueAt }), ...(versions && { versions }) },
        ...(!dueAt && { $unset: { lookDueAt: '' } }),
        // A look that found no change is no change for followers of the archive.
        ...(isNews && { $currentDate: CHANGED }),
      },
    );
    if (isNews) await this.#changes.announce({ kind: 'filled', ids: [id] });
  }
}

/** Matches posts that came from the platform itself. */
function isOn(platform: Platform) {
  return { 'origin.capture.method': platform === 'x' ? ('x-api' as const) : ('bluesky' as const) };
}

type Authored = Pick<NewDocument, 'authorUsername' | 'authorId' | 'isFromPlatform'>;

/** Compares the platform's author ids if the platform has told both posts, else the handles. */
function isSameAuthor(one: Authored, other: Authored): boolean {
  if (one.isFromPlatform && other.isFromPlatform) return one.authorId === other.authorId;
  return one.authorUsername.toLowerCase() === other.authorUsername.toLowerCase();
}
