import type { Base } from '../base.ts';
import { AuthorWishStore } from './author-wish-store.ts';

export interface Authors {
  wishes: AuthorWishStore;
}

export function createAuthors({ database, ledger }: Base): Authors {
  return { wishes: new AuthorWishStore(database.db, ledger) };
}
