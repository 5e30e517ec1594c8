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
 * The post that this CAR proves to be the author's, by the library that Bluesky's own servers check records with: a second
 * opinion beside the product's. Null where the CAR proves other records alone.
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
