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
  /** Events up to this time have been read. */
  noticesReadAt?: Date;
  /** Unwanted kinds of notices, by the place where they would appear. */
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

  /** When the wallet first signed in; null if it never did. */
  async knownSince(walletAddress: string): Promise<Date | null> {
    const user = await this.#users.findOne({ walletAddress }, { projection: { createdAt: 1 } });
    return user?.createdAt ?? null;
  }

  /** Deletes a user who was created by `until`. */
  async drop(walletAddress: string, until: Date): Promise<void> {
    await this.#users.deleteOne({ walletAddress, createdAt: { $lte: until } });
  }

  /** Changes the wallet's user, or creates it. Returns the new state. */
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
        // Of two simultaneous first visits, the unique index admits one insert; the other visit finds that user.
        if (!isDuplicateKey(error) || tries === 3) throw error;
      }
    }
  }
}
