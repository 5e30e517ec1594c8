import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { PRODUCT_SLUG } from '@archive/contracts';
import type { Collection, Db } from 'mongodb';

export interface AgentKey {
  _id: string;
  name: string;
  /** SHA-256 of the whole key: the key has 192 random bits, so a slow hash would add nothing. */
  hash: Uint8Array;
  createdAt: Date;
  revokedAt: Date | null;
}

const KEY = new RegExp(`^${PRODUCT_SLUG}_([0-9a-f]{12})_[A-Za-z0-9_-]{32}$`);

/** Keys with which agents save posts; only their hashes are kept. */
export class AgentKeyStore {
  readonly #keys: Collection<AgentKey>;

  constructor(db: Db) {
    this.#keys = db.collection<AgentKey>('agent_keys');
  }

  /** Makes a key and answers it, the only time it can be seen. */
  async create(name: string): Promise<{ id: string; key: string }> {
    const id = randomBytes(6).toString('hex');
    const key = `${PRODUCT_SLUG}_${id}_${randomBytes(24).toString('base64url')}`;
    await this.#keys.insertOne({ _id: id, name, hash: hashOf(key), createdAt: new Date(), revokedAt: null });
    return { id, key };
  }

  list(): Promise<AgentKey[]> {
    return this.#keys.find().sort({ createdAt: 1 }).toArray();
  }

  /** Answers false where there is no such key, or it is revoked already. */
  async revoke(id: string): Promise<boolean> {
    const { matchedCount } = await this.#keys.updateOne(
      { _id: id, revokedAt: null },
      { $set: { revokedAt: new Date() } },
    );
    return matchedCount === 1;
  }

  /** The living key this text is, if it is one. */
  async verify(text: string): Promise<AgentKey | null> {
    const id = KEY.exec(text)?.[1];
    if (!id) return null;
    const key = await this.#keys.findOne({ _id: id, revokedAt: null });
    if (!key) return null;
    // The driver hands back its own binary type.
    const expected = Buffer.from((key.hash as unknown as { buffer: Uint8Array }).buffer);
    return timingSafeEqual(expected, hashOf(text)) ? key : null;
  }
}

function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
