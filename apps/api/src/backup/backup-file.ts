import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { PRODUCT_NAME, PRODUCT_SLUG } from '@archive/contracts';
import { BSON } from 'mongodb';
import { syncFolder } from '../ledger/ledger.ts';

/**
 * The first line names the format. Gzip-compressed records follow: one byte for the kind, four for the length, then the
 * content. Documents are BSON exactly as stored in the database.
 */
const FIRST_LINE = Buffer.from(`${PRODUCT_SLUG}-backup 1\n`);
/** Starts a collection; contains its name. */
const COLLECTION = 1;
/** Concatenated documents. */
const DOCUMENTS = 2;
/** The last record: a hash and the manifest that it covers. */
const MANIFEST = 3;
const HEAD_BYTES = 5;
const HASH_BYTES = 32;
/** A record ends with the document that reaches this size; the longest document has 16 MB. */
const RECORD_BYTES = 1_000_000;
const MAX_RECORD_BYTES = 32_000_000;
/** Gzip level. It reduces real posts to a third; a higher level takes twice as long and saves 5 % more. */
const LEVEL = 1;
const CHUNK_BYTES = 262_144;

export interface Manifest {
  createdAt: Date;
  /** The archive of the backup. */
  epoch: string | null;
  /**
   * Whether the whole backup is of one moment. Otherwise each collection is of a later moment than the one before it.
   */
  isSnapshot: boolean;
  collections: { name: string; count: number; bytes: number; sha256: string }[];
}

/** Thrown if a file is no backup, is incomplete, or was changed. */
export class BrokenBackupError extends Error {}

export interface BackedUpCollection {
  name: string;
  /** Documents in BSON. */
  documents: AsyncIterable<Uint8Array>;
}

/** Writes a temporary file and renames it once it is on disk and readable. Memory use is limited to a few records. */
export async function writeBackupFile(
  file: string,
  about: Omit<Manifest, 'collections'>,
  collections: Iterable<BackedUpCollection>,
): Promise<Manifest> {
  const manifest: Manifest = { ...about, collections: [] };
  const part = `${file}.${process.pid}.part`;
  try {
    const out = createWriteStream(part, { mode: 0o600 });
    out.write(FIRST_LINE);
    await pipeline(records(manifest, collections), createGzip({ level: LEVEL, chunkSize: CHUNK_BYTES }), out);
    const handle = await open(part, 'r+');
    await handle.sync().finally(() => handle.close());
    for await (const _ of readBackupFile(part));
    await rename(part, file);
    await syncFolder(dirname(file));
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return manifest;
}

async function* records(manifest: Manifest, collections: Iterable<BackedUpCollection>): AsyncGenerator<Buffer> {
  for (const { name, documents } of collections) {
    yield record(COLLECTION, [Buffer.from(name)]);
    const hash = createHash('sha256');
    const about = { name, count: 0, bytes: 0, sha256: '' };
    let held: Uint8Array[] = [];
    let heldBytes = 0;
    const flush = () => {
      const full = record(DOCUMENTS, held);
      hash.update(full.subarray(HEAD_BYTES));
      about.count += held.length;
      about.bytes += heldBytes;
      held = [];
      heldBytes = 0;
      return full;
    };
    for await (const document of documents) {
      held.push(document);
      heldBytes += document.length;
      if (heldBytes >= RECORD_BYTES) yield flush();
    }
    if (held.length > 0) yield flush();
    manifest.collections.push({ ...about, sha256: hash.digest('hex') });
  }
  const last = BSON.serialize(manifest);
  yield record(MANIFEST, [createHash('sha256').update(last).digest(), last]);
}

function record(kind: number, parts: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head[0] = kind;
  head.writeUInt32LE(
    parts.reduce((sum, { length }) => sum + length, 0),
    1,
  );
  return Buffer.concat([head, ...parts]);
}

/** Some concatenated documents of one collection. */
export interface Chunk {
  collection: string;
  documents: Buffer;
}

/**
 * Reads a whole backup and returns its manifest at the end. Nothing may be used before that: it throws
 * BrokenBackupError as soon as any part differs from what was written.
 */
export async function* readBackupFile(file: string): AsyncGenerator<Chunk, Manifest> {
  await requireFirstLine(file);
  const seen: Manifest['collections'] = [];
  let hash: Hash | undefined;
  const finish = () => {
    const last = seen.at(-1);
    if (last && hash) last.sha256 = hash.digest('hex');
  };
  let manifest: Manifest | undefined;
  for await (const { kind, bytes } of readRecords(file)) {
    if (manifest) throw broken(file, 'something follows its end');
    const current = seen.at(-1);
    if (kind === COLLECTION) {
      finish();
      seen.push({ name: bytes.toString(), count: 0, bytes: 0, sha256: '' });
      hash = createHash('sha256');
    } else if (kind === DOCUMENTS && current && hash) {
      hash.update(bytes);
      current.count += countDocuments(file, bytes);
      current.bytes += bytes.length;
      yield { collection: current.name, documents: bytes };
    } else if (kind === MANIFEST) {
      finish();
      manifest = readManifest(file, bytes);
    } else {
      throw broken(file, 'it holds what no backup holds');
    }
  }
  if (!manifest) throw broken(file, 'its end is missing');
  if (JSON.stringify(seen) !== JSON.stringify(manifest.collections)) {
    throw broken(file, 'counts or hashes differ from its manifest');
  }
  return manifest;
}

/** The documents of a chunk, each in BSON. */
export function* splitDocuments(documents: Buffer): Generator<Buffer> {
  for (let at = 0; at < documents.length; ) {
    const end = at + documents.readInt32LE(at);
    yield documents.subarray(at, end);
    at = end;
  }
}

function countDocuments(file: string, documents: Buffer): number {
  let count = 0;
  let at = 0;
  for (; at + 4 <= documents.length; count++) {
    const length = documents.readInt32LE(at);
    if (length < 5) break;
    at += length;
  }
  if (at !== documents.length) throw broken(file, 'a document in it is cut off');
  return count;
}

function readManifest(file: string, bytes: Buffer): Manifest {
  const last = bytes.subarray(HASH_BYTES);
  if (!createHash('sha256').update(last).digest().equals(bytes.subarray(0, HASH_BYTES))) {
    throw broken(file, 'its manifest was changed');
  }
  return BSON.deserialize(last) as Manifest;
}

async function* readRecords(file: string): AsyncGenerator<{ kind: number; bytes: Buffer }> {
  let held: Buffer[] = [];
  let length = 0;
  let wanted = HEAD_BYTES;
  for await (const chunk of inflated(file)) {
    held.push(chunk);
    length += chunk.length;
    while (length >= wanted) {
      const all = held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held, length);
      held = [all];
      const size = HEAD_BYTES + all.readUInt32LE(1);
      if (size > MAX_RECORD_BYTES) throw broken(file, 'it holds what no backup holds');
      wanted = size;
      if (length < size) break;
      yield { kind: all.readUInt8(0), bytes: all.subarray(HEAD_BYTES, size) };
      held = [all.subarray(size)];
      length -= size;
      wanted = HEAD_BYTES;
    }
  }
  if (length > 0) throw broken(file, 'its end is missing');
}

async function* inflated(file: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  const reading = pipeline(createReadStream(file, { start: FIRST_LINE.length }), gunzip);
  // The loop reports the error as well.
  reading.catch(() => {});
  try {
    yield* gunzip;
    await reading;
  } catch (error) {
    const isOfContent = (error as { code?: string }).code?.startsWith('Z_');
    throw isOfContent ? broken(file, (error as Error).message) : error;
  }
}

async function requireFirstLine(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(FIRST_LINE.length), 0, FIRST_LINE.length, 0);
    if (bytesRead === FIRST_LINE.length && buffer.equals(FIRST_LINE)) return;
  } finally {
    await handle.close();
  }
  throw new BrokenBackupError(`${file} is no backup of ${PRODUCT_NAME}, or of a version that this one does not know`);
}

function broken(file: string, why: string): BrokenBackupError {
  return new BrokenBackupError(`${file} is not whole, and nothing was taken from it: ${why}`);
}
