import type { ByteStore } from './bytes/byte-store.ts';
import { type MediaDocument, previewName } from './media-document.ts';
import type { MediaParts } from './media-parts.ts';

type Parts = Pick<MediaParts, 'store' | 'bytes'>;

/** The post needs none any more; what no other one needs is removed, bytes and all. */
export async function dropReferences(parts: Parts, post: string): Promise<void> {
  for (const gone of await parts.store.unrefer(post)) await removeBytes(parts, gone);
}

/** Removes a file for good, whoever needs it. */
export async function expelMedia(parts: Parts, sha256: string): Promise<void> {
  const gone = await parts.store.expel(sha256);
  if (gone) await removeBytes(parts, gone);
}

/** What was let go: its bytes, and then what tells of them, so that whoever is killed between leaves it to be found. */
export async function removeBytes({ store, bytes }: Parts, gone: MediaDocument): Promise<void> {
  await removeNamed(bytes, gone.name);
  await store.forget(gone);
}

export async function removeNamed(bytes: ByteStore, name: string): Promise<void> {
  await bytes.remove(name);
  await bytes.remove(previewName(name));
}
