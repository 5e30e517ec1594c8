import { FRESH_SIGN_IN_MINUTES, PRODUCT_SLUG } from '@archive/contracts';
import { EXPORT_TYPES } from '@archive/contracts/schemas';
import type { Base } from '../base.ts';
import { download } from '../http/replies.ts';
import type { Routes } from '../http/route.ts';
import { listOperators, makeModerator, unmakeModerator } from './change-moderators.ts';
import { listSuspended, listSwitches, setSuspension, setSwitch } from './change-stops.ts';
import type { Operators } from './operators.ts';
import { listLog, writeLog } from './read-log.ts';

type Needs = Base & { operators: Operators };

export const operatorRoutes = {
  adminMe: {
    access: 'operator',
    role: 'moderator',
    run: (_context, { wallet, role, signedInAt }) => {
      const freshUntil = new Date((signedInAt?.getTime() ?? 0) + FRESH_SIGN_IN_MINUTES * 60_000);
      return { wallet, role, freshUntil: freshUntil.toISOString() };
    },
  },
  listOperators: {
    access: 'operator',
    role: 'admin',
    run: async (context) => ({ data: await listOperators(context) }),
  },
  makeModerator: {
    access: 'operator',
    role: 'admin',
    isFresh: true,
    run: (context, { params, body, actor, requestId }) =>
      makeModerator(context, params.wallet, { actor, requestId, reason: body.reason }),
  },
  unmakeModerator: {
    access: 'operator',
    role: 'admin',
    isFresh: true,
    run: async (context, { params, query, actor, requestId }) => {
      await unmakeModerator(context, params.wallet, { actor, requestId, reason: query.reason });
    },
  },
  listLog: { access: 'operator', role: 'admin', run: (context, { query }) => listLog(context, query) },
  checkLog: { access: 'operator', role: 'admin', run: ({ operators }) => operators.checkLog() },
  exportLog: {
    access: 'operator',
    role: 'admin',
    run: ({ audit }, { query }) =>
      download({ name: `${PRODUCT_SLUG}-log.ndjson`, type: EXPORT_TYPES.ndjson }, () => writeLog(audit, query)),
  },
  listSwitches: {
    access: 'operator',
    role: 'moderator',
    run: async (context) => ({ data: await listSwitches(context) }),
  },
  setSwitch: {
    access: 'operator',
    role: 'admin',
    run: (context, { params, body: { isStopped, reason }, actor, requestId }) =>
      setSwitch(context, params.switch, isStopped, { actor, requestId, reason }),
  },
  listSuspended: {
    access: 'operator',
    role: 'admin',
    run: async (context) => ({ data: await listSuspended(context) }),
  },
  suspendWallet: {
    access: 'operator',
    role: 'admin',
    run: async (context, { params, body: { reason }, actor, requestId }) => {
      await setSuspension(context, params.wallet, true, { actor, requestId, reason });
    },
  },
  resumeWallet: {
    access: 'operator',
    role: 'admin',
    run: async (context, { params, query: { reason }, actor, requestId }) => {
      await setSuspension(context, params.wallet, false, { actor, requestId, reason });
    },
  },
} satisfies Routes<
  | 'listSwitches'
  | 'setSwitch'
  | 'listSuspended'
  | 'suspendWallet'
  | 'resumeWallet'
  | 'adminMe'
  | 'listOperators'
  | 'makeModerator'
  | 'unmakeModerator'
  | 'listLog'
  | 'checkLog'
  | 'exportLog',
  Needs
>;
