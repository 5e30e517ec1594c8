import { Loop } from '../background/loop.ts';
import type { Base } from '../base.ts';
import { PostsByHour } from './posts-by-hour.ts';
import { ReportStore } from './report-store.ts';

const EXPIRE_EVERY_MS = 3_600_000;

export interface Reports {
  store: ReportStore;
  postsByHour: PostsByHour;
}

export function createReports({ background, database, log }: Pick<Base, 'background' | 'database' | 'log'>): Reports {
  const store = new ReportStore(database.db);
  const onFailure = (error: unknown) => log.error({ err: error }, 'words of old reports could not be taken away');
  background.add(new Loop({ pauseMs: EXPIRE_EVERY_MS, work: () => store.expire(), onFailure }));
  return { store, postsByHour: new PostsByHour(database.db) };
}
