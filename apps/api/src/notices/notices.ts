import { PushFinder, type PushNeeds } from './push-finder.ts';
import { PushSender } from './push-sender.ts';
import { PushStore } from './push-store.ts';

export interface Notices {
  pushes: PushStore;
}

/** Creates the notices. Nothing is pushed if the settings contain no keys. */
export function createNotices(context: Omit<PushNeeds, 'pushes'>): Notices {
  const pushes = new PushStore(context.database.db);
  const { push } = context.config;
  if (push) {
    context.background.add(new PushFinder({ ...context, pushes }, push));
    context.background.add(new PushSender({ ...context, pushes }, push));
  }
  return { pushes };
}
