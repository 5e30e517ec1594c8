import type { NoticeKind, NoticePlace, Preferences, Theme } from '@archive/contracts';
import type { Collection, Db, ObjectId } from 'mongodb';
import { isDuplicateKey, PROMPT } from '../db/database.ts';

export interface UserDocument {
  _id: ObjectId;
  walletAddress: string;
  displayName: string;
  avatar: string | null;
  bio: string;
  notifications: boolean;
  theme: Theme;
  /** What came to pass until then has been read. */
  noticesReadAt?: Date;
  /** Kinds of notices that are not wanted, by where they would be told. */
  quiet?: Partial<Record<NoticePlace, NoticeKind[]>>;
  createdAt: Date;
  updatedAt: Date;
}

export type UserChange = Partial<
  Pick<UserDocument, 'displayName' | 'avatar' | 'bio' | 'noticesReadAt' | 'quiet' | keyof Preferences>
>;

export class UserStore {
  readonly #users: Collection<UserDocument>;
  readonly #now: () => number;

  constructor(db: Db, now: () => number) {
    this.#now = now;
    this.#users = db.collection<UserDocument>('users');
  }

  find(walletAddress: string): Promise<UserDocument | null> {
    return this.#users.findOne({ walletAddress }, PROMPT);
  }

  findOrCreate(walletAddress: string): Promise<UserDocument> {
    return this.change(walletAddress, {});
  }

  /** Since when a wallet has been here; null where it never was. */
  async knownSince(walletAddress: string): Promise<Date | null> {
    const user = await this.#users.findOne({ walletAddress }, { projection: { createdAt: 1 } });
    return user?.createdAt ?? null;
  }

  /** Forgets a user who was there by then. */
  async drop(walletAddress: string, until: Date): Promise<void> {
    await this.#users.deleteOne({ walletAddress, createdAt: { $lte: until } });
  }

  /** Changes the wallet's user, made where there is none yet; answers it as it is then. */
  async change(walletAddress: string, change: UserChange): Promise<UserDocument> {
    const at = new Date(this.#now());
    const made = {
      displayName: '',
      avatar: null,
      bio: '',
      notifications: true,
      theme: 'system' as const,
      createdAt: at,
    };
    const untouched = Object.fromEntries(Object.entries(made).filter(([name]) => !(name in change)));
    for (let tries = 0; ; tries++) {
      try {
        const user = await this.#users.findOneAndUpdate(
          { walletAddress },
          { $set: { ...change, updatedAt: at }, $setOnInsert: untouched },
          { upsert: true, returnDocument: 'after' },
        );
        return user as UserDocument;
      } catch (error) {
        // Two first visits at once: the unique index lets one insert, the other finds what it made.
        if (!isDuplicateKey(error) || tries === 3) throw error;
      }
    }
  }
}
