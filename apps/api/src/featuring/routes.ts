import { ENDPOINTS, type FeatureResult } from '@archive/contracts';
import { useCreditsBodySchema, verifyFeatureBodySchema } from '@archive/contracts/schemas';
import type { Router } from 'express';
import { authenticate } from '../auth/authenticate.ts';
import type { Context } from '../context.ts';
import { AppError } from '../http/app-error.ts';
import { mount, parseBody } from '../http/serve.ts';
import { toCredit } from './payment-document.ts';
import { useCredits } from './use-credits.ts';
import { readSignature, verifyFeature } from './verify-feature.ts';

export function featureRoutes(router: Router, context: Context): void {
  const { chain, desk, limits, payments } = context;

  mount(router, ENDPOINTS.featureWallet, (_request, response) => void response.json(desk.publicTerms()));

  mount(router, ENDPOINTS.verifyFeature, limits.byAddress('payment'), async (request, response) => {
    const { walletAddress: wallet } = await authenticate(context, request);
    await limits.spend('payment', wallet, response);
    const { amberId, transaction } = parseBody(verifyFeatureBodySchema, request.body);
    const signature = readSignature(transaction);
    const offer = desk.require();
    if (!chain) throw new AppError('chain_unavailable', 'The network cannot be reached right now. Please try again.');
    const archive = await verifyFeature(context, chain, offer, { wallet, amberId, signature });
    const result: FeatureResult = archive ? { success: true, archive } : { success: false, status: 'pending' };
    response.status(archive ? 200 : 202).json(result);
  });

  mount(router, ENDPOINTS.featureCredits, async (request, response) => {
    const { walletAddress } = await authenticate(context, request);
    response.json((await payments.creditsOf(walletAddress)).map(toCredit));
  });

  mount(router, ENDPOINTS.useFeatureCredits, async (request, response) => {
    const { walletAddress } = await authenticate(context, request);
    await limits.spend('change', walletAddress, response);
    const { amberId } = parseBody(useCreditsBodySchema, request.body);
    const archive = await useCredits(context, desk.require(), walletAddress, amberId);
    response.json({ success: true, archive } satisfies FeatureResult);
  });
}
