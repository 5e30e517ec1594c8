import type { Account } from '@archive/contracts';
import type { KeptNeeds } from './export-account.ts';

/** The amount of stored data of a wallet. */
export async function countKept(context: KeptNeeds, wallet: string): Promise<Account> {
  const { accounts, reactions, searches, collections, saves, featuring, launches } = context;
  const [user, browsers, sessions, ...counts] = await Promise.all([
    accounts.users.find(wallet),
    accounts.browsers.of(wallet),
    accounts.sessions.endsOf(wallet),
    reactions.store.countGivenBy(wallet),
    searches.store.count(wallet),
    collections.store.countOf(wallet),
    saves.store.countAskedBy(wallet),
    featuring.payments.payments.countDocuments({ payer: wallet }),
    launches.store.countOf(wallet),
  ]);
  const [given = 0, saved = 0, made = 0, asked = 0, paid = 0, launched = 0] = counts;
  return {
    walletAddress: wallet,
    createdAt: user?.createdAt.toISOString() ?? null,
    reactions: given,
    savedSearches: saved,
    collections: made,
    saves: asked,
    browsers: browsers.length,
    sessions: sessions.length,
    payments: paid,
    launches: launched,
  };
}
