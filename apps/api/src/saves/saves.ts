import type { Authors } from '../authors/authors.ts';
import type { Base } from '../base.ts';
import type { Collections } from '../collections/collections.ts';
import type { Media } from '../media/media.ts';
import type { Posts } from '../posts/posts.ts';
import type { Sources } from '../sources/sources.ts';
import { CaptureStore } from './capture-store.ts';
import { SaveStore } from './save-store.ts';
import { SaveWorker } from './save-worker.ts';

export interface Saves {
  store: SaveStore;
  captures: CaptureStore;
  worker: SaveWorker;
}

export function createSaves(
  base: Base,
  features: { authors: Authors; collections: Collections; media: Media; posts: Posts; sources: Sources },
): Saves {
  const store = new SaveStore(base.database);
  const captures = new CaptureStore(base.database.db);
  const worker = new SaveWorker({ ...base, ...features, captures, saves: { store } });
  base.background.add(worker);
  return { store, captures, worker };
}
