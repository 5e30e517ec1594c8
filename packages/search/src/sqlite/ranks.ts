import { type IndexFile, Query } from './index-file.ts';

/** Rank of the first post of an archive. Older posts fit below it, and it is small enough for six bytes. */
const FIRST = 2n ** 41n;
/**
 * The gap between new neighbours is `ROOM` divided by the number of posts, so that a post between them finds a rank.
 */
const ROOM = 2n ** 28n;
const LEAST_GAP = 2n ** 6n;
/** If a gap is full, its neighbours are moved apart until they have at least this gap. */
const SPREAD = 2n ** 4n;
const FIRST_WINDOW = 16;
/**
 * Weight of a post's time in its place between two neighbours; the rest is its index among the posts that come with it.
 * With the index alone, posts in random order of time halve the same gap again and again, and a million of them move a
 * quarter of the others. With the time alone, posts of one second crowd at the edge of the gap.
 */
const BY_TIME = 0.8;

interface Neighbour {
  rank: bigint;
  at: number;
}

/** Changes the rank of a post wherever the rank is stored. */
export type Move = (from: bigint, to: bigint) => void;

/** Consecutive posts of a batch that fall into the same gap. */
interface Run {
  /** The ranks that bound the gap; both are in use. */
  low: bigint;
  high: bigint;
  /** The times at these bounds. */
  since: number;
  until: number;
  /** Indexes in the batch: the first post in the gap, and the first post after it. */
  begin: number;
  end: number;
  last: bigint;
}

/**
 * Assigns ranks: numbers in the order of time. They are close together, because the full text stores the difference
 * from each match to the next. A post between two others gets a number between theirs. If none is free, the neighbours
 * are moved apart, as many as necessary (the order-maintenance problem).
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

  /** Begins a batch. `times` are those of its posts, ascending. */
  expect(times: readonly number[]): void {
    this.#times = times;
    this.#run = null;
  }

  /** Returns the rank of a new post. `index` is its index in the batch. `isLast`: the file holds no newer post. */
  place(index: number, isLast: boolean): bigint {
    if (!this.#run || index >= this.#run.end) this.#run = this.#begin(index, isLast);
    const run = this.#run;
    const { low, high, since, until, begin, end } = run;
    const byTime = until > since ? ((this.#times[index] as number) - since) / (until - since) : 0.5;
    const byNumber = (index - begin + 1) / (end - begin + 1);
    const wanted = low + share(high - low, BY_TIME * byTime + (1 - BY_TIME) * byNumber);
    // The ranks keep the order, and each later post of the run has a rank left.
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
   * Moves posts at and below `before`, and at and above `after`, apart: as many as necessary for `count` more between
   * them. Returns the new ranks of these two.
   */
  #makeRoom(before: bigint, after: bigint, count: number): [bigint, bigint] {
    for (let window = FIRST_WINDOW; ; window *= 2) {
      const lower = this.#statements.downFrom.all(before, window + 1).map(({ rank }) => rank);
      const upper = this.#statements.upFrom.all(after, window + 1).map(({ rank }) => rank);
      // The outermost post on each side keeps its rank, unless the archive ends there.
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

  /** Moves posts in an order in which each target rank is free. */
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
    // Several posts may have the same time, in any order.
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
