import { AppError } from '../app-error.ts';
import type { Base } from '../base.ts';
import { json } from '../http/replies.ts';
import type { Routes } from '../http/route.ts';
import type { Operators } from '../operators/operators.ts';
import type { Posts } from '../posts/posts.ts';
import type { Reactions } from '../reactions/reactions.ts';
import { describeFeaturing } from './feature-offer.ts';
import type { Featuring } from './featuring.ts';
import { listPaidPosts } from './list-paid-posts.ts';
import { listPayments } from './list-payments.ts';
import { toCredit } from './payment-document.ts';
import { holdCredit, markRefunded, releaseCredit } from './refund-credit.ts';
import { describeTerms, setPrice } from './set-price.ts';
import { spendCredits } from './spend-credits.ts';
import { readSignature, verifyFeature } from './verify-feature.ts';

const AWAY = 'The network cannot be reached right now. Please try again.';

type Needs = Base & { posts: Posts; reactions: Reactions; featuring: Featuring; operators: Operators };

export const featureRoutes = {
  featureWallet: { access: 'anyone', run: describeFeaturing },
  verifyFeature: {
    access: 'session',
    addressBudget: 'payment',
    walletBudget: 'payment',
    run: async (context, { wallet, network, body: { amberId, transaction } }) => {
      const signature = readSignature(transaction);
      const offer = context.featuring.offer.require();
      if (!context.chain) throw new AppError('chain_unavailable', AWAY);
      const archive = await verifyFeature(context, context.chain, offer, { wallet, network, amberId, signature });
      return archive ? { success: true, archive } : json(202, { success: false, status: 'pending' });
    },
  },
  featureCredits: {
    access: 'session',
    walletBudget: 'list',
    run: async ({ featuring }, { wallet }) => {
      const credits = await featuring.payments.creditsOf(wallet);
      return credits.map((credit) => toCredit(credit, featuring.offer.current?.terms.mint));
    },
  },
  paidPosts: {
    access: 'session',
    walletBudget: 'list',
    run: async (context, { wallet }) => ({ data: await listPaidPosts(context, wallet) }),
  },
  useFeatureCredits: {
    access: 'session',
    addressBudget: 'payment',
    walletBudget: 'change',
    run: async (context, { wallet, body }) => ({
      success: true,
      archive: await spendCredits(context, context.featuring.offer.require(), wallet, body.amberId),
    }),
  },
  featuringTerms: {
    access: 'operator',
    role: 'admin',
    run: (context) => describeTerms(context, context.featuring.offer.require()),
  },
  setFeaturePrice: {
    access: 'operator',
    role: 'admin',
    run: (context, { body: { price, reason }, actor, requestId }) =>
      setPrice(context, context.featuring.offer.require(), price, { actor, requestId, reason }),
  },
  clearFeaturePrice: {
    access: 'operator',
    role: 'admin',
    run: (context, { query: { reason }, actor, requestId }) =>
      setPrice(context, context.featuring.offer.require(), null, { actor, requestId, reason }),
  },
  listPayments: { access: 'operator', role: 'admin', run: (context, { query }) => listPayments(context, query) },
  holdCredit: {
    access: 'operator',
    role: 'admin',
    run: (context, { params, body: { reason }, actor, requestId }) =>
      holdCredit(context, params.payment, { actor, requestId, reason }),
  },
  releaseCredit: {
    access: 'operator',
    role: 'admin',
    run: (context, { params, query: { reason }, actor, requestId }) =>
      releaseCredit(context, params.payment, { actor, requestId, reason }),
  },
  markRefunded: {
    access: 'operator',
    role: 'admin',
    isFresh: true,
    run: (context, { params, body: { transaction, reason }, actor, requestId }) =>
      markRefunded(context, context.chain, params.payment, readSignature(transaction), { actor, requestId, reason }),
  },
} satisfies Routes<
  | 'featureWallet'
  | 'verifyFeature'
  | 'featureCredits'
  | 'paidPosts'
  | 'useFeatureCredits'
  | 'featuringTerms'
  | 'setFeaturePrice'
  | 'clearFeaturePrice'
  | 'listPayments'
  | 'holdCredit'
  | 'releaseCredit'
  | 'markRefunded',
  Needs
>;
