import { randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';

/** What tells this archive from another, and from itself as it was before a restore. */
export interface ArchiveMark {
  /** Made with the archive, and anew by a restore of ours. */
  epoch: string;
  /** Grows with every mark of any process; a smaller one than before is that of an older copy. */
  beat: number;
}

type StateDocument = ArchiveMark & { _id: 'archive' };

/** Marks the database now and then, so that a process notices when an older copy has taken its place. */
export class ArchiveState {
  readonly #states: Collection<StateDocument>;

  constructor(db: Db) {
    this.#states = db.collection<StateDocument>('archive_state');
  }

  async mark(): Promise<ArchiveMark> {
    const state = await this.#states.findOneAndUpdate(
      { _id: 'archive' },
      { $setOnInsert: { epoch: randomUUID() }, $inc: { beat: 1 } },
      { upsert: true, returnDocument: 'after' },
    );
    if (!state) throw new Error('the archive could not be marked');
    return { epoch: state.epoch, beat: state.beat };
  }
}
