import type { Routes } from '../http/route.ts';
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
} satisfies Routes<'listNotices' | 'readNotices', NoticeNeeds>;
