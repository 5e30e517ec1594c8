import type { Collection, Db } from 'mongodb';
import { AppError } from '../app-error.ts';
import { fromNow } from '../db/expiry.ts';

interface AccountDeletion {
  /** The wallet. */
  _id: string;
  deletedAt: Date;
  /** Until when nobody signs in. */
  endsAt: Date;
}

/** Longer than any request takes: what was on its way when an account was deleted has come to its end by then. */
export const DELETION_HELD_MS = 60_000;

/**
 * Accounts that are being deleted. For a minute nobody signs in to such an account; then it is deleted once more, with
 * what requests of before have written meanwhile, by whichever process is there.
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

  /** Those that can be finished, by the database's clock. */
  due(): Promise<AccountDeletion[]> {
    return this.#deletions
      .find({ $expr: { $lte: ['$endsAt', '$$NOW'] } })
      .limit(100)
      .toArray();
  }

  /** Nothing where it was asked for again meanwhile. */
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
