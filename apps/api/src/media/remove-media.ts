import type { ByteStore } from './bytes/byte-store.ts';
import { type MediaDocument, previewName } from './media-document.ts';
import type { MediaParts } from './media-parts.ts';

type Parts = Pick<MediaParts, 'store' | 'bytes'>;

/** Removes the post's references, and deletes files that no other post needs. */
export async function dropReferences(parts: Parts, post: string): Promise<void> {
  for (const gone of await parts.store.unrefer(post)) await removeBytes(parts, gone);
}

/** Deletes a file for good, even if posts need it. */
export async function expelMedia(parts: Parts, sha256: string): Promise<void> {
  const gone = await parts.store.expel(sha256);
  if (gone) await removeBytes(parts, gone);
}

/** Deletes the bytes first and then the document, so that a killed removal can be found and completed. */
export async function removeBytes({ store, bytes }: Parts, gone: MediaDocument): Promise<void> {
  await removeNamed(bytes, gone.name);
  await store.forget(gone);
}

export async function removeNamed(bytes: ByteStore, name: string): Promise<void> {
  await bytes.remove(name);
  await bytes.remove(previewName(name));
}
