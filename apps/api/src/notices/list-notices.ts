import { cutCodePoints, NOTICES_SHOWN, type Notice } from '@archive/contracts';
import type { ObjectId } from 'mongodb';
import type { Accounts } from '../accounts/accounts.ts';
import type { Asker } from '../archive-index/question-queue.ts';
import type { Base } from '../base.ts';
import type { Featuring } from '../featuring/featuring.ts';
import type { Launches } from '../launches/launches.ts';
import type { Posts } from '../posts/posts.ts';
import type { Saves } from '../saves/saves.ts';
import type { Searches } from '../searches/searches.ts';

export type NoticeNeeds = Base & {
  posts: Posts;
  accounts: Accounts;
  searches: Searches;
  saves: Pick<Saves, 'store'>;
  featuring: Pick<Featuring, 'payments'>;
  launches: Pick<Launches, 'store'>;
};

/** Of a post that a notice is about. */
const WORDS = 120;

/** Before its post is known. */
type Told = Pick<Notice, '_id' | 'kind'> &
  Partial<Pick<Notice, 'search' | 'token' | 'reason'>> & { at: Date; about?: ObjectId | null };

/**
 * What a wallet is told, newest first. Nothing of it is kept: all follows from what is, so that nothing is told twice or
 * lost. Empty where the wallet wants no notices.
 */
export async function listNotices(
  context: NoticeNeeds,
  wallet: string,
  asker: Asker,
): Promise<{ data: Notice[]; unread: number }> {
  const user = await context.accounts.users.find(wallet);
  if (user && !user.notifications) return { data: [], unread: 0 };
  const told = (
    await Promise.all([
      ofSearches(context, wallet, asker),
      ofSaves(context, wallet),
      ofPayments(context, wallet),
      ofLaunches(context, wallet),
    ])
  )
    .flat()
    .sort((one, other) => other.at.getTime() - one.at.getTime())
    .slice(0, NOTICES_SHOWN);
  const posts = await context.posts.store.findInOrder(told.flatMap(({ about }) => (about ? [about.id] : [])));
  const words = new Map(posts.map(({ _id, content }) => [_id.toHexString(), cutCodePoints(content, WORDS)]));
  const readAt = user?.noticesReadAt?.getTime() ?? user?.createdAt.getTime() ?? 0;
  const data = told.map(({ at, about, ...rest }): Notice => {
    const _id = about?.toHexString() ?? '';
    const content = words.get(_id);
    return {
      search: null,
      token: null,
      reason: null,
      ...rest,
      at: at.toISOString(),
      isNew: at.getTime() > readAt,
      post: content === undefined ? null : { _id, content },
    };
  });
  return { data, unread: data.filter(({ isNew }) => isNew).length };
}

async function ofSearches({ searches }: NoticeNeeds, wallet: string, asker: Asker): Promise<Told[]> {
  const told: Told[] = [];
  for (const { _id, name, query, seenAt } of await searches.store.of(wallet)) {
    const { count, at } = await searches.countNew({ query, seenAt }, asker);
    const search = { _id: _id.toHexString(), name, query, newPosts: count };
    if (at) told.push({ _id: `search-${_id.toHexString()}-${seenAt.getTime()}`, kind: 'search', at, search });
  }
  return told;
}

async function ofSaves({ saves }: NoticeNeeds, wallet: string): Promise<Told[]> {
  return (await saves.store.endedOf(wallet, NOTICES_SHOWN)).map((save) => ({
    _id: `save-${save._id.toHexString()}`,
    kind: 'save',
    at: save.endedAt,
    about: save.archiveId,
    reason: save.reason,
  }));
}

async function ofPayments({ featuring }: NoticeNeeds, wallet: string): Promise<Told[]> {
  const payments = await featuring.payments.paidBy(wallet, NOTICES_SHOWN);
  return payments
    .filter(({ state }) => state !== 'confirmed' && state !== 'dropped')
    .map(({ _id, state, post, reason, createdAt: at }) => {
      const isCredit = state === 'credit';
      return {
        _id: `paid-${_id}`,
        kind: isCredit ? 'credit' : 'featured',
        at,
        about: post,
        reason: isCredit ? reason : null,
      };
    });
}

async function ofLaunches({ launches }: NoticeNeeds, wallet: string): Promise<Told[]> {
  return (await launches.store.of(wallet)).flatMap(({ _id, claim, name, symbol, confirmedAt: at }) =>
    at ? [{ _id: `token-${claim}`, kind: 'token' as const, at, about: _id, token: { name, symbol } }] : [],
  );
}
