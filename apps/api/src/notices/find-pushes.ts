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
/** Of a message, in code points, and of the path that it leads to: what is longer fits no push service. */
const WORDS = 200;
const PATH_LENGTH = 2_500;

/**
 * Puts down for each browser of a wallet what it has not been told. `hasNewPosts`: whether anything can have come into
 * saved searches since the wallet was looked after last; after `endsAt` none is asked any more. False where not all were
 * answered.
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
  // What was read in the page since may be told again of the same search, once more has come.
  const readAt = readUntil(user).getTime();
  const keyOf = (id: string, kind: Notice['kind']) => (kind === 'search' ? `${id}-${readAt}` : id);
  const isTold = (browser: string, key: string) => told.has(`${browser} ${key}`);
  const notices = await noticesOf(context, wallet, options.asker, {
    user,
    place: 'push',
    // A question to the index each: only what would be told is asked.
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

/** As much as a lock screen may show: no words of a post. */
export function toMessage(notice: Notice): PushMessage {
  const { _id, kind, search, post } = notice;
  const url = noticeHref(notice) ?? (post ? `/post/${post._id}` : '/dashboard');
  return {
    title: PRODUCT_NAME,
    body: cutCodePoints(noticeSentence(notice), WORDS),
    url: url.length > PATH_LENGTH ? '/dashboard' : url,
    // Whatever comes of one search later takes the place of what came before.
    tag: kind === 'search' && search ? `search-${search._id}` : _id,
  };
}
