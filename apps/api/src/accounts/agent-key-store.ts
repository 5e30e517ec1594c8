import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type KEY_SCOPES, PRODUCT_SLUG } from '@archive/contracts';
import type { Collection, Db } from 'mongodb';
import { PROMPT } from '../db/database.ts';
import { NOT_EXPIRED } from '../db/expiry.ts';

export type KeyScope = (typeof KEY_SCOPES)[number];

export interface KeyTerms {
  /** Absent in old keys without scopes; those may ingest posts. */
  scopes?: KeyScope[];
  /** Absent if the key never expires. */
  expiresAt?: Date;
  /** The key's own limit, if it differs from the default. */
  postsPerMinute?: number;
}

export interface AgentKey extends KeyTerms {
  _id: string;
  name: string;
  /** SHA-256 of the whole key. The key has 192 random bits, so a slow hash would add nothing. */
  hash: Uint8Array;
  createdAt: Date;
  revokedAt: Date | null;
}

const KEY = new RegExp(`^${PRODUCT_SLUG}_([0-9a-f]{12})_[A-Za-z0-9_-]{32}$`);

/** Keys of agents that save posts; only their hashes are stored. */
export class AgentKeyStore {
  readonly #keys: Collection<AgentKey>;

  constructor(db: Db) {
    this.#keys = db.collection<AgentKey>('agent_keys');
  }

  /** Creates a key and returns it; it can never be read again. */
  async create(
    name: string,
    terms: KeyTerms = { scopes: ['ingest'] },
    id = randomBytes(6).toString('hex'),
  ): Promise<{ id: string; key: string }> {
    const key = `${PRODUCT_SLUG}_${id}_${randomBytes(24).toString('base64url')}`;
    const fields = { $literal: { _id: id, name, hash: hashOf(key), revokedAt: null, ...terms } };
    const whole = { $replaceWith: { $mergeObjects: [fields, { createdAt: '$$NOW' }] } };
    await this.#keys.updateOne({ _id: id }, [whole], { upsert: true });
    return { id, key };
  }

  list(): Promise<AgentKey[]> {
    return this.#keys.find().sort({ createdAt: 1 }).toArray();
  }

  /** Returns false if the key does not exist or is revoked already. */
  async revoke(id: string): Promise<boolean> {
    const { matchedCount } = await this.#keys.updateOne(
      { _id: id, revokedAt: null },
      { $currentDate: { revokedAt: true } },
    );
    return matchedCount === 1;
  }

  /** The valid key with this text, or null. */
  async verify(text: string): Promise<AgentKey | null> {
    const id = KEY.exec(text)?.[1];
    if (!id) return null;
    const isLiving = { revokedAt: null, $or: [{ expiresAt: { $exists: false } }, NOT_EXPIRED] };
    const key = await this.#keys.findOne({ _id: id, ...isLiving }, PROMPT);
    if (!key) return null;
    // The driver returns its own binary type.
    const expected = Buffer.from((key.hash as unknown as { buffer: Uint8Array }).buffer);
    return timingSafeEqual(expected, hashOf(text)) ? key : null;
  }
}

export function scopesOf({ scopes = ['ingest'] }: KeyTerms): readonly KeyScope[] {
  return scopes;
}

function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
