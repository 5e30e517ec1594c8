import {
  cutCodePoints,
  type Notice,
  noticeHref,
  noticeSentence,
  PRODUCT_NAME,
  PUSH_HOURS,
  type PushMessage,
} from '@archive/contracts';
import type { Asker } from '../question-queue.ts';
import { type NoticeNeeds, noticesOf, readUntil, searchNoticeId } from './list-notices.ts';
import type { PushStore } from './push-store.ts';

type Needs = NoticeNeeds & { pushes: PushStore };

const HOUR_MS = 3_600_000;
/** Longest message, in code points, and longest path; more does not fit a push message. */
const WORDS = 200;
const PATH_LENGTH = 2_500;

/**
 * Stores the messages that each browser of a wallet has not received. `hasNewPosts` is whether saved searches may have
 * new posts since the last check; none is asked after `endsAt`. Returns false if some were not answered.
 */
export async function findPushes(
  context: Needs,
  wallet: string,
  options: { asker: Asker; hasNewPosts: boolean; endsAt?: number },
): Promise<boolean> {
  const { accounts, posts, pushes } = context;
  const { endsAt = Number.POSITIVE_INFINITY } = options;
  let isWhole = true;
  const at = new Date(context.now());
  const [user, browsers] = await Promise.all([accounts.users.find(wallet), accounts.browsers.of(wallet)]);
  const told = await pushes.toldTo(wallet);
  // After a visit to the notices page, a search may be announced again once more posts have come.
  const readAt = readUntil(user).getTime();
  const keyOf = (id: string, kind: Notice['kind']) => (kind === 'search' ? `${id}-${readAt}` : id);
  const isTold = (browser: string, key: string) => told.has(`${browser} ${key}`);
  const notices = await noticesOf(context, wallet, options.asker, {
    user,
    place: 'push',
    // Each is a query to the index, so only searches that would cause a message are asked.
    isAsked: (search) => {
      if (!options.hasNewPosts) return false;
      if (browsers.every(({ _id }) => isTold(_id, keyOf(searchNoticeId(search), 'search')))) return false;
      if (performance.now() <= endsAt) return true;
      isWhole = false;
      return false;
    },
    onRefused: () => {
      isWhole = false;
    },
  });
  const oldest = posts.store.now().getTime() - PUSH_HOURS * HOUR_MS;
  const fresh = notices.filter(({ isNew, at }) => isNew && Date.parse(at) > oldest);
  const found = browsers.flatMap(({ _id: browser, since }) =>
    fresh
      .filter((notice) => Date.parse(notice.at) > since.getTime())
      .map((notice) => ({ browser, wallet, notice: keyOf(notice._id, notice.kind), message: toMessage(notice) }))
      .filter(({ notice }) => !isTold(browser, notice)),
  );
  await pushes.add(found, at);
  return isWhole;
}

/** Contains only what a lock screen may show, without text of a post. */
export function toMessage(notice: Notice): PushMessage {
  const { _id, kind, search, post } = notice;
  const url = noticeHref(notice) ?? (post ? `/post/${post._id}` : '/dashboard');
  return {
    title: PRODUCT_NAME,
    body: cutCodePoints(noticeSentence(notice), WORDS),
    url: url.length > PATH_LENGTH ? '/dashboard' : url,
    // A later message about the same search replaces the earlier one.
    tag: kind === 'search' && search ? `search-${search._id}` : _id,
  };
}
