import { type IndexFile, Query } from './index-file.ts';

/** The first post of an archive: so far from zero that older ones fit before it, and small enough for six bytes. */
const FIRST = 2n ** 41n;
/** Left between neighbours, so that a post from between them finds a place: the more the fewer there are. */
const ROOM = 2n ** 28n;
const LEAST_GAP = 2n ** 6n;
/** Where there is no room left, neighbours move apart until they stand so far from each other. */
const SPREAD = 2n ** 4n;
const FIRST_WINDOW = 16;
/**
 * How far a post's place between its neighbours goes by its time; the rest goes by its number among those that come with it.
 * By number alone posts that come in any order of time halve one gap again and again, and a million of them move a
 * quarter of the others; by time alone those of one second stand at the edge of theirs.
 */
const BY_TIME = 0.8;

interface Neighbour {
  rank: bigint;
  at: number;
}

/** Moves a post, and all that names it by its rank. */
export type Move = (from: bigint, to: bigint) => void;

/** Posts of a batch that come into the same gap, one after the other. */
interface Run {
  /** Ranks at both ends of the gap, which are not free. */
  low: bigint;
  high: bigint;
  /** Times that stand for them. */
  since: number;
  until: number;
  /** The first of the batch in the gap, and the first after it. */
  begin: number;
  end: number;
  last: bigint;
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
    const { low, high, since, until, begin, end } = run;
    const byTime = until > since ? ((this.#times[index] as number) - since) / (until - since) : 0.5;
    const byNumber = (index - begin + 1) / (end - begin + 1);
    const wanted = low + share(high - low, BY_TIME * byTime + (1 - BY_TIME) * byNumber);
    // In their order, with a place left for each that follows.
    const most = high - BigInt(end - index);
    run.last = wanted <= run.last ? run.last + 1n : wanted < most ? wanted : most;
    return run.last;
  }

  #begin(index: number, isLast: boolean): Run {
    const s = this.#statements;
    const at = this.#times[index] as number;
    const before = isLast ? s.last.first() : s.before.first(at);
    const after = isLast ? undefined : s.after.first(at);
    let end = index + 1;
    while (end < this.#times.length && !(after && (this.#times[end] as number) >= after.at)) end++;
    const count = end - index;
    const newest = this.#times[end - 1] as number;
    const length = this.#gap(count) * BigInt(count + 1);
    const from = (low: bigint, high: bigint): Run => ({
      low,
      high,
      since: before?.at ?? at,
      until: after?.at ?? newest,
      begin: index,
      end,
      last: low,
    });
    if (!after) return from(before?.rank ?? FIRST, (before?.rank ?? FIRST) + length);
    if (!before) return from(after.rank - length, after.rank);
    if (after.rank - before.rank > count) return from(before.rank, after.rank);
    const [low, high] = this.#makeRoom(before.rank, after.rank, count);
    return from(low, high);
  }

  #gap(coming: number): bigint {
    const gap = ROOM / BigInt((this.#statements.count.first()?.posts ?? 0) + coming);
    return gap > LEAST_GAP ? gap : LEAST_GAP;
  }

  /**
   * Moves the posts up to `before` and from `after` on apart, as many as needed for `count` more between them, and answers
   * where those two are then.
   */
  #makeRoom(before: bigint, after: bigint, count: number): [bigint, bigint] {
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
      return [start + step * BigInt(lower.length), start + step * BigInt(lower.length + count + 1)];
    }
  }

  /** In an order in which no place is taken before it is free. */
  #moveAll(from: bigint[], to: bigint[]): void {
    const pairs = from.map((old, at) => [old, to[at] as bigint] as const);
    for (const [old, rank] of pairs) if (rank < old) this.#move(old, rank);
    for (const [old, rank] of pairs.reverse()) if (rank > old) this.#move(old, rank);
  }
}

function share(length: bigint, part: number): bigint {
  return BigInt(Math.floor(Number(length) * part));
}

function prepare(db: IndexFile) {
  const big = { big: true };
  return {
    count: new Query<{ posts: number }>(db, 'SELECT coalesce(sum(posts), 0) AS posts FROM category'),
    last: new Query<Neighbour>(db, 'SELECT rank, CAST(at AS REAL) AS at FROM post ORDER BY rank DESC LIMIT 1', big),
    // Of one time several may be held, in any order.
    before: new Query<Neighbour>(
      db,
      `SELECT max(rank) AS rank, CAST(at AS REAL) AS at FROM post WHERE at = (SELECT max(at) FROM post WHERE at <= ?)
       GROUP BY at`,
      big,
    ),
    after: new Query<Neighbour>(
      db,
      `SELECT min(rank) AS rank, CAST(at AS REAL) AS at FROM post WHERE at = (SELECT min(at) FROM post WHERE at > ?)
       GROUP BY at`,
      big,
    ),
    downFrom: new Query<{ rank: bigint }>(db, 'SELECT rank FROM post WHERE rank <= ? ORDER BY rank DESC LIMIT ?', big),
    upFrom: new Query<{ rank: bigint }>(db, 'SELECT rank FROM post WHERE rank >= ? ORDER BY rank LIMIT ?', big),
  };
}
