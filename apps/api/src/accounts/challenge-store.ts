import { CHALLENGE_LIFETIME_MS, type SignInInput } from '@archive/contracts';
import type { Collection, Db } from 'mongodb';
import { fromNow, NOT_EXPIRED } from '../db/expiry.ts';

export interface Challenge {
  /**
   * The nonce: 128 random bits. The nonce is the key rather than the wallet, so that no caller can cancel another's
   * challenge.
   */
  _id: string;
  /** Null if the wallet names itself at sign-in. */
  walletAddress: string | null;
  input: SignInInput;
  expiresAt: Date;
}

export class ChallengeStore {
  readonly #challenges: Collection<Challenge>;

  constructor(db: Db) {
    this.#challenges = db.collection<Challenge>('challenges');
  }

  async add({ _id, ...challenge }: Omit<Challenge, 'expiresAt'>): Promise<void> {
    const fields = {
      $mergeObjects: [{ $literal: { _id, ...challenge } }, { expiresAt: fromNow(CHALLENGE_LIFETIME_MS) }],
    };
    await this.#challenges.updateOne({ _id }, [{ $replaceWith: fields }], { upsert: true });
  }

  /** Removes and returns a valid challenge in one step, so that only one caller gets it. */
  spend(nonce: string): Promise<Challenge | null> {
    return this.#challenges.findOneAndDelete({ _id: nonce, ...NOT_EXPIRED });
  }
}
