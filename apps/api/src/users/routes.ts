import { ENDPOINTS } from '@archive/contracts';
import {
  challengeBodySchema,
  preferencesBodySchema,
  profileBodySchema,
  signedProfileBodySchema,
  verifyBodySchema,
} from '@archive/contracts/schemas';
import type { Router } from 'express';
import { authenticate } from '../auth/authenticate.ts';
import { createChallenge } from '../auth/create-challenge.ts';
import { verifyChallenge } from '../auth/verify-challenge.ts';
import type { Context } from '../context.ts';
import { mount, parseBody } from '../http/serve.ts';
import { updateProfile, updateProfileSigned } from './update-profile.ts';
import { toUser, toUserAnswer } from './user.ts';

export function userRoutes(router: Router, context: Context): void {
  const { limits } = context;

  mount(router, ENDPOINTS.challenge, limits.byAddress('challenge'), async (request, response) => {
    const { walletAddress } = parseBody(challengeBodySchema, request.body ?? {});
    response.json(await createChallenge(context, walletAddress));
  });

  mount(router, ENDPOINTS.verify, limits.byAddress('verify'), async (request, response) => {
    response.json(await verifyChallenge(context, parseBody(verifyBodySchema, request.body)));
  });

  mount(router, ENDPOINTS.me, async (request, response) => {
    const { walletAddress } = await authenticate(context, request);
    const document = await context.users.findOrCreate(walletAddress);
    response.json(toUserAnswer(toUser(document, await context.reactions.latestOf(walletAddress))));
  });

  mount(router, ENDPOINTS.logout, async (request, response) => {
    const { id } = await authenticate(context, request);
    await context.sessions.end(id);
    response.status(204).end();
  });

  mount(router, ENDPOINTS.updateProfile, async (request, response) => {
    const { walletAddress } = await authenticate(context, request);
    await limits.spend('change', walletAddress, response);
    const change = parseBody(profileBodySchema, request.body);
    response.json(toUserAnswer(await updateProfile(context, walletAddress, change)));
  });

  mount(router, ENDPOINTS.updateProfileSigned, limits.byAddress('signed'), async (request, response) => {
    const input = parseBody(signedProfileBodySchema, request.body);
    const onProven = () => limits.spend('change', input.walletAddress, response);
    response.json(toUserAnswer(await updateProfileSigned(context, input, onProven)));
  });

  mount(router, ENDPOINTS.updatePreferences, async (request, response) => {
    const { walletAddress } = await authenticate(context, request);
    await limits.spend('change', walletAddress, response);
    const change = parseBody(preferencesBodySchema, request.body);
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const { notifications, theme } = await context.users.change(walletAddress, given);
    response.json({ preferences: { notifications, theme } });
  });
}
