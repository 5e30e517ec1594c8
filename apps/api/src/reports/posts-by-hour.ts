import { type Collection, type Db, ObjectId } from 'mongodb';

const HOUR_S = 3_600;
/** Processes' clocks differ: what came in an hour may be told a little after it. */
const SETTLED_S = 5 * 60;

/** Posts of an hour up to a moment, in seconds since 1970, behind which nothing comes any more. */
interface Settled {
  upTo: number;
  count: number;
}

/**
 * How many posts came in an hour, those removed since too. Counted over the index of `_id`, which tells when it was made:
 * of a million posts imported in a day that takes a sixth of reading them. What was counted is not counted again.
 */
export class PostsByHour {
  readonly #posts: Collection;
  readonly #settled = new Map<number, Settled>();

  constructor(db: Db) {
    this.#posts = db.collection('posts');
  }

  /** Of `hours` hours from this one on, by hours since 1970; oldest first. */
  async count(first: number, hours: number, now: Date): Promise<number[]> {
    for (const hour of this.#settled.keys()) if (hour < first) this.#settled.delete(hour);
    return Promise.all(Array.from({ length: hours }, (_, at) => this.#of(first + at, now)));
  }

  async #of(hour: number, now: Date): Promise<number> {
    const [start, end] = [hour * HOUR_S, (hour + 1) * HOUR_S];
    const known = this.#settled.get(hour) ?? { upTo: start, count: 0 };
    if (known.upTo === end) return known.count;
    const upTo = Math.min(end, Math.max(known.upTo, Math.floor(now.getTime() / 1_000) - SETTLED_S));
    const [settled, recent] = await Promise.all([this.#between(known.upTo, upTo), this.#between(upTo, end)]);
    this.#settled.set(hour, { upTo, count: known.count + settled });
    return known.count + settled + recent;
  }

  /** Of these seconds since 1970, the last one excluded. */
  async #between(from: number, to: number): Promise<number> {
    if (from >= to) return 0;
    const [$gte, $lt] = [ObjectId.createFromTime(from), ObjectId.createFromTime(to)];
    return this.#posts.countDocuments({ _id: { $gte, $lt } });
  }
}
