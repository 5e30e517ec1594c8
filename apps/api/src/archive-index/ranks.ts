import { type IndexFile, Query } from './index-file.ts';

/** The first post of an archive: so far from zero that older ones fit before it, and small enough for six bytes. */
const FIRST = 2n ** 41n;
/** Left between neighbours, so that a post from between them finds a place: the more the fewer there are. */
const ROOM = 2n ** 28n;
const LEAST_GAP = 2n ** 6n;
/** Where there is no room left, neighbours move apart until they stand so far from each other. */
const SPREAD = 2n ** 4n;
const FIRST_WINDOW = 16;

/** Moves a post, and all that names it by its rank. */
export type Move = (from: bigint, to: bigint) => void;

/** Posts of a batch that come into the same gap, one after the other. */
interface Run {
  last: bigint;
  step: bigint;
  /** The first of the batch that comes after the gap. */
  end: number;
}

/**
 * Gives posts their ranks: numbers in the order of time, close together, since the full text keeps the difference from
 * each match to the next. A post between two others gets a number between theirs; where none is left, those around it
 * move apart, of as many posts as it takes (an ordered list with labels).
 */
export class Ranks {
  readonly #statements: ReturnType<typeof prepare>;
  readonly #move: Move;
  #times: readonly number[] = [];
  #run: Run | null = null;

  constructor(db: IndexFile, move: Move) {
    this.#statements = prepare(db);
    this.#move = move;
  }

  /** A batch comes, with posts of these times, ascending. */
  expect(times: readonly number[]): void {
    this.#times = times;
    this.#run = null;
  }

  /** The rank of a new post, by its place in the batch. `isLast`: nothing is held that is newer. */
  place(index: number, isLast: boolean): bigint {
    if (!this.#run || index >= this.#run.end) this.#run = this.#begin(index, isLast);
    const run = this.#run;
    run.last += run.step;
    return run.last;
  }

  #begin(index: number, isLast: boolean): Run {
    const s = this.#statements;
    const at = this.#times[index] as number;
    const before = isLast ? s.last.first()?.rank : s.before.first(at)?.rank;
    const after = isLast ? null : s.after.first(at);
    let end = index + 1;
    while (end < this.#times.length && !(after && (this.#times[end] as number) >= after.at)) end++;
    const count = end - index;
    const gap = this.#gap(count);
    if (!after) return { last: before ?? FIRST - gap, step: gap, end };
    if (before === undefined || before === null) {
      return { last: after.rank - gap * BigInt(count + 1), step: gap, end };
    }
    const step = (after.rank - before) / BigInt(count + 1);
    return step > 0n ? { last: before, step, end } : { ...this.#makeRoom(before, after.rank, count), end };
  }

  #gap(coming: number): bigint {
    const gap = ROOM / BigInt((this.#statements.count.first()?.posts ?? 0) + coming);
    return gap > LEAST_GAP ? gap : LEAST_GAP;
  }

  /** Moves the posts up to `before` and from `after` on apart, as many as needed for `count` more between them. */
  #makeRoom(before: bigint, after: bigint, count: number): Omit<Run, 'end'> {
    for (let window = FIRST_WINDOW; ; window *= 2) {
      const lower = this.#statements.downFrom.all(before, window + 1).map(({ rank }) => rank);
      const upper = this.#statements.upFrom.all(after, window + 1).map(({ rank }) => rank);
      // The last of each stays where it is, unless the archive ends with it.
      const low = lower.length > window ? lower.pop() : undefined;
      const high = upper.length > window ? upper.pop() : undefined;
      const places = BigInt(lower.length + count + upper.length + 1);
      const start = low ?? (lower.at(-1) as bigint) - LEAST_GAP * places;
      const step = high === undefined ? LEAST_GAP : (high - start) / places;
      if (step < SPREAD) continue;
      const held = [...lower.reverse(), ...upper];
      const wanted = held.map((_, at) => start + step * BigInt(1 + at + (at < lower.length ? 0 : count)));
      this.#moveAll(held, wanted);
      return { last: start + step * BigInt(lower.length), step };
    }
  }

  /** In an order in which no place is taken before it is free. */
  #moveAll(from: bigint[], to: bigint[]): void {
    const pairs = from.map((old, at) => [old, to[at] as bigint] as const);
    for (const [old, rank] of pairs) if (rank < old) this.#move(old, rank);
    for (const [old, rank] of pairs.reverse()) if (rank > old) this.#move(old, rank);
  }
}

function prepare(db: IndexFile) {
  const big = { big: true };
  return {
    count: new Query<{ posts: number }>(db, 'SELECT coalesce(sum(posts), 0) AS posts FROM category'),
    last: new Query<{ rank: bigint | null }>(db, 'SELECT max(rank) AS rank FROM post', big),
    // Of one time several may be held, in any order.
    before: new Query<{ rank: bigint | null }>(
      db,
      'SELECT max(rank) AS rank FROM post WHERE at = (SELECT max(at) FROM post WHERE at <= ?)',
      big,
    ),
    after: new Query<{ rank: bigint; at: number }>(
      db,
      `SELECT min(rank) AS rank, CAST(at AS REAL) AS at FROM post WHERE at = (SELECT min(at) FROM post WHERE at > ?)
       GROUP BY at`,
      big,
    ),
    downFrom: new Query<{ rank: bigint }>(db, 'SELECT rank FROM post WHERE rank <= ? ORDER BY rank DESC LIMIT ?', big),
    upFrom: new Query<{ rank: bigint }>(db, 'SELECT rank FROM post WHERE rank >= ? ORDER BY rank LIMIT ?', big),
  };
}
