import type { Collection, Db } from 'mongodb';
import { isDuplicateKey } from '../db/database.ts';
import type { StreamHint } from '../sources/bluesky/jetstream-event.ts';

/** A reported change of a post or of an author's posts. Kept until a look confirms it, or until enough looks do not. */
export interface HintDocument extends StreamHint {
  /** The post's id, or the author's DID. */
  _id: string;
  /** Number of looks that did not confirm the hint. */
  tries: number;
  dueAt: Date;
  /** Posts that were last scheduled for it. */
  asked: string[];
  /** When they were scheduled; absent before that. */
  askedAt?: Date;
}

const FIRST_LOOK_MS = 1_000;
/** A repeated hint is due at the latest after this time, so that repetitions cause no more looks. */
const REPEATED_MS = 30_000;

/** Hints of a stream that are waiting for looks. */
export class HintStore {
  readonly #hints: Collection<HintDocument>;

  constructor(db: Db) {
    this.#hints = db.collection<HintDocument>('look_hints');
  }

  /** Stores hints; the last one about a post or an author counts. */
  async add(hints: readonly StreamHint[], now: Date): Promise<void> {
    const latest = new Map(hints.map((hint) => [hint.id ?? hint.did, hint]));
    const first = { tries: 0, asked: [], dueAt: new Date(now.getTime() + FIRST_LOOK_MS) };
    const repeated = new Date(now.getTime() + REPEATED_MS);
    for (const [_id, hint] of latest) {
      const { matchedCount } = await this.#hints.updateOne({ _id, says: hint.says }, [
        { $set: { tries: { $min: ['$tries', 1] }, dueAt: { $min: ['$dueAt', repeated] } } },
      ]);
      if (matchedCount > 0) continue;
      const options = { upsert: true } as const;
      await this.#hints.replaceOne({ _id }, { ...hint, ...first }, options).catch((error) => {
        // Another process has stored the same hint.
        if (!isDuplicateKey(error)) throw error;
      });
    }
  }

  due(now: Date, limit: number): Promise<HintDocument[]> {
    return this.#hints
      .find({ dueAt: { $lte: now } })
      .sort({ dueAt: 1 })
      .limit(limit)
      .toArray();
  }

  /** Sets the next time of a hint, or deletes the hint if `next` is null. A newer hint stays unchanged. */
  async move(
    hint: HintDocument,
    next: Pick<HintDocument, 'tries' | 'dueAt' | 'asked' | 'askedAt'> | null,
  ): Promise<void> {
    const { _id, says, dueAt } = hint;
    if (next) await this.#hints.updateOne({ _id, says, dueAt }, { $set: next });
    else await this.#hints.deleteOne({ _id, says, dueAt });
  }
}
