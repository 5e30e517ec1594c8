import { type ArchiveFilter, bucketStart, firstDayOf, monthOf } from '@archive/contracts';
import type { TimelineAnswer } from '../../archive-index.ts';
import { EVERY_POST } from '../pieces.ts';
import { DAY_MS } from '../schema.ts';
import type { Clause } from './clause.ts';
import { toList } from './few-matches.ts';
import { bucketOfDays, endsOf, KeptTimes } from './kept-times.ts';
import type { Plan } from './plan.ts';
import { add, type Count, type Counts, type Part, RankBuckets } from './rank-buckets.ts';
import type { Statements } from './statements.ts';
import type { Steps } from './steps.ts';
import { KEPT_TOTALS } from './total.ts';
import { type Place, TURN } from './walk.ts';

/** A timeline turn by turn, as far as it has come. */
interface Scan {
  count: Count;
  part: Part;
  counts: Counts;
  place: Place | null;
}

interface Asked {
  plan: Plan;
  resolve: () => Plan;
  /** All matches, where they are known and few. */
  few: bigint[] | null;
}

/**
 * How many posts match over time. Counted is by days where all that may match reaches over few months, else by months;
 * where these turn out to be few, the days of these are counted after that.
 */
export class Timelines {
  readonly #file: Statements;
  readonly #keptTimes: KeptTimes;
  readonly #buckets: RankBuckets;
  readonly #kept = new Map<string, TimelineAnswer>();
  #version = -1;

  constructor(file: Statements, turn = TURN.byTime) {
    this.#file = file;
    this.#keptTimes = new KeptTimes(file);
    this.#buckets = new RankBuckets(file, turn);
  }

  *of(filter: ArchiveFilter, version: number, asked: Asked): Steps<TimelineAnswer> {
    const startedAt = performance.now();
    if (version !== this.#version) this.#kept.clear();
    this.#version = version;
    const key = JSON.stringify(filter);
    const known = this.#kept.get(key);
    if (known) return { ...known, spent: 0 };
    const scan = this.#begin(asked);
    while (!this.#file.atOneMoment(() => this.#isCounted(scan))) yield;
    const answer = { ...inBuckets(scan), spent: performance.now() - startedAt };
    // Others may have asked meanwhile, of another archive.
    if (version === this.#version) {
      if (this.#kept.size >= KEPT_TOTALS) this.#kept.clear();
      this.#kept.set(key, answer);
    }
    return answer;
  }

  #begin({ plan, resolve, few }: Asked): Scan {
    const empty = { counts: new Map(), place: null };
    const known = few ?? (plan ? null : []);
    if (known || !plan) return { ...empty, part: { grain: 'day', from: 0, to: 1 }, count: this.#ofRanks(known ?? []) };
    const pieces = piecesOf(plan);
    const count = () => this.#keptTimes.counting(plan, { byWeeks: true }) ?? this.#ofResolved(resolve());
    if (pieces) {
      return {
        ...empty,
        part: { grain: 'month', from: -Infinity, to: Infinity },
        count: this.#ofPieces(pieces, count),
      };
    }
    const { from, to } = this.#wholeOf(plan);
    return { ...empty, part: { grain: isByDay(from, to - 1) ? 'day' : 'month', from, to }, count: count() };
  }

  #ofResolved(clauses: Plan): Count {
    if (!clauses) return this.#ofRanks([]);
    return this.#without(clauses) ?? this.#buckets.counting(clauses);
  }

  /** Of months these tell at once, of days something else has to. */
  #ofPieces(pieces: string[], otherwise: () => Count): Count {
    let ofDays: Count | undefined;
    return (part, counts, after) => {
      if (part.grain === 'day') {
        ofDays ??= otherwise();
        return ofDays(part, counts, after);
      }
      this.#keptTimes.monthsOf(pieces, counts);
      return null;
    };
  }

  /** Days within which all that matches must lie; whole months where the time is not asked. */
  #wholeOf(clauses: Clause[]): { from: number; to: number } {
    const [row] = this.#file.all<{ first: number | null; last: number | null }>(
      `SELECT (SELECT day FROM day WHERE posts > 0 ORDER BY day LIMIT 1) AS first,
              (SELECT day FROM day WHERE posts > 0 ORDER BY day DESC LIMIT 1) AS last`,
    );
    const since = clauses.flatMap((clause) => (clause.since === undefined ? [] : clause.since / DAY_MS));
    const until = clauses.flatMap((clause) => (clause.until === undefined ? [] : clause.until / DAY_MS));
    const [first, end] = [row?.first ?? 0, (row?.last ?? -1) + 1];
    return {
      from: since.length > 0 ? Math.max(first, ...since) : firstDayOf(monthOf(first)),
      to: until.length > 0 ? Math.min(end, ...until) : firstDayOf(monthOf(end - 1) + 1),
    };
  }

  /** Counts on for one turn; answers whether it was the last. */
  #isCounted(scan: Scan): boolean {
    const { part, counts } = scan;
    if (part.from >= part.to) return true;
    scan.place = scan.count(part, counts, scan.place);
    if (scan.place) return false;
    const [first, last] = endsOf(counts);
    if (part.grain === 'day' || counts.size === 0 || !isByDay(first, last)) return true;
    scan.part = {
      grain: 'day',
      from: Math.max(part.from, first),
      to: Math.min(part.to, firstDayOf(monthOf(last) + 1)),
    };
    scan.counts = new Map();
    return false;
  }

  #ofRanks(ranks: bigint[]): Count {
    return (_, counts) => {
      const rows = this.#file.all<{ at: number }>(
        'SELECT at FROM post WHERE rank IN (SELECT value FROM json_each(?))',
        toList(ranks),
      );
      for (const { at } of rows) add(counts, Math.floor(at / DAY_MS), 1);
      return null;
    };
  }

  /** Of posts that are counted as they come, those that the full text does not rule out: it finds the others sooner. */
  #without(clauses: Clause[]): Count | null {
    const excepts = clauses.flatMap(({ except }) => except ?? []);
    const told = clauses.filter(({ except }) => !except);
    const countAll = excepts.length > 0 ? this.#keptTimes.counting(told, { byWeeks: false }) : null;
    if (!countAll) return null;
    const ruledOut: Clause = { test: () => ({ sql: '1', values: [] }), match: `(${excepts.join(' OR ')})` };
    const countOut = this.#buckets.counting([...told, ruledOut]);
    return (part, counts) => {
      countAll(part, counts, null);
      const out: Counts = new Map();
      for (let place: Place | null = null; ; ) {
        place = countOut(part, out, place);
        if (!place) break;
      }
      for (const [start, posts] of out) add(counts, start, -posts);
      return null;
    };
  }
}

/** The pieces that together stand in all that is asked, whenever it was written. */
function piecesOf([clause, ...others]: Clause[]): string[] | undefined {
  return others.length > 0 ? undefined : clause ? clause.counted?.pieces : [EVERY_POST];
}

function inBuckets({ part, counts }: Scan): Pick<TimelineAnswer, 'bucket' | 'counts'> {
  const bucket = counts.size === 0 ? 'day' : bucketOfDays(...endsOf(counts));
  const all: Counts = bucket === part.grain ? counts : new Map();
  if (all !== counts) for (const [start, posts] of counts) add(all, bucketStart(bucket, start), posts);
  const inOrder = [...all].sort(([one], [other]) => one - other);
  return { bucket, counts: inOrder.map(([from, posts]) => ({ from, posts })) };
}

function isByDay(first: number, last: number): boolean {
  const bucket = bucketOfDays(first, last);
  return bucket === 'day' || bucket === 'week';
}
