import { randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { StartRefusal } from '../start-refusal.ts';

/** Identifies an archive, and its state relative to an older copy. */
export interface ArchiveMark {
  /** Created with the archive, and again by each restore. */
  epoch: string;
  /** Increments with each mark of any process. A smaller value than before means an older copy. */
  beat: number;
}

/** Features that stay closed after a restore until they are compared with the chain. */
export type Unsettled = 'launches' | 'payments';

interface StateDocument extends ArchiveMark {
  _id: 'archive';
  /** Start of a restore that runs or was interrupted; absent otherwise. */
  restoringSince?: Date;
  unsettled?: Unsettled[];
  /** When the last backup was complete and copied. */
  backedUpAt?: Date;
}

/** Thrown if a restore is incomplete, so that the archive is only partly there. */
export class UnfinishedRestoreError extends StartRefusal {
  constructor() {
    super('This database holds half of a restore that is under way or was cut off: run "amber restore" again.');
  }
}

/** Marks the database from time to time, so that a process notices when an older copy has replaced it. */
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

  async epoch(): Promise<string | null> {
    return (await this.#find())?.epoch ?? null;
  }

  /** @throws UnfinishedRestoreError */
  async requireWhole(): Promise<void> {
    if (await this.isRestoring()) throw new UnfinishedRestoreError();
  }

  async isRestoring(): Promise<boolean> {
    return (await this.#find())?.restoringSince !== undefined;
  }

  /**
   * Prevents servers from starting until `finishRestore`. The database must be empty or contain an incomplete restore.
   */
  async beginRestore(since: Date): Promise<void> {
    const fields = { restoringSince: since, beat: 0, epoch: randomUUID() };
    await this.#states.updateOne({ _id: 'archive' }, { $set: fields }, { upsert: true });
  }

  /**
   * Sets a new epoch, so that every process builds its index again. What depends on the chain stays closed until it is
   * settled.
   */
  async finishRestore(): Promise<void> {
    const unsettled: Unsettled[] = ['launches', 'payments'];
    await this.#states.updateOne(
      { _id: 'archive' },
      { $set: { epoch: randomUUID(), beat: 0, unsettled }, $unset: { restoringSince: '' } },
    );
  }

  async isUnsettled(what: Unsettled): Promise<boolean> {
    return (await this.#find())?.unsettled?.includes(what) ?? false;
  }

  async settle(what: Unsettled): Promise<void> {
    await this.#states.updateOne({ _id: 'archive' }, { $pull: { unsettled: what } });
  }

  async noteBackup(at: Date): Promise<void> {
    await this.#states.updateOne({ _id: 'archive' }, { $set: { backedUpAt: at } });
  }

  async backedUpAt(): Promise<Date | undefined> {
    return (await this.#find())?.backedUpAt;
  }

  #find(): Promise<StateDocument | null> {
    return this.#states.findOne({ _id: 'archive' });
  }
}
