import type { Accounts } from '../accounts/accounts.ts';
import type { Base } from '../base.ts';
import type { Routes } from '../http/route.ts';
import type { Posts } from '../posts/posts.ts';
import { changeReaction, changeReactionSigned, getReactions } from './change-reaction.ts';
import { listGivenReactions, listReceipts } from './list-reactions.ts';
import type { Reactions } from './reactions.ts';

type Needs = Base & { posts: Posts; accounts: Accounts; reactions: Reactions };

export const reactionRoutes = {
  userReactions: {
    access: 'session',
    walletBudget: 'list',
    run: (context, { wallet, asker }) => listGivenReactions(context, wallet, asker),
  },
  getReactions: {
    access: 'anyone',
    run: (context, { params, query }) => getReactions(context, params.id, query.walletAddress || undefined),
  },
  listReactions: {
    access: 'anyone',
    addressBudget: 'read',
    run: (context, { params, query }) => listReceipts(context, params.id, query.after),
  },
  addReaction: {
    access: 'session',
    walletBudget: 'change',
    networkBudget: 'reaction',
    run: (context, { wallet, params, body }) =>
      changeReaction(context, { ...params, ...body, walletAddress: wallet, change: 'add' }),
  },
  removeReaction: {
    access: 'session',
    walletBudget: 'change',
    networkBudget: 'reaction',
    run: (context, { wallet, params }) =>
      changeReaction(context, { ...params, walletAddress: wallet, change: 'remove' }),
  },
  addReactionSigned: {
    access: 'signature',
    addressBudget: 'signed',
    walletBudget: 'change',
    networkBudget: 'reaction',
    run: (context, { params, body, onProven }) =>
      changeReactionSigned(context, { ...params, ...body, change: 'add' }, () => onProven(body.walletAddress)),
  },
  removeReactionSigned: {
    access: 'signature',
    addressBudget: 'signed',
    walletBudget: 'change',
    networkBudget: 'reaction',
    run: (context, { params, body, onProven }) =>
      changeReactionSigned(context, { ...params, ...body, change: 'remove' }, () => onProven(body.walletAddress)),
  },
} satisfies Routes<
  | 'userReactions'
  | 'getReactions'
  | 'listReactions'
  | 'addReaction'
  | 'removeReaction'
  | 'addReactionSigned'
  | 'removeReactionSigned',
  Needs
>;
