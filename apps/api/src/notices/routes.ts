import { NOTICE_KINDS, NOTICE_PLACES, type NoticeSettings, PUSH_BROWSERS } from '@archive/contracts';
import type { UserDocument } from '../accounts/user-store.ts';
import { AppError } from '../app-error.ts';
import type { Routes } from '../http/route.ts';
import { isPoint } from '../push-keys.ts';
import { listNotices, type NoticeNeeds } from './list-notices.ts';

export const noticeRoutes = {
  listNotices: {
    access: 'session',
    needsIndex: true,
    walletBudget: 'notices',
    run: (context, { wallet, asker }) => listNotices(context, wallet, asker),
  },
  readNotices: {
    access: 'session',
    walletBudget: 'change',
    run: async ({ accounts, posts }, { wallet }) => {
      await accounts.users.change(wallet, { noticesReadAt: posts.store.now() });
    },
  },
  noticeSettings: {
    access: 'session',
    walletBudget: 'list',
    run: async (context, { wallet }) => settingsOf(context, wallet, await context.accounts.users.find(wallet)),
  },
  changeNoticeSettings: {
    access: 'session',
    walletBudget: 'change',
    run: async (context, { wallet, body }) => {
      const { users } = context.accounts;
      const { quiet } = (await users.find(wallet)) ?? {};
      const given = NOTICE_PLACES.flatMap((place) => {
        const wanted = body[place];
        return wanted ? [[place, NOTICE_KINDS.filter((kind) => !wanted.includes(kind))] as const] : [];
      });
      return settingsOf(
        context,
        wallet,
        await users.change(wallet, { quiet: { ...quiet, ...Object.fromEntries(given) } }),
      );
    },
  },
  addBrowser: {
    access: 'session',
    walletBudget: 'change',
    run: async ({ accounts, config, outbound, posts }, { wallet, session, body: { endpoint, keys } }) => {
      if (!config.push) throw new AppError('push_unavailable', 'Notices are not pushed here.');
      if (!outbound.mayAsk(endpoint, 'anybody')) throw invalid('endpoint', 'must be an https address at a public name');
      if (!isPoint(keys.p256dh)) throw invalid('keys.p256dh', 'must be a point of P-256');
      const since = posts.store.now();
      const _id = await accounts.browsers.keep({
        wallet,
        session,
        endpoint,
        ...keys,
        key: config.push.publicKey,
        since,
      });
      if (_id === null)
        throw new AppError('too_many', `Notices are pushed to ${PUSH_BROWSERS} browsers of yours already.`);
      return { _id };
    },
  },
  dropBrowser: {
    access: 'session',
    walletBudget: 'change',
    run: async ({ accounts }, { wallet, params }) => {
      await accounts.browsers.drop(params.browser, wallet);
    },
  },
} satisfies Routes<
  'listNotices' | 'readNotices' | 'noticeSettings' | 'changeNoticeSettings' | 'addBrowser' | 'dropBrowser',
  NoticeNeeds
>;

async function settingsOf(
  { accounts, config }: NoticeNeeds,
  wallet: string,
  user: UserDocument | null,
): Promise<NoticeSettings> {
  const wanted = (place: (typeof NOTICE_PLACES)[number]) =>
    NOTICE_KINDS.filter((kind) => !user?.quiet?.[place]?.includes(kind));
  const browsers = await accounts.browsers.of(wallet);
  return {
    page: wanted('page'),
    push: wanted('push'),
    browsers: browsers.filter(({ key }) => key === config.push?.publicKey).map(({ _id }) => _id),
  };
}

function invalid(path: string, message: string): AppError {
  return new AppError('invalid_request', `${path}: ${message}`, { errors: [{ path, message }] });
}
