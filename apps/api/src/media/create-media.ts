import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Base } from '../base.ts';
import type { ByteStore } from './bytes/byte-store.ts';
import { FolderStore } from './bytes/folder-store.ts';
import { S3Store } from './bytes/s3-store.ts';
import { fetchMedia } from './fetch-media.ts';
import { keepMedia } from './keep-media.ts';
import type { Media } from './media.ts';
import { toMediaFile } from './media-document.ts';
import { MediaStore } from './media-store.ts';
import { MediaSweeper } from './media-sweeper.ts';
import { RecentMedia } from './recent-media.ts';
import { dropReferences, expelMedia } from './remove-media.ts';

export type SweptMedia = Media & { sweeper: MediaSweeper };

/** Opens the byte store that the settings name. */
export function openBytes({ media, dataDir }: Pick<Base['config'], 'media' | 'dataDir'>): ByteStore {
  return media.s3 ? new S3Store(media.s3) : new FolderStore(join(dataDir, 'media'));
}

export function createMedia(
  base: Pick<Base, 'background' | 'config' | 'database' | 'ledger' | 'log' | 'now' | 'outbound'>,
): SweptMedia {
  const { background, config, database, ledger, log, now, outbound } = base;
  const store = new MediaStore(database.db);
  const bytes = openBytes(config);
  const parts = { store, bytes, now, log };
  // A bucket has its own disk.
  const isDiskShort = async () => {
    if (config.media.s3) return false;
    const { bavail, bsize } = await statfs(config.dataDir);
    return bavail * bsize < config.diskFloorBytes;
  };
  const recent = new RecentMedia({ find: (sha256) => store.findServed(sha256) });
  const sweeper = new MediaSweeper(base, parts);
  if (bytes instanceof FolderStore) background.add({ start: () => bytes.start(), stop: () => {} });
  background.add(sweeper);
  return {
    sweeper,
    fetch: (wanted) => fetchMedia({ ...parts, outbound, maxBytes: config.media.maxBytes, isDiskShort }, wanted),
    keep: (content, options) => keepMedia(parts, content, options),
    async addReference(sha256, post) {
      await store.refer(sha256, post);
      const file = await store.hold(sha256);
      if (!file) await store.takeBack(sha256, post);
      return file !== null;
    },
    async dropReferences(post) {
      await dropReferences(parts, post);
      recent.forget();
    },
    async seal(post, isSealed) {
      await store.seal(post, isSealed);
      recent.forget();
    },
    async find(sha256) {
      const found = await store.find(sha256);
      return found && toMediaFile(found);
    },
    async block(sha256) {
      await ledger.record({ kind: 'media-blocked', sha256 });
      await store.block(sha256, new Date(now()));
      await expelMedia(parts, sha256);
      recent.forget();
    },
    isBlocked: (sha256) => store.isBlocked(sha256),
    isDiskShort,
    served: { find: (sha256) => recent.find(sha256), open: (name, range) => bytes.open(name, range) },
  };
}
