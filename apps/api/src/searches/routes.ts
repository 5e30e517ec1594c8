import {
  type ArchiveFilter,
  COLLECTION_NAME_LENGTH,
  cutCodePoints,
  FILTER_NAMES,
  SAVED_SEARCHES,
} from '@archive/contracts';
import { archiveQuerySchema } from '@archive/contracts/schemas';
import { ObjectId } from 'mongodb';
import { AppError } from '../app-error.ts';
import { parse } from '../http/parse.ts';
import { json } from '../http/replies.ts';
import type { Routes } from '../http/route.ts';
import { isObjectId } from '../posts/post-document.ts';
import type { Posts } from '../posts/posts.ts';
import type { Asker } from '../question-queue.ts';
import { filtersOf } from './count-new-posts.ts';
import { type SavedSearchDocument, toSavedSearch } from './saved-search-store.ts';
import type { Searches } from './searches.ts';

interface Needs {
  posts: Pick<Posts, 'store'>;
  searches: Searches;
}

export const searchRoutes = {
  listSearches: {
    access: 'session',
    needsIndex: true,
    walletBudget: 'list',
    run: async (context, { wallet, asker }) => {
      const saved = await context.searches.store.of(wallet);
      const counted = await context.searches.countNew(saved, asker);
      return { data: saved.map((search, at) => toSavedSearch(search, counted[at]?.count ?? 0)) };
    },
  },
  saveSearch: {
    access: 'session',
    needsIndex: true,
    walletBudget: 'change',
    run: async (context, { wallet, asker, body }) => {
      const { filter, query } = readFilter(body.query);
      if (query === '') throw invalid('asks for nothing: a search needs a filter');
      const { store } = context.searches;
      const kept = await store.find(wallet, query);
      if (kept) return json(200, await tell(context, kept, asker));
      const at = context.posts.store.now();
      const name = body.name || cutCodePoints(Object.values(filter).join(' '), COLLECTION_NAME_LENGTH);
      const search = await store.add({ wallet, name, query, createdAt: at, seenAt: at });
      if (!search)
        throw new AppError('too_many', `You have saved ${SAVED_SEARCHES} searches. Delete one to save another.`);
      return json(201, await tell(context, search, asker));
    },
  },
  changeSearch: {
    access: 'session',
    needsIndex: true,
    walletBudget: 'change',
    run: async (context, { wallet, asker, params, body: { name, seen } }) => {
      const change = { ...(name && { name }), ...(seen && { seenAt: context.posts.store.now() }) };
      const search = await context.searches.store.change(wallet, searchId(params.savedSearch), change);
      if (!search) throw noSuchSearch();
      return tell(context, search, asker);
    },
  },
  dropSearch: {
    access: 'session',
    walletBudget: 'change',
    run: async ({ searches }, { wallet, params }) => {
      if (isObjectId(params.savedSearch)) await searches.store.drop(wallet, new ObjectId(params.savedSearch));
    },
  },
} satisfies Routes<'listSearches' | 'saveSearch' | 'changeSearch' | 'dropSearch', Needs>;

async function tell({ searches }: Pick<Needs, 'searches'>, search: SavedSearchDocument, asker: Asker) {
  const [counted] = await searches.countNew([search], asker);
  return toSavedSearch(search, counted?.count ?? 0);
}

/** The filters of an address, each once and in a fixed order, so that equal searches have equal texts. */
function readFilter(text: string): { filter: ArchiveFilter; query: string } {
  const parsed: ArchiveFilter = parse(archiveQuerySchema, filtersOf(text), 'field');
  const filter = Object.fromEntries(FILTER_NAMES.flatMap((name) => (parsed[name] ? [[name, parsed[name]]] : [])));
  return { filter, query: new URLSearchParams(filter).toString() };
}

function searchId(text: string): ObjectId {
  if (!isObjectId(text)) throw noSuchSearch();
  return new ObjectId(text);
}

function noSuchSearch(): AppError {
  return new AppError('not_found', 'There is no such saved search.');
}

function invalid(message: string): AppError {
  return new AppError('invalid_request', `query: ${message}`, { errors: [{ path: 'query', message }] });
}
