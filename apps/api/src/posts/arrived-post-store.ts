import { NO_HANDLE, type Platform } from '@archive/contracts';
import type { NewMedia } from '@archive/contracts/schemas';
import type { Collection, Db, Document, Filter, ObjectId, UpdateResult } from 'mongodb';
import { isDuplicateKey } from '../db/database.ts';
import type { PostChanges } from './post-changes.ts';
import { CHANGED, type NewDocument, type PostDocument, type StoredPost } from './post-document.ts';

/** For so long whoever looks at a post has it for itself; what came to nothing is looked at again after that. */
export const LOOK_CLAIMED_MS = 5 * 60_000;
/** Of that, as long as a look may take. */
const LOOKING_MS = 30_000;
/** The due time of a look that comes before all others. */
const FIRST_OF_ALL = new Date(0);

/** What a post may lack that was kept before its platform was asked. */
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

/** What is the platform's to say of a post of which somebody else has told before. */
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

/** What becomes of posts that came from their platforms. Announces what it changes, as the store of posts does. */
export class ArrivedPostStore {
  readonly #posts: Collection<StoredPost>;
  readonly #changes: PostChanges;

  constructor(db: Db, changes: PostChanges) {
    this.#posts = db.collection<StoredPost>('posts');
    this.#changes = changes;
  }

  /**
   * Puts in what a kept post lacks, as its platform tells it, and who wrote it. What an agent has sent of it before is
   * replaced, words and all, since it may be anything; but not words a token was launched from or somebody has paid for.
   * False where other words are kept under its id, or another post of the same words: what was sent in then stays what
   * it is, without its platform's word for it.
   */
  async fill(id: ObjectId, from: NewDocument): Promise<boolean> {
    const same = { _id: id, id: from.id, removedAt: { $exists: false } } as Filter<StoredPost>;
    const replaced = await this.#replaceClaims(same, from);
    if (replaced === 'other') return false;
    const { matchedCount } = replaced ?? (await this.#complete({ ...same, content: from.content }, from));
    if (matchedCount > 0) {
      // Also where nothing was lacking: whoever did it before may have died in between.
      if (!replaced) await this.#posts.updateOne({ _id: id }, { $currentDate: CHANGED });
      await this.#changes.announce({ kind: 'filled', ids: [id] });
    }
    return matchedCount > 0;
  }

  /** Takes back that a post was taken for this one; with `claimedOnly` where an agent has sent it. */
  async dropAlias(_id: ObjectId, id: string, { claimedOnly }: { claimedOnly: boolean }): Promise<void> {
    const alias = { id, ...(claimedOnly && { savedBy: { $exists: true } }) };
    const { modifiedCount } = await this.#posts.updateOne(
      { _id, id: { $ne: id }, aliases: { $elemMatch: alias } } as Filter<StoredPost>,
      { $pull: { aliases: { id }, ids: id } },
    );
    if (modifiedCount > 0) await this.#changes.announce({ kind: 'alias', ids: [_id] });
  }

  /**
   * Null where no agent sent it, its platform has told it since, or money or a token hangs on other words; 'other' where
   * the same is kept under another id.
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
          // With the words that somebody paid for, only who wrote them and what hangs on them changes.
          $or: [{ content: from.content }, { launched: { $ne: true }, featuredPayment: { $exists: false } }],
        },
        {
          $set: { ...set, isFromPlatform: true },
          // Whoever removes what that agent has sent is not to remove this.
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
        // Who asked for it first stays, and so does a signature.
        savedBy: { $ifNull: ['$origin.savedBy', { $literal: origin.savedBy }] },
        capture: { $cond: [isSigned, '$origin.capture', origin.capture] },
      },
      ...(authorId !== undefined && { authorId: { $literal: authorId } }),
      isFromPlatform: true,
    };
    return this.#posts.updateOne(same, [{ $set: { ...Object.fromEntries(values), ...told } }]);
  }

  /** Live posts of an author by the platform's own id, as the platform itself has told it; newest first. */
  async findOfAuthor(platform: Platform, authorId: string, limit: number): Promise<PostDocument[]> {
    return (await this.#posts
      .find({ authorId, isFromPlatform: true, ...isOn(platform), removedAt: { $exists: false } })
      .sort({ timestamp: -1 })
      .limit(limit)
      .toArray()) as PostDocument[];
  }

  /** Live posts that were sent in as this author's and did not come from the platform itself. */
  countClaimed(platform: Platform, authorId: string): Promise<number> {
    const claimed = { authorId, isFromPlatform: { $exists: false }, removedAt: { $exists: false } };
    const address = platform === 'x' ? /^https?:\/\/(?:\w+\.)?(?:x|twitter)\.com\// : /^https:\/\/bsky\.app\//;
    return this.#posts.countDocuments({ ...claimed, url: address } as Filter<StoredPost>);
  }

  /** Removed posts whose media and evidence are still there. */
  async findUnemptied(limit: number): Promise<ObjectId[]> {
    const found = this.#posts.find({ emptied: false } as Filter<StoredPost>, { projection: { _id: 1 }, limit });
    return (await found.toArray()).map(({ _id }) => _id);
  }

  async markEmptied(id: ObjectId): Promise<void> {
    await this.#posts.updateOne({ _id: id }, { $unset: { emptied: '' } });
  }

  /**
   * Puts in what has become of its media; where bytes are missing, `dueAt` says when they are fetched again. False where
   * it is removed, or has changed since `changedAt` where that is given.
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

  /** Names told posts whose authors' handles lead nowhere by their authors' ids; answers how many were found. */
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

  /** Posts that lack media which are still to be fetched, counted so far. */
  countMissingMedia(limit: number): Promise<number> {
    return this.#posts.countDocuments({ mediaDueAt: { $exists: true } }, { limit, hint: 'media-due' });
  }

  /** A post whose media are to be fetched again, for nobody else until `until`. */
  async claimMissingMedia(now: Date, until: Date): Promise<PostDocument | null> {
    return (await this.#posts.findOneAndUpdate(
      { mediaDueAt: { $lte: now } },
      { $set: { mediaDueAt: until } },
      { returnDocument: 'before' },
    )) as PostDocument | null;
  }

  /**
   * Puts a post into the thread of the own post that it answers, as far as that is known, with those that came before it and
   * go on from it. Repeating changes nothing; the order in which a thread comes makes no difference.
   */
  async joinThread(
    child: Pick<NewDocument, 'id' | 'authorUsername' | 'authorId' | 'isFromPlatform'>,
    replyTo: string,
  ): Promise<void> {
    const found = await this.#posts.findOne({ ids: replyTo, removedAt: { $exists: false } });
    const parent = found as PostDocument | null;
    // Whose post it answers was told by its address alone.
    if (parent && !isSameAuthor(parent, child)) return;
    const root = parent?.threadRoot ?? parent?.id ?? replyTo;
    const moved = [{ ids: child.id }, { threadRoot: child.id }, ...(parent ? [{ _id: parent._id }] : [])];
    await this.#posts.updateMany(
      { $or: moved, threadRoot: { $ne: root }, removedAt: { $exists: false } } as Filter<StoredPost>,
      { $set: { threadRoot: root }, $currentDate: CHANGED },
    );
  }

  /** Posts that are to be looked at again on a platform, for nobody else until `until`. */
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
   * Has posts looked at now, before all others and those out of sight too: something tells that they have changed. Those
   * that are being looked at are left alone.
   */
  async hurryLooks({ ids }: { ids: readonly string[] }, now: Date): Promise<void> {
    const isLooked = [{ isFromPlatform: true }, { sealedOn: { $exists: true } }];
    const claimedUntil = now.getTime() + LOOK_CLAIMED_MS;
    const claimed = { $gt: new Date(claimedUntil - LOOKING_MS), $lte: new Date(claimedUntil) };
    const which = { ids: { $in: [...ids] }, $or: isLooked, lookDueAt: { $not: claimed } };
    await this.#posts.updateMany(which as Filter<StoredPost>, { $set: { lookDueAt: FIRST_OF_ALL } });
  }

  /** The look that was claimed until `claimed` told nothing. One that was hurried meanwhile stays so. */
  async putOffLook(id: ObjectId, claimed: Date, dueAt: Date): Promise<void> {
    await this.#posts.updateOne({ _id: id, lookDueAt: claimed }, { $set: { lookDueAt: dueAt } });
  }

  /** What was found; `dueAt` is the next look, or null where that was the last. */
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
        // That it was looked at again and is as it was is nothing to follow.
        ...(isNews && { $currentDate: CHANGED }),
      },
    );
    if (isNews) await this.#changes.announce({ kind: 'filled', ids: [id] });
  }
}

/** How posts of a platform are taken in where they come from the platform itself. */
function isOn(platform: Platform) {
  return { 'origin.capture.method': platform === 'x' ? ('x-api' as const) : ('bluesky' as const) };
}

type Authored = Pick<NewDocument, 'authorUsername' | 'authorId' | 'isFromPlatform'>;

/** By the platform's own ids where it has told both, else by the handles that stand there. */
function isSameAuthor(one: Authored, other: Authored): boolean {
  if (one.isFromPlatform && other.isFromPlatform) return one.authorId === other.authorId;
  return one.authorUsername.toLowerCase() === other.authorUsername.toLowerCase();
}
