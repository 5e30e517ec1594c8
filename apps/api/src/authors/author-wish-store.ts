import { NO_HANDLE, type Platform, platformOf } from '@archive/contracts';
import type { Collection, Db } from 'mongodb';
import { type LedgerWriter, NO_LEDGER } from '../ledger/ledger-entry.ts';

/** What an author has asked of this archive. */
export interface AuthorWishes {
  /** No tokens may be launched from the author's posts. */
  noTokens: boolean;
  /** No more posts of the author are kept. */
  noArchive: boolean;
}

/** A wish at one time. */
export interface AuthorWish extends Partial<AuthorWishes> {
  /** Platform, and the platform's own id of the author. */
  _id: string;
  /** Lower-case, at the time of the wish. Used for posts without an author id. */
  handle: string;
  platform: Platform;
  at: Date;
}

/** The current wishes of an author, and when each was last expressed. */
interface AuthorWishDocument extends AuthorWishes {
  _id: string;
  handle: string;
  platform: Platform;
  noTokensAt?: Date;
  noArchiveAt?: Date;
}

export interface Author {
  platform: Platform;
  id: string;
  handle: string;
}

interface Written {
  id: string;
  url: string;
  authorId?: string;
  authorUsername: string;
  isFromPlatform?: true;
}

/** The wishes of authors about their own posts. */
export class AuthorWishStore {
  readonly #wishes: Collection<AuthorWishDocument>;
  readonly #ledger: LedgerWriter;

  constructor(db: Db, ledger: LedgerWriter = NO_LEDGER) {
    this.#wishes = db.collection<AuthorWishDocument>('author_wishes');
    this.#ledger = ledger;
  }

  /**
   * Changes the given wishes unless later ones exist; others stay. A wish that changes nothing is not written to the
   * ledger.
   */
  async set(author: Author, change: Partial<AuthorWishes>, at: Date): Promise<void> {
    const { platform, id } = author;
    const wish = { _id: keyOf(platform, id), platform, handle: author.handle.toLowerCase(), ...change, at };
    await this.#writeDown(wish);
    await this.put(wish);
    // A later wish that changed nothing when it came has overtaken this one. Without a ledger entry of its own, a
    // restore would undo it.
    await this.#writeDown(wish);
  }

  /** If the wish differs from the stored one, the later of both goes to the ledger. */
  async #writeDown(wish: AuthorWish): Promise<void> {
    const known = await this.#wishes.findOne({ _id: wish._id });
    for (const name of ['noTokens', 'noArchive'] as const) {
      const [asked, stands, since] = [wish[name], known?.[name] ?? false, known?.[`${name}At`]];
      if (asked === undefined || asked === stands) continue;
      const { _id, platform, handle, at } = wish;
      const isLater = !since || at > since;
      const later = isLater ? { [name]: asked, at } : { [name]: stands, at: since };
      await this.#ledger.record({ kind: 'wish', wish: { _id, platform, handle, ...later } });
    }
  }

  /** Stores a wish from the ledger; the order of calls does not matter. */
  async put({ _id, platform, handle, at, ...change }: AuthorWish): Promise<void> {
    const set: Record<string, unknown> = { platform, handle };
    for (const name of ['noTokens', 'noArchive'] as const) {
      const isLater = { $gt: [at, { $ifNull: [`$${name}At`, new Date(0)] }] };
      const own = { $ifNull: [`$${name}`, false] };
      set[name] = change[name] === undefined ? own : { $cond: [isLater, change[name], own] };
      if (change[name] !== undefined) set[`${name}At`] = { $cond: [isLater, at, `$${name}At`] };
    }
    await this.#wishes.updateOne({ _id }, [{ $set: set }], { upsert: true });
  }

  async of(platform: Platform, id: string): Promise<AuthorWishes> {
    return (await this.#wishes.findOne({ _id: keyOf(platform, id) })) ?? { noTokens: false, noArchive: false };
  }

  /**
   * Positions of the posts whose authors do not want them kept. If only a sender names the author, the handle counts as
   * well as the id, since the sender could give a wrong id.
   */
  async refused(posts: readonly Written[], wish: keyof AuthorWishes = 'noArchive'): Promise<Set<number>> {
    if (posts.length === 0) return new Set();
    const keys = posts.map(keysOf);
    const handles = posts.map(({ authorUsername }) => authorUsername.toLowerCase());
    const asked = handles.filter((handle) => handle !== NO_HANDLE);
    const found = await this.#wishes
      .find({ [wish]: true, $or: [{ _id: { $in: keys.flat() } }, { handle: { $in: asked } }] })
      .toArray();
    if (found.length === 0) return new Set();
    const ids = new Set(found.map(({ _id }) => _id));
    const named = new Set(found.map(({ platform, handle }) => `${platform} ${handle}`));
    const isRefused = (post: Written, at: number) =>
      keys[at]?.some((key) => ids.has(key)) ||
      (!post.isFromPlatform && handles[at] !== NO_HANDLE && named.has(`${platformOf(post.url)} ${handles[at]}`));
    return new Set(posts.flatMap((post, at) => (isRefused(post, at) ? [at] : [])));
  }
}

/** Keys under which the author may have a wish: the given author id, and on Bluesky the one in the post's id. */
function keysOf({ id, url, authorId }: Written): string[] {
  const did = /^bsky-([a-z2-7]{24})-/.exec(id)?.[1];
  return [
    ...(authorId === undefined ? [] : [keyOf(platformOf(url), authorId)]),
    ...(did === undefined ? [] : [keyOf('bluesky', `did:plc:${did}`)]),
  ];
}

function keyOf(platform: Platform, id: string): string {
  return `${platform}:${id}`;
}
