import { cutCodePoints, NOTICES_SHOWN, type Notice, type NoticeKind, type NoticePlace } from '@archive/contracts';
import type { ObjectId } from 'mongodb';
import type { Accounts } from '../accounts/accounts.ts';
import type { UserDocument } from '../accounts/user-store.ts';
import type { Base } from '../base.ts';
import type { Featuring } from '../featuring/featuring.ts';
import type { Launches } from '../launches/launches.ts';
import type { Posts } from '../posts/posts.ts';
import type { Asker } from '../question-queue.ts';
import type { Saves } from '../saves/saves.ts';
import type { SavedSearchDocument } from '../searches/saved-search-store.ts';
import type { Searches } from '../searches/searches.ts';

export type NoticeNeeds = Base & {
  posts: Posts;
  accounts: Accounts;
  searches: Searches;
  saves: Pick<Saves, 'store'>;
  featuring: Pick<Featuring, 'payments'>;
  launches: Pick<Launches, 'store'>;
};

/** Longest text of the post that a notice is about. */
const WORDS = 120;

/** A notice before its post is loaded. */
type Told = Pick<Notice, '_id' | 'kind'> &
  Partial<Pick<Notice, 'search' | 'token' | 'reason'>> & { at: Date; about?: ObjectId | null };

/**
 * `user` is the wallet's user, if it exists. `isAsked` decides for each saved search in turn whether it is queried.
 * With `onRefused`, a search that the index does not answer in time is left out.
 */
interface Options {
  user: UserDocument | null;
  place: NoticePlace;
  isAsked?: (search: SavedSearchDocument) => boolean;
  onRefused?: (() => void) | undefined;
}

/** A wallet's notices in the page, newest first. Empty if it wants none. */
export async function listNotices(
  context: NoticeNeeds,
  wallet: string,
  asker: Asker,
): Promise<{ data: Notice[]; unread: number }> {
  const user = await context.accounts.users.find(wallet);
  const data = await noticesOf(context, wallet, asker, { user, place: 'page' });
  return { data, unread: data.filter(({ isNew }) => isNew).length };
}

/** Derives the notices from the current data; none are stored, so none is lost or shown twice. */
export async function noticesOf(
  context: NoticeNeeds,
  wallet: string,
  asker: Asker,
  { user, place, isAsked = () => true, onRefused }: Options,
): Promise<Notice[]> {
  if (user && !user.notifications) return [];
  const isWanted = (kind: NoticeKind) => !user?.quiet?.[place]?.includes(kind);
  const told = (
    await Promise.all([
      isWanted('search') ? ofSearches(context, wallet, asker, { isAsked, onRefused }) : [],
      isWanted('save') ? ofSaves(context, wallet) : [],
      isWanted('featured') || isWanted('credit') ? ofPayments(context, wallet) : [],
      isWanted('token') ? ofLaunches(context, wallet) : [],
    ])
  )
    .flat()
    .filter(({ kind }) => isWanted(kind))
    .sort((one, other) => other.at.getTime() - one.at.getTime())
    // For pushes, the caller filters out the notices that were sent before.
    .slice(0, place === 'page' ? NOTICES_SHOWN : undefined);
  const posts = await context.posts.store.findInOrder(told.flatMap(({ about }) => (about ? [about.id] : [])));
  const words = new Map(posts.map(({ _id, content }) => [_id.toHexString(), cutCodePoints(content, WORDS)]));
  const readAt = readUntil(user).getTime();
  return told.map(({ at, about, ...rest }): Notice => {
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
}

/** Events up to this time are not new. */
export function readUntil(user: UserDocument | null): Date {
  return user?.noticesReadAt ?? user?.createdAt ?? new Date(0);
}

async function ofSearches(
  { searches }: NoticeNeeds,
  wallet: string,
  asker: Asker,
  { isAsked = () => true, onRefused }: Pick<Options, 'isAsked' | 'onRefused'>,
): Promise<Told[]> {
  const asked = (await searches.store.of(wallet)).filter(isAsked);
  const counted = await searches.countNew(asked, asker, onRefused);
  return asked.flatMap((search, place): Told[] => {
    const { count = 0, at = null } = counted[place] ?? {};
    const about = { _id: search._id.toHexString(), name: search.name, query: search.query, newPosts: count };
    return at ? [{ _id: searchNoticeId(search), kind: 'search', at, search: about }] : [];
  });
}

export function searchNoticeId({ _id, seenAt }: Pick<SavedSearchDocument, '_id' | 'seenAt'>): string {
  return `search-${_id.toHexString()}-${seenAt.getTime()}`;
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

async function ofPayments({ featuring, posts }: NoticeNeeds, wallet: string): Promise<Told[]> {
  const payments = await featuring.payments.paidBy(wallet, NOTICES_SHOWN);
  const gone = await posts.store.findRemovedAt(payments.flatMap(({ usedOn, post }) => usedOn ?? post ?? []));
  return (
    payments
      // Change from credits is no failed payment.
      .filter(({ state, reason }) => state !== 'confirmed' && state !== 'dropped' && reason !== 'change')
      .map(({ _id, state, post: paidFor, usedOn, reason, createdAt: at }) => {
        const isCredit = state === 'credit' && usedOn === null;
        const post = usedOn ?? paidFor;
        const goneAt = isCredit ? undefined : gone.get(post?.toHexString() ?? '');
        return {
          // The removal of the post is a notice of its own, at its own time.
          _id: goneAt ? `gone-${_id}` : `paid-${_id}`,
          kind: isCredit ? 'credit' : 'featured',
          at: goneAt ?? at,
          about: post,
          reason: isCredit ? reason : null,
        };
      })
  );
}

async function ofLaunches({ launches }: NoticeNeeds, wallet: string): Promise<Told[]> {
  return (await launches.store.of(wallet)).flatMap(({ _id, claim, name, symbol, confirmedAt: at }) =>
    at ? [{ _id: `token-${claim}`, kind: 'token' as const, at, about: _id, token: { name, symbol } }] : [],
  );
}
