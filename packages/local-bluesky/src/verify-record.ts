import { createRequire } from 'node:module';
import { join } from 'node:path';
import { NETWORK } from './install-local-bluesky.ts';

interface Repo {
  verifyRecords(
    car: Uint8Array,
    did: string,
    didKey: string,
  ): Promise<{ collection: string; rkey: string; record: Record<string, unknown> }[]>;
}

/**
 * Returns the post that this CAR proves to be the author's. It uses the library with which Bluesky's own servers verify
 * records, independently of the product. Null if the CAR proves only other records.
 *
 * @param key the author's public key, as a DID document writes it (Multikey)
 * @throws Error where it proves nothing
 */
export async function verifyRecord(
  car: Uint8Array,
  { did, key, rkey }: { did: string; key: string; rkey: string },
): Promise<Record<string, unknown> | null> {
  const { verifyRecords } = createRequire(join(NETWORK, 'package.json'))('@atproto/repo') as Repo;
  const found = await verifyRecords(car, did, `did:key:${key}`);
  const own = found.find((record) => record.collection === 'app.bsky.feed.post' && record.rkey === rkey);
  return own?.record ?? null;
}
