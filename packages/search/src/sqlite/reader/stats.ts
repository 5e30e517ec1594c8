import { RECENT_DAYS } from '@archive/contracts';
import type { IndexStats } from '../../archive-index.ts';
import { DAY_MS } from '../../figures.ts';
import type { Statements } from './statements.ts';

const RECENT_MS = RECENT_DAYS * DAY_MS;

interface Kept {
  version: number;
  /** Between these times (milliseconds since 1970) no post enters or leaves the last days. */
  from: number;
  until: number;
  stats: IndexStats;
}

/** The counters of the whole archive, which every list carries. They are kept as long as they cannot have changed. */
export class Stats {
  readonly #file: Statements;
  #kept: Kept | null = null;

  constructor(file: Statements) {
    this.#file = file;
  }

  of(version: number, now: number): IndexStats {
    const kept = this.#kept;
    if (kept?.version === version && now >= kept.from && now < kept.until) return kept.stats;
    const since = now - RECENT_MS;
    const [row] = this.#file.all<IndexStats & { oldest: number | null; next: number | null }>(
      `SELECT (SELECT coalesce(sum(posts), 0) FROM category) AS total,
              (SELECT count(*) FROM author) AS authors,
              (SELECT count(*) FROM post INDEXED BY post_time WHERE at > ? AND at <= ?) AS recent,
              (SELECT min(at) FROM post WHERE at > ?) AS oldest,
              (SELECT min(at) FROM post WHERE at > ?) AS next`,
      since,
      now,
      since,
      now,
    ) as [IndexStats & { oldest: number | null; next: number | null }];
    const { oldest, next, ...stats } = row;
    const until = Math.min(oldest === null ? Infinity : oldest + RECENT_MS, next ?? Infinity);
    this.#kept = { version, from: now, until, stats };
    return stats;
  }
}
