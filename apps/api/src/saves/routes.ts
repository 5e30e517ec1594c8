import type { Save } from '@archive/contracts';
import { ObjectId } from 'mongodb';
import { AppError } from '../app-error.ts';
import { json } from '../http/replies.ts';
import type { Routes } from '../http/route.ts';
import { findSuspension, type Operators } from '../operators/operators.ts';
import { isObjectId } from '../posts/post-document.ts';
import { type CreateNeeds, createSave } from './create-save.ts';
import { type SaveDocument, toSave } from './save-document.ts';
import { SAVES_COUNTED } from './save-store.ts';
import { cancelSave, retrySave, takeBackSave } from './tend-save.ts';

export const saveRoutes = {
  createSave: {
    access: 'session or agent key',
    scope: 'save',
    // Each request with a handle makes the platform look that handle up, even if it does not exist.
    addressBudget: 'save',
    walletBudget: 'save',
    run: async (context, { body: { url }, caller, network }) => {
      const suspension = caller.kind === 'wallet' ? await findSuspension(context.operators, caller.id) : null;
      if (suspension) throw suspension;
      const { save, isKept } = await createSave(context, url, { askedBy: caller, network });
      return json(isKept ? 200 : 202, save);
    },
  },
  listSaves: {
    access: 'visitor',
    addressBudget: 'read',
    run: async ({ posts, saves }, { query: { page, limit, state, mine }, wallet }) => {
      if (mine && wallet === null) throw new AppError('unauthorized', 'Please sign in.');
      if (page * limit > SAVES_COUNTED) {
        const message = `only the newest ${SAVES_COUNTED.toLocaleString('en-US')} requests are listed`;
        throw new AppError('invalid_request', `page: ${message}`, { errors: [{ path: 'page', message }] });
      }
      const asker = mine && wallet !== null ? wallet : undefined;
      const { saves: found, total } = await saves.store.list({ state, asker }, { page, limit });
      const data = await answerSaves(posts, found);
      return { data, pagination: { page, limit, total, pages: Math.ceil(total / limit) } };
    },
  },
  getSave: {
    access: 'anyone',
    run: async ({ posts, saves }, { params }) => {
      const save = isObjectId(params.save) ? await saves.store.find(new ObjectId(params.save)) : null;
      // Requests of authors about their own posts are not public.
      if (!save?.isPublic) throw new AppError('not_found', 'There is no such request.');
      const [told] = await answerSaves(posts, [save]);
      return told as Save;
    },
  },
  takeBackSave: {
    access: 'session',
    walletBudget: 'change',
    run: (context, { params, wallet }) => takeBackSave(context, params.save, wallet),
  },
  retrySave: {
    access: 'operator',
    role: 'moderator',
    run: (context, { params, body: { reason }, actor, requestId }) =>
      retrySave(context, params.save, { actor, requestId, reason }),
  },
  cancelSave: {
    access: 'operator',
    role: 'moderator',
    run: (context, { params, body: { reason }, actor, requestId }) =>
      cancelSave(context, params.save, { actor, requestId, reason }),
  },
} satisfies Routes<
  'createSave' | 'listSaves' | 'getSave' | 'takeBackSave' | 'retrySave' | 'cancelSave',
  CreateNeeds & { operators: Operators }
>;

/** The public form of requests. A kept post that is gone by now cannot be opened. */
async function answerSaves({ store }: CreateNeeds['posts'], found: readonly SaveDocument[]): Promise<Save[]> {
  const gone = await store.findGone(found.flatMap(({ archiveId }) => archiveId ?? []));
  return found.map((save) => {
    const told = toSave(save);
    const reason = gone.get(told.archiveId ?? '');
    return reason ? { ...told, state: 'failed', reason, archiveId: null } : told;
  });
}
