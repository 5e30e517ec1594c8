import { SAVE_HOURS, type Save } from '@archive/contracts';
import { ObjectId } from 'mongodb';
import { AppError } from '../app-error.ts';
import type { Act } from '../audit/audit-entry.ts';
import type { Base } from '../base.ts';
import { isObjectId } from '../posts/post-document.ts';
import { type SaveDocument, toSave } from './save-document.ts';
import type { SaveStore } from './save-store.ts';
import type { SaveWorker } from './save-worker.ts';

interface Needs extends Pick<Base, 'audit'> {
  saves: { store: SaveStore; worker: Pick<SaveWorker, 'wake'> };
}

type By = Pick<Act, 'actor' | 'reason' | 'requestId'>;

/** Restarts a failed request with its full time. Its asker gets no second reply. */
export async function retrySave(context: Needs, id: string, by: By): Promise<Save> {
  const save = await findSave(context, id);
  if (save.state !== 'failed') throw refused('Only a request that failed can be tried again.');
  return change(context, save, 'retry save', 'received', by, async () => {
    const isDone = await context.saves.store.retry(save._id, SAVE_HOURS * 3_600_000);
    context.saves.worker.wake();
    return isDone;
  });
}

/** Ends an open request. */
export async function cancelSave(context: Needs, id: string, by: By): Promise<Save> {
  const save = await findSave(context, id);
  if (save.state !== 'received' && save.state !== 'fetched') throw refused('This request has ended, or all but ended.');
  return change(context, save, 'cancel save', 'failed', by, () => context.saves.store.cancel(save._id));
}

/**
 * Ends a request on behalf of the wallet that made it, as long as its post is not fetched; after that it may be kept at
 * any moment. For all other callers the request does not exist.
 */
export async function takeBackSave(context: Pick<Needs, 'saves'>, id: string, wallet: string): Promise<Save> {
  const save = await findSave(context, id);
  if (save.askedBy.kind !== 'wallet' || save.askedBy.id !== wallet) throw noSuchRequest();
  if (!(await context.saves.store.cancel(save._id, { states: ['received'], reason: 'taken_back' })))
    throw refused('This post is being kept already. Ask for its removal on its page.');
  return toSave((await context.saves.store.find(save._id)) ?? save);
}

async function change(
  { audit, saves }: Needs,
  save: SaveDocument,
  act: string,
  state: Save['state'],
  by: By,
  run: () => Promise<boolean>,
): Promise<Save> {
  const subject = { kind: 'save', id: save._id.toHexString() };
  const states = { before: { state: save.state, reason: save.reason }, after: { state } };
  await audit.perform({ ...by, act, subject, ...states }, async () => {
    if (!(await run())) throw refused('This request has just gone on.');
  });
  return toSave((await saves.store.find(save._id)) ?? save);
}

async function findSave({ saves }: Pick<Needs, 'saves'>, id: string): Promise<SaveDocument> {
  const save = isObjectId(id) ? await saves.store.find(new ObjectId(id)) : null;
  // Requests of authors about their own posts are not public.
  if (!save?.isPublic) throw noSuchRequest();
  return save;
}

function noSuchRequest(): AppError {
  return new AppError('not_found', 'There is no such request.');
}

function refused(sentence: string): AppError {
  return new AppError('save_refused', sentence);
}
