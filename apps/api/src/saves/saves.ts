import type { Base } from '../base.ts';
import type { IngestNeeds } from '../ingest/ingest-posts.ts';
import type { Sources } from '../sources/sources.ts';
import { SaveStore } from './save-store.ts';
import { SaveWorker } from './save-worker.ts';

export interface Saves {
  store: SaveStore;
  worker: SaveWorker;
}

/** Requests to save, and the worker that sees each of them to its end. */
export function createSaves(base: Base, features: IngestNeeds & { sources: Sources }): Saves {
  const store = new SaveStore(base.database.db);
  const worker = new SaveWorker({ ...base, ...features, saves: { store } });
  base.background.add(worker);
  return { store, worker };
}
