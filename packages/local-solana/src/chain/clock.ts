import { createHash } from 'node:crypto';
import bs58 from 'bs58';

/** Number of slots for which a blockhash is valid. */
export const BLOCKHASH_SLOTS = 150;
/** Block heights differ from slots, as on every real cluster, so that code that confuses them fails. */
const SLOTS_WITHOUT_BLOCK = 1_000;
export const FIRST_SLOT = SLOTS_WITHOUT_BLOCK + 100;

export type Commitment = 'processed' | 'confirmed' | 'finalized';

/** Slots, their blockhashes and times. A blockhash is derived from chain and slot, so it survives a restart. */
export class Clock {
  readonly #genesisHash: string;
  readonly #finalizedAfter: number;
  readonly #slots = new Map<string, number>();
  #slot = 0;
  #offsetSeconds = 0;
  #blockTime = 0;

  constructor(genesisHash: string, finalizedAfter: number) {
    this.#genesisHash = genesisHash;
    this.#finalizedAfter = finalizedAfter;
    this.moveTo(FIRST_SLOT);
  }

  get slot(): number {
    return this.#slot;
  }

  /** Unix seconds of the newest slot. */
  get blockTime(): number {
    return this.#blockTime;
  }

  get offsetSeconds(): number {
    return this.#offsetSeconds;
  }

  moveTo(slot: number): void {
    const from = Math.max(this.#slot + 1, slot - BLOCKHASH_SLOTS);
    for (let next = from; next <= slot; next += 1) this.#slots.set(this.blockhash(next), next);
    for (const [hash, old] of this.#slots) {
      if (old >= slot - BLOCKHASH_SLOTS) break;
      this.#slots.delete(hash);
    }
    this.#slot = slot;
    this.moveTime(0);
  }

  moveTime(seconds: number): void {
    this.#offsetSeconds += seconds;
    this.#blockTime = Math.floor(Date.now() / 1000) + this.#offsetSeconds;
  }

  /** The newest slot that has a commitment. */
  slotAt(commitment: Commitment): number {
    return this.#slot - { processed: 0, confirmed: 1, finalized: this.#finalizedAfter }[commitment];
  }

  commitmentOf(slot: number): Commitment {
    if (slot <= this.slotAt('finalized')) return 'finalized';
    return slot <= this.slotAt('confirmed') ? 'confirmed' : 'processed';
  }

  height(slot: number): number {
    return slot - SLOTS_WITHOUT_BLOCK;
  }

  blockhash(slot: number): string {
    return bs58.encode(createHash('sha256').update(`${this.#genesisHash} ${slot}`).digest());
  }

  /** Whether a blockhash is valid at a slot. */
  knows(blockhash: string, atSlot = this.#slot): boolean {
    const slot = this.#slots.get(blockhash);
    return slot !== undefined && slot <= atSlot && slot >= atSlot - BLOCKHASH_SLOTS;
  }
}
