import { type Platform, platformOf } from '@archive/contracts';
import type { Collection, Db } from 'mongodb';
import { type LedgerWriter, NO_LEDGER } from '../ledger/ledger-entry.ts';

/** What an author has asked of this archive. */
export interface AuthorWishes {
  /** Nobody launches a token from their posts. */
  noTokens: boolean;
  /** Nothing of theirs is taken in any more. */
  noArchive: boolean;
}

export interface AuthorWishDocument extends AuthorWishes {
  /** Platform and the platform's own id of the author. */
  _id: string;
  /** Lower-case, as it was when they asked: for posts that do not tell their author's id. */
  handle: string;
  platform: Platform;
  at: Date;
}

export interface Author {
  platform: Platform;
  id: string;
  handle: string;
}

interface Written {
  url: string;
  authorId?: string;
  authorUsername: string;
}

/** What authors want done, or not done, with what they write. */
export class AuthorWishStore {
  readonly #wishes: Collection<AuthorWishDocument>;
  readonly #ledger: LedgerWriter;

  constructor(db: Db, ledger: LedgerWriter = NO_LEDGER) {
    this.#wishes = db.collection<AuthorWishDocument>('author_wishes');
    this.#ledger = ledger;
  }

  /** Changes what is named; the rest stays as it was. Asked twice it is asked once. */
  async set(author: Author, change: Partial<AuthorWishes>, at: Date): Promise<void> {
    const _id = keyOf(author.platform, author.id);
    const before = await this.#wishes.findOne({ _id });
    const wishes = { noTokens: false, noArchive: false, ...before, ...change };
    const { noTokens, noArchive } = wishes;
    if (before && before.noTokens === noTokens && before.noArchive === noArchive) return;
    const handle = author.handle.toLowerCase();
    const wish = { _id, handle, platform: author.platform, noTokens, noArchive, at };
    await this.#ledger.record({ kind: 'wish', wish });
    await this.put(wish);
  }

  /** As it stands in the ledger; a later wish stays. */
  async put({ _id, at, ...fields }: AuthorWishDocument): Promise<void> {
    const isLater = { $gt: ['$at', at] };
    const value = (name: string, own: unknown) => ({ $cond: [isLater, `$${name}`, { $literal: own }] });
    const change = Object.fromEntries(Object.entries({ ...fields, at }).map(([name, own]) => [name, value(name, own)]));
    await this.#wishes.updateOne({ _id }, [{ $set: change }], { upsert: true });
  }

  async of(platform: Platform, id: string): Promise<AuthorWishes> {
    return (await this.#wishes.findOne({ _id: keyOf(platform, id) })) ?? { noTokens: false, noArchive: false };
  }

  /** Which of these posts, by position, their authors do not want to be kept: by their id, or by their handle where no id is told. */
  async refused(posts: readonly Written[], wish: keyof AuthorWishes = 'noArchive'): Promise<Set<number>> {
    if (posts.length === 0) return new Set();
    const keys = posts.map(({ url, authorId }) => authorId && keyOf(platformOf(url), authorId));
    const handles = posts.map(({ url, authorId, authorUsername }) =>
      authorId ? undefined : `${platformOf(url)} ${authorUsername.toLowerCase()}`,
    );
    const found = await this.#wishes
      .find({
        [wish]: true,
        $or: [
          { _id: { $in: keys.flatMap((key) => key ?? []) } },
          { handle: { $in: posts.flatMap((post) => (post.authorId ? [] : post.authorUsername.toLowerCase())) } },
        ],
      })
      .toArray();
    if (found.length === 0) return new Set();
    const ids = new Set(found.map(({ _id }) => _id));
    const named = new Set(found.map(({ platform, handle }) => `${platform} ${handle}`));
    return new Set(
      posts.flatMap((_, at) => (ids.has(keys[at] as string) || named.has(handles[at] as string) ? at : [])),
    );
  }
}

function keyOf(platform: Platform, id: string): string {
  return `${platform}:${id}`;
}
