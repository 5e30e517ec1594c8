import type { SignInInput } from '@archive/contracts';
import type { Collection, Db } from 'mongodb';

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

  async add(challenge: Challenge): Promise<void> {
    await this.#challenges.insertOne(challenge);
  }

  /** Takes the challenge out, in one step: of any number of callers one gets it. */
  spend(nonce: string): Promise<Challenge | null> {
    return this.#challenges.findOneAndDelete({ _id: nonce });
  }
}
