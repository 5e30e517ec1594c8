import type { Collection, Db } from 'mongodb';
import { isDuplicateKey } from '../db/database.ts';
import type { StreamHint } from '../sources/bluesky/jetstream-event.ts';

/** What a stream has told of a post or of an author's posts, until a look has found it so, or often enough not. */
export interface HintDocument extends StreamHint {
  /** The post's id, or the author's DID. */
  _id: string;
  /** How often posts were looked at for it in vain. */
  tries: number;
  dueAt: Date;
  /** Posts that were last hurried for it. */
  asked: string[];
  /** When that was; absent until then. */
  askedAt?: Date;
}

const FIRST_LOOK_MS = 1_000;
/** Somebody who says the same again and again is not looked at more often. */
const REPEATED_MS = 30_000;

/** What is to be looked at because a stream told of it. */
export class HintStore {
  readonly #hints: Collection<HintDocument>;

  constructor(db: Db) {
    this.#hints = db.collection<HintDocument>('look_hints');
  }

  /** Takes them in, in their order: the latest of a post, or of an author, counts. */
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
        // Another process was told the same.
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

  /** When it comes again; null: it has come to its end. What was told anew meanwhile stays. */
  async move(
    hint: HintDocument,
    next: Pick<HintDocument, 'tries' | 'dueAt' | 'asked' | 'askedAt'> | null,
  ): Promise<void> {
    const { _id, says, dueAt } = hint;
    if (next) await this.#hints.updateOne({ _id, says, dueAt }, { $set: next });
    else await this.#hints.deleteOne({ _id, says, dueAt });
  }
}
