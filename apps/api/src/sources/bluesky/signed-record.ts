import { parseUrl } from '@archive/contracts';
import { fromUint8Array, writeCarStream } from '@atcute/car';
import { decode } from '@atcute/cbor';
import { type Cid, type CidLink, toString as textOf } from '@atcute/cid';
import { getPublicKeyFromDidController, P256PublicKey, type PublicKey, Secp256k1PublicKey } from '@atcute/crypto';
import type { AtprotoDid } from '@atcute/lexicons/syntax';
import { buildInclusionProof, MemoryBlockStore, NodeStore } from '@atcute/mst';
import { verifyRecord } from '@atcute/repo';
import bs58 from 'bs58';
import { z } from 'zod';
import { type PostRecord, postRecord } from './views.ts';

const COLLECTION = 'app.bsky.feed.post';
/**
 * Largest record with its proof, in bytes. A record of a post has up to 30 kB. In a tree of a million records, the
 * longest path has 15 kB; four times as many records add one level of about 1 kB.
 */
const PROOF_BYTES = 64_000;

const documentSchema = z.object({
  id: z.string(),
  verificationMethod: z.array(
    z.object({ id: z.string(), type: z.string(), publicKeyMultibase: z.string().optional() }),
  ),
  service: z.array(z.object({ id: z.string(), serviceEndpoint: z.unknown() })),
});

/** Multicodec prefix of a Multikey, by the key type of an older DID document. */
const CURVES = new Map([
  ['EcdsaSecp256k1VerificationKey2019', [0xe7, 0x01]],
  ['EcdsaSecp256r1VerificationKey2019', [0x80, 0x24]],
]);

/** An author's DID document: the author's own server, and the key that signs the records, as a Multikey. */
export interface Identity {
  did: string;
  server: string;
  key: string;
}

/** Reads a DID document; null if it names no server or no key. */
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

/** Converts a key of an older document, which is the bare point of its curve, mostly uncompressed. */
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
 * Verifies that this CAR holds the record of this key under a commit that the author has signed.
 *
 * @returns the record's CID, the post in it, and the CAR without the blocks that prove nothing of it
 * @throws Error where any of it is not so, or the proof has more than 64 kB
 */
export async function checkSignedRecord(
  { did, key }: Identity,
  rkey: string,
  carBytes: Uint8Array,
): Promise<{ cid: string; record: PostRecord; proof: Uint8Array }> {
  const publicKey = await publicKeyOf(key);
  const options = { did: did as AtprotoDid, collection: COLLECTION, rkey, publicKey };
  const { cid } = await verifyRecord({ ...options, carBytes });
  const proof = await proofOf(carBytes, `${COLLECTION}/${rkey}`, cid);
  if (proof.length > PROOF_BYTES) throw new Error(`the proof of the record has ${proof.length} bytes`);
  // The reduced proof is verified again, because it is what is kept.
  const { record } = await verifyRecord({ ...options, carBytes: proof });
  // JSON gives links to records and blobs the same form as in other answers.
  return { cid, record: postRecord.parse(JSON.parse(JSON.stringify(record))), proof };
}

/** Reduces a CAR to the commit, the tree nodes on the path to the record, and the record. */
async function proofOf(carBytes: Uint8Array, path: string, record: string): Promise<Uint8Array> {
  const reader = fromUint8Array(carBytes);
  const [root] = reader.header.data.roots as [CidLink];
  const blocks = new Map<string, { cid: Cid; bytes: Uint8Array<ArrayBuffer> }>();
  for (const { cid, bytes } of reader) blocks.set(textOf(cid), { cid, bytes: Uint8Array.from(bytes) });
  const { data } = decode(blocks.get(root.$link)?.bytes ?? new Uint8Array()) as { data: CidLink };
  const store = new MemoryBlockStore(new Map([...blocks].map(([cid, { bytes }]) => [cid, bytes])));
  const nodes = await buildInclusionProof(new NodeStore(store), data.$link, path);
  const kept = [...new Set([root.$link, ...nodes, record])].flatMap((cid) => {
    const block = blocks.get(cid);
    return block ? [{ cid: block.cid.bytes, data: block.bytes }] : [];
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeCarStream([root], kept)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function publicKeyOf(publicKeyMultibase: string): Promise<PublicKey> {
  const { type, publicKeyBytes } = getPublicKeyFromDidController({ type: 'Multikey', publicKeyMultibase });
  return type === 'p256' ? P256PublicKey.importRaw(publicKeyBytes) : Secp256k1PublicKey.importRaw(publicKeyBytes);
}
