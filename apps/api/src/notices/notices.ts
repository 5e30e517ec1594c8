import { PushStore } from './push-store.ts';
import { type PushNeeds, PushWorker } from './push-worker.ts';

export interface Notices {
  pushes: PushStore;
  /** Null where nothing is pushed. */
  worker: PushWorker | null;
}

/** What people are told of what concerns them. */
export function createNotices(context: Omit<PushNeeds, 'pushes'>): Notices {
  const pushes = new PushStore(context.database.db);
  const { push } = context.config;
  const worker = push && new PushWorker({ ...context, pushes }, push);
  if (worker) context.background.add(worker);
  return { pushes, worker };
}
