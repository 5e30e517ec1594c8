import type { Base } from '../base.ts';
import { json } from '../http/replies.ts';
import type { Routes } from '../http/route.ts';
import type { Accounts } from './accounts.ts';
import { makeKey, revokeKey, toAdminKey } from './change-keys.ts';
import { createChallenge } from './create-challenge.ts';
import { changePreferences, updateProfile, updateProfileSigned } from './update-profile.ts';
import { type Activity, type Roles, toUser, toUserAnswer } from './user.ts';
import { verifyChallenge } from './verify-challenge.ts';

type Needs = Base & { accounts: Accounts; reactions: Activity; operators: Roles };

export const accountRoutes = {
  challenge: {
    access: 'anyone',
    addressBudget: 'challenge',
    run: (context, { body }) => createChallenge(context, body.walletAddress),
  },
  verify: {
    access: 'anyone',
    addressBudget: 'verify',
    run: (context, { body, requestId }) => verifyChallenge(context, { ...body, requestId }),
  },
  me: {
    access: 'session',
    run: async ({ accounts, reactions, operators }, { wallet }) => {
      const document = (await accounts.users.find(wallet)) ?? (await accounts.users.findOrCreate(wallet));
      const [latest, role] = await Promise.all([reactions.store.latestOf(wallet), operators.roleOf(wallet)]);
      return { ...toUserAnswer(toUser(document, latest)), isOperator: role !== null };
    },
  },
  logout: {
    access: 'session',
    addressBudget: 'session',
    run: async ({ accounts }, { session }) => {
      await Promise.all([accounts.sessions.end(session), accounts.browsers.dropOfSession(session)]);
    },
  },
  logoutEverywhere: {
    access: 'session',
    addressBudget: 'session',
    run: async ({ accounts }, { wallet }) => {
      await Promise.all([accounts.sessions.endAll(wallet), accounts.browsers.dropOf(wallet)]);
    },
  },
  updateProfile: {
    access: 'session',
    walletBudget: 'change',
    run: async (context, { wallet, body }) => toUserAnswer(await updateProfile(context, wallet, body)),
  },
  updateProfileSigned: {
    access: 'signature',
    addressBudget: 'signed',
    walletBudget: 'change',
    run: async (context, { body, onProven }) =>
      toUserAnswer(await updateProfileSigned(context, body, () => onProven(body.walletAddress))),
  },
  updatePreferences: {
    access: 'session',
    walletBudget: 'change',
    run: (context, { wallet, body }) => changePreferences(context, wallet, body),
  },
  listKeys: {
    access: 'operator',
    role: 'admin',
    run: async ({ accounts }) => ({ data: (await accounts.agentKeys.list()).map(toAdminKey) }),
  },
  makeKey: {
    access: 'operator',
    role: 'admin',
    isFresh: true,
    run: async (context, { body: { reason, expiresAt, postsPerMinute, ...given }, actor, requestId }) => {
      const terms = { ...given, ...(expiresAt && { expiresAt }), ...(postsPerMinute && { postsPerMinute }) };
      return json(201, await makeKey(context, terms, { actor, requestId, reason }));
    },
  },
  revokeKey: {
    access: 'operator',
    role: 'admin',
    isFresh: true,
    run: async (context, { params, query: { reason }, actor, requestId }) => {
      await revokeKey(context, params.key, { actor, requestId, reason });
    },
  },
} satisfies Routes<
  | 'listKeys'
  | 'makeKey'
  | 'revokeKey'
  | 'challenge'
  | 'verify'
  | 'me'
  | 'logout'
  | 'logoutEverywhere'
  | 'updateProfile'
  | 'updateProfileSigned'
  | 'updatePreferences',
  Needs
>;
