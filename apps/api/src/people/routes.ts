import { PRODUCT_SLUG } from '@archive/contracts';
import { EXPORT_TYPES } from '@archive/contracts/schemas';
import { download } from '../http/replies.ts';
import type { Routes } from '../http/route.ts';
import type { Posts } from '../posts/posts.ts';
import { countKept } from './count-kept.ts';
import { deleteAccount } from './delete-account.ts';
import { exportAccount, type KeptNeeds } from './export-account.ts';
import type { People } from './people.ts';

type Needs = KeptNeeds & { people: People; posts: Pick<Posts, 'exports'> };

export const personRoutes = {
  getAccount: {
    access: 'session',
    walletBudget: 'list',
    run: (context, { wallet }) => countKept(context, wallet),
  },
  exportAccount: {
    access: 'session',
    walletBudget: 'list',
    run: (context, { wallet, asker }) => {
      const name = `${PRODUCT_SLUG}-account-${wallet}.json`;
      const file = { name, type: EXPORT_TYPES.json };
      return download(file, () => exportAccount(context, wallet), { slot: context.posts.exports.of('own', asker) });
    },
  },
  deleteAccount: {
    access: 'signature',
    addressBudget: 'signed',
    walletBudget: 'change',
    run: async (context, { body, onProven }) => {
      await deleteAccount(context, body, () => onProven(body.walletAddress));
    },
  },
} satisfies Routes<'getAccount' | 'exportAccount' | 'deleteAccount', Needs>;
