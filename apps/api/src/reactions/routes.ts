import { ENDPOINTS } from '@archive/contracts';
import {
  reactionBodySchema,
  reactionTypeSchema,
  signedReactionBodySchema,
  signedRemovalBodySchema,
} from '@archive/contracts/schemas';
import type { Router } from 'express';
import { z } from 'zod';
import { authenticate } from '../auth/authenticate.ts';
import type { Context } from '../context.ts';
import { mount, parseBody, parseParams, parseQuery } from '../http/serve.ts';
import { changeReaction, changeReactionSigned, getReactions } from './change-reaction.ts';
import { listGivenReactions, listReceipts } from './list-reactions.ts';

const once = 'must be given once';
const walletQuerySchema = z.object({ walletAddress: z.string(once).optional() });
const receiptsQuerySchema = z.object({
  after: z
    .string(once)
    .regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}:[A-Za-z]{1,20}$/, 'must be the next of an earlier page')
    .optional(),
});
const idSchema = z.object({ id: z.string() });
const typeSchema = z.object({ id: z.string(), reactionType: reactionTypeSchema });

export function reactionRoutes(router: Router, context: Context): void {
  const { limits } = context;

  mount(router, ENDPOINTS.userReactions, async (request, response) => {
    const { walletAddress } = await authenticate(context, request);
    response.json(await listGivenReactions(context, walletAddress));
  });

  mount(router, ENDPOINTS.getReactions, async (request, response) => {
    const { walletAddress } = parseQuery(walletQuerySchema, request);
    const { id } = parseParams(idSchema, request);
    response.json(await getReactions(context, id, walletAddress || undefined));
  });

  mount(router, ENDPOINTS.listReactions, async (request, response) => {
    const { after } = parseQuery(receiptsQuerySchema, request);
    const { id } = parseParams(idSchema, request);
    response.json(await listReceipts(context, id, after));
  });

  mount(router, ENDPOINTS.addReaction, async (request, response) => {
    const { walletAddress } = await authenticate(context, request);
    await limits.spend('change', walletAddress, response);
    const { id } = parseParams(idSchema, request);
    const { reactionType } = parseBody(reactionBodySchema, request.body);
    response.json(await changeReaction(context, { id, walletAddress, reactionType, change: 'add' }));
  });

  mount(router, ENDPOINTS.removeReaction, async (request, response) => {
    const { walletAddress } = await authenticate(context, request);
    await limits.spend('change', walletAddress, response);
    const { id, reactionType } = parseParams(typeSchema, request);
    response.json(await changeReaction(context, { id, walletAddress, reactionType, change: 'remove' }));
  });

  mount(router, ENDPOINTS.addReactionSigned, limits.byAddress('signed'), async (request, response) => {
    const { id } = parseParams(idSchema, request);
    const input = parseBody(signedReactionBodySchema, request.body);
    // Only who signed pays: naming a wallet must not use up its budget.
    const onProven = () => limits.spend('change', input.walletAddress, response);
    response.json(await changeReactionSigned(context, { ...input, id, change: 'add' }, onProven));
  });

  mount(router, ENDPOINTS.removeReactionSigned, limits.byAddress('signed'), async (request, response) => {
    const { id, reactionType } = parseParams(typeSchema, request);
    const input = parseBody(signedRemovalBodySchema, request.body);
    const onProven = () => limits.spend('change', input.walletAddress, response);
    response.json(await changeReactionSigned(context, { ...input, id, reactionType, change: 'remove' }, onProven));
  });
}
