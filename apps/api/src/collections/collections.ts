import type { Base } from '../base.ts';
import { CollectionStore } from './collection-store.ts';

export interface Collections {
  store: CollectionStore;
}

export function createCollections({ database }: Pick<Base, 'database'>): Collections {
  return { store: new CollectionStore(database.db) };
}
