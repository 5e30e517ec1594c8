import { randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { StartRefusal } from '../start-refusal.ts';

/** What tells this archive from another, and from itself as it was before a restore. */
export interface ArchiveMark {
  /** Made with the archive, and anew by a restore of ours. */
  epoch: string;
  /** Grows with every mark of any process; a smaller one than before is that of an older copy. */
  beat: number;
}

/** What stays closed after a restore until it has been compared with the chain. */
export type Unsettled = 'launches' | 'payments';

interface StateDocument extends ArchiveMark {
  _id: 'archive';
  /** Since when a restore has been putting the archive back; absent where none is under way or was cut off. */
  restoringSince?: Date;
  unsettled?: Unsettled[];
  /** When the last backup was whole and copied. */
  backedUpAt?: Date;
}

/** Thrown where a restore has not come to its end: what there is of the archive is not all of it. */
export class UnfinishedRestoreError extends StartRefusal {
  constructor() {
    super('This database holds half of a restore that is under way or was cut off: run "amber restore" again.');
  }
}

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

  /** From here on no server starts, until `finishRestore`. The database must be empty, or hold half of a restore. */
  async beginRestore(since: Date): Promise<void> {
    const fields = { restoringSince: since, beat: 0, epoch: randomUUID() };
    await this.#states.updateOne({ _id: 'archive' }, { $set: fields }, { upsert: true });
  }

  /** A new epoch: every process builds its index anew, and what depends on the chain stays closed until it is settled. */
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
