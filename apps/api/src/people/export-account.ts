import type { Accounts } from '../accounts/accounts.ts';
import type { Base } from '../base.ts';
import type { Collections } from '../collections/collections.ts';
import type { Featuring } from '../featuring/featuring.ts';
import type { Launches } from '../launches/launches.ts';
import type { Reactions } from '../reactions/reactions.ts';
import { toSave } from '../saves/save-document.ts';
import type { Saves } from '../saves/saves.ts';
import type { Searches } from '../searches/searches.ts';

export type KeptNeeds = Base & {
  accounts: Accounts;
  reactions: Pick<Reactions, 'store'>;
  searches: Pick<Searches, 'store'>;
  collections: Collections;
  saves: Pick<Saves, 'store'>;
  featuring: Pick<Featuring, 'payments'>;
  launches: Pick<Launches, 'store'>;
};

/** All stored data of a wallet as one JSON object, streamed. */
export async function* exportAccount(context: KeptNeeds, wallet: string): AsyncGenerator<string> {
  const { accounts, reactions, searches, collections, saves, featuring, launches, database } = context;
  const user = await accounts.users.find(wallet);
  yield '{';
  yield `${field('walletAddress', wallet)},\n${field('exportedAt', database.clock.now())},\n`;
  yield `${field('profile', user && without(user, '_id'))},\n`;
  yield* list(
    'sessions',
    (await accounts.sessions.endsOf(wallet)).map((endsAt) => ({ endsAt })),
  );
  yield* list(
    'browsers',
    (await accounts.browsers.of(wallet)).map(({ endpoint, since }) => ({ endpoint, since })),
  );
  yield* list('reactions', reactions.store.walkGivenBy(wallet), ({ post, type, createdAt }) => ({
    archiveId: post,
    type,
    createdAt,
  }));
  yield* list('savedSearches', await searches.store.of(wallet), (search) => without(search, 'wallet'));
  yield* list('collections', withPosts(collections, wallet));
  yield* list('saves', saves.store.walkAskedBy(wallet), (save) => ({
    ...toSave(save),
    networkOfAddress: save.network ?? null,
  }));
  yield* list('payments', featuring.payments.walkPaidBy(wallet), (payment) => payment);
  yield* list('launches', launches.store.walkOf(wallet), (launch) => without(launch, 'claim'));
  yield `${field('whatStays', 'Payments and launches stay when the account is deleted: the chain holds them.')}}\n`;
}

async function* withPosts({ store }: Collections, wallet: string) {
  for (const collection of await store.of(wallet)) {
    yield { ...without(collection, 'wallet'), posts: await store.posts(collection._id) };
  }
}

async function* list<Item>(
  name: string,
  items: Iterable<Item> | AsyncIterable<Item>,
  write: (item: Item) => unknown = (item) => item,
): AsyncGenerator<string> {
  yield `${JSON.stringify(name)}: [`;
  let isFirst = true;
  for await (const item of items) {
    yield `${isFirst ? '' : ','}\n${JSON.stringify(write(item))}`;
    isFirst = false;
  }
  yield '],\n';
}

function field(name: string, value: unknown): string {
  return `${JSON.stringify(name)}: ${JSON.stringify(value)}`;
}

function without<Kept extends object, Name extends keyof Kept>(kept: Kept, name: Name): Omit<Kept, Name> {
  const { [name]: _, ...rest } = kept;
  return rest;
}
