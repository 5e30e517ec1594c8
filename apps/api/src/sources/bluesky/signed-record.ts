import { parseUrl } from '@archive/contracts';
import { getPublicKeyFromDidController, P256PublicKey, type PublicKey, Secp256k1PublicKey } from '@atcute/crypto';
import type { AtprotoDid } from '@atcute/lexicons/syntax';
import { verifyRecord } from '@atcute/repo';
import bs58 from 'bs58';
import { z } from 'zod';
import { type PostRecord, postRecord } from './views.ts';

const COLLECTION = 'app.bsky.feed.post';

const documentSchema = z.object({
  id: z.string(),
  verificationMethod: z.array(
    z.object({ id: z.string(), type: z.string(), publicKeyMultibase: z.string().optional() }),
  ),
  service: z.array(z.object({ id: z.string(), serviceEndpoint: z.unknown() })),
});

/** By the type that an older DID document gives a key: what a Multikey of that curve begins with. */
const CURVES = new Map([
  ['EcdsaSecp256k1VerificationKey2019', [0xe7, 0x01]],
  ['EcdsaSecp256r1VerificationKey2019', [0x80, 0x24]],
]);

/** Who an author is by their DID document: their own server, and the key that signs their records, as a Multikey. */
export interface Identity {
  did: string;
  server: string;
  key: string;
}

/** Reads a DID document; null where it names no server or no key. */
export function readIdentity(did: string, document: unknown): Identity | null {
  const parsed = documentSchema.safeParse(document);
  if (!parsed.success || parsed.data.id !== did) return null;
  const named = (id: string, name: string) => id === name || id === `${did}${name}`;
  const method = parsed.data.verificationMethod.find(({ id }) => named(id, '#atproto'));
  const key = method?.publicKeyMultibase && multikeyOf(method.type, method.publicKeyMultibase);
  const server = parsed.data.service.find(({ id }) => named(id, '#atproto_pds'))?.serviceEndpoint;
  const url = typeof server === 'string' ? parseUrl(server) : null;
  return url && key ? { did, server: url.origin, key } : null;
}

/** A key of an older document is the bare point of its curve, mostly with both coordinates. */
function multikeyOf(type: string, multibase: string): string | null {
  const prefix = CURVES.get(type);
  if (!prefix) return multibase;
  const point = multibase.startsWith('z') ? bs58.decodeUnsafe(multibase.slice(1)) : undefined;
  if (!point) return null;
  const isWhole = point.length === 65 && point[0] === 4;
  const compressed = isWhole ? [2 + ((point[64] ?? 0) & 1), ...point.subarray(1, 33)] : [...point];
  return compressed.length === 33 ? `z${bs58.encode(Uint8Array.from([...prefix, ...compressed]))}` : null;
}

/**
 * Whether this CAR holds the record of this key, under a commit that the author has signed.
 *
 * @returns the record's CID, and the post in it
 * @throws Error where any of it is not so
 */
export async function checkSignedRecord(
  { did, key }: Identity,
  rkey: string,
  carBytes: Uint8Array,
): Promise<{ cid: string; record: PostRecord }> {
  const publicKey = await publicKeyOf(key);
  const options = { did: did as AtprotoDid, collection: COLLECTION, rkey, publicKey, carBytes };
  const { cid, record } = await verifyRecord(options);
  // As JSON links to other records and to blobs are written as in every answer.
  return { cid, record: postRecord.parse(JSON.parse(JSON.stringify(record))) };
}

function publicKeyOf(publicKeyMultibase: string): Promise<PublicKey> {
  const { type, publicKeyBytes } = getPublicKeyFromDidController({ type: 'Multikey', publicKeyMultibase });
  return type === 'p256' ? P256PublicKey.importRaw(publicKeyBytes) : Secp256k1PublicKey.importRaw(publicKeyBytes);
}
