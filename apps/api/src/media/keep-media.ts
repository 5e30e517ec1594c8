import { createHash, randomBytes } from 'node:crypto';
import type { ByteStore } from './bytes/byte-store.ts';
import type { MediaContents } from './media-contents.ts';
import { type MediaDocument, type MediaFile, previewName, toMediaFile } from './media-document.ts';
import type { MediaParts } from './media-parts.ts';
import { isRefusal, type MediaRefusal, refused } from './media-refusal.ts';
import { readContents } from './read-contents.ts';
import { expelMedia, removeBytes, removeNamed } from './remove-media.ts';

/** Attempts when other processes change the file at the same time. */
const TRIES = 10;

/** Stores a file. The reference of its post is written first, so that no process drops the file once it exists. */
export async function keepMedia(
  parts: MediaParts,
  content: Buffer,
  { post }: { post?: string | undefined } = {},
): Promise<MediaFile | MediaRefusal> {
  const { store } = parts;
  const sha256 = sha256Of(content);
  if (await store.isBlocked(sha256)) return refused('blocked');
  // Checked before anything is written, since the bytes may be anything.
  const contents = (await store.find(sha256)) ? null : await readContents(content);
  if (typeof contents === 'string') return refused(contents);
  if (post !== undefined) await store.refer(sha256, post);
  const file = await settle(parts, { sha256, content, contents, isNeeded: post !== undefined });
  // A block is written before the file is removed. So either the blocking process sees this file, or this check sees
  // the block.
  if (isRefusal(file) || !(await store.isBlocked(sha256))) return file;
  await expelMedia(parts, sha256);
  return refused('blocked');
}

interface Coming {
  sha256: string;
  content: Buffer;
  /** Null if the file was known a moment ago. */
  contents: MediaContents | null;
  isNeeded: boolean;
}

async function settle(parts: MediaParts, coming: Coming): Promise<MediaFile | MediaRefusal> {
  const { store, bytes, now } = parts;
  const { sha256, content, isNeeded } = coming;
  let { contents } = coming;
  for (let tries = 0; tries < TRIES; tries++) {
    const known = await store.hold(sha256, isNeeded ? undefined : new Date(now()));
    if (known && (await bytes.has(known.name))) return toMediaFile(known);
    if (!contents) {
      const read = await readContents(content);
      if (typeof read === 'string') return refused(read);
      contents = read;
    }
    if (known) {
      // The bytes were lost, for example because a copy of the database was restored without them.
      await put(bytes, known.name, content, contents.preview);
      // Another process may have dropped the file meanwhile, and deleted its bytes before these were written.
      const held = await store.findAny(sha256);
      if (held?.name !== known.name || held.state === 'gone') await removeNamed(bytes, known.name);
      continue;
    }
    const gone = await store.findAny(sha256);
    if (gone?.state === 'gone') await removeBytes(parts, gone);
    const document = newDocument(sha256, content, contents, new Date(now()));
    await put(bytes, document.name, content, contents.preview);
    if (await store.insert(document)) return toMediaFile(document);
    await removeNamed(bytes, document.name);
  }
  throw new Error(`${sha256} could not be kept: somebody else came between each time`);
}

function newDocument(sha256: string, { length }: Buffer, contents: MediaContents, at: Date): MediaDocument {
  const { preview, ...told } = contents;
  const name = `${sha256}-${randomBytes(4).toString('hex')}`;
  const previewBytes = preview?.length ?? null;
  return { _id: sha256, state: 'kept', name, ...told, bytes: length, previewBytes, createdAt: at, heldAt: at };
}

/** The preview is stored first, so that no file exists without its preview. */
async function put(bytes: ByteStore, name: string, content: Buffer, preview: Buffer | null): Promise<void> {
  if (preview) await bytes.put(previewName(name), preview);
  await bytes.put(name, content);
}

export function sha256Of(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
