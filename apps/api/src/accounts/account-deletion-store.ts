import type { Collection, Db } from 'mongodb';
import { AppError } from '../app-error.ts';
import { fromNow } from '../db/expiry.ts';

interface AccountDeletion {
  /** The wallet. */
  _id: string;
  deletedAt: Date;
  /** No sign-in is possible before this time. */
  endsAt: Date;
}

/** Longer than any request takes, so that requests from before the deletion have ended by then. */
export const DELETION_HELD_MS = 60_000;

/**
 * Accounts in deletion. For a minute, sign-ins to such an account are refused. Then any process deletes the account a
 * second time, with everything that earlier requests have written meanwhile.
 */
export class AccountDeletionStore {
  readonly #deletions: Collection<AccountDeletion>;

  constructor(db: Db) {
    this.#deletions = db.collection<AccountDeletion>('account_deletions');
  }

  async begin(_id: string, deletedAt: Date): Promise<void> {
    const fields = { deletedAt: { $max: ['$deletedAt', deletedAt] }, endsAt: fromNow(DELETION_HELD_MS) };
    await this.#deletions.updateOne({ _id }, [{ $set: fields }], { upsert: true });
  }

  /** Deletions whose minute is over, by the database's clock. */
  due(): Promise<AccountDeletion[]> {
    return this.#deletions
      .find({ $expr: { $lte: ['$endsAt', '$$NOW'] } })
      .limit(100)
      .toArray();
  }

  /** Ends a deletion; does nothing if a new one was requested meanwhile. */
  async end({ _id, deletedAt }: Pick<AccountDeletion, '_id' | 'deletedAt'>): Promise<void> {
    await this.#deletions.deleteOne({ _id, deletedAt });
  }

  /** @throws AppError account_deleting while the wallet's account is being deleted. */
  async requireNone(wallet: string): Promise<void> {
    if (!(await this.#deletions.findOne({ _id: wallet }))) return;
    throw new AppError('account_deleting', 'This account is being deleted. You can sign in again in a minute.', {
      headers: { 'Retry-After': String(DELETION_HELD_MS / 1_000) },
    });
  }
}
