import { CHALLENGE_LIFETIME_MS, type SignInInput } from '@archive/contracts';
import type { Collection, Db } from 'mongodb';
import { fromNow, NOT_EXPIRED } from '../db/expiry.ts';

export interface Challenge {
  /** The nonce: 128 random bits. Keyed by it, never by wallet, so that nobody can cancel another's. */
  _id: string;
  /** Null where the wallet names itself when it signs in. */
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

  /** Takes the challenge out while it lives, in one step: of any number of callers one gets it. */
  spend(nonce: string): Promise<Challenge | null> {
    return this.#challenges.findOneAndDelete({ _id: nonce, ...NOT_EXPIRED });
  }
}
