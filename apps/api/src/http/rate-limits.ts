import type { Response } from 'express';
import type { Collection, Db } from 'mongodb';
import { AppError } from '../app-error.ts';
import type { Client } from '../clients.ts';
import { isDuplicateKey } from '../db/database.ts';
import { fromNow } from '../db/expiry.ts';

/** Budgets by kind of call: `points` in `seconds`, for each client, wallet or key. */
export const BUDGETS = {
  challenge: { points: 60, seconds: 60 },
  verify: { points: 60, seconds: 60 },
  /** Calls with a signature, whose check takes milliseconds. */
  signed: { points: 120, seconds: 60 },
  /** Changes by session, for all wallets of one address together, since wallets cost nothing. */
  session: { points: 240, seconds: 60 },
  /** Changes of one wallet. */
  change: { points: 120, seconds: 60 },
  /** Reads of all data of one wallet. */
  list: { points: 60, seconds: 60 },
  /**
   * Reactions of a day from one network, for all its wallets. Each reaction costs a count whenever its post is shown.
   */
  reaction: { points: 5_000, seconds: 86_400 },
  /** Questions about payments; each may cause a call to a Solana node. */
  payment: { points: 120, seconds: 60 },
  /** Posts of one agent key without its own limit. */
  ingest: { points: 10_000, seconds: 60 },
  /** Uncached reads of one address whose cost grows with the archive. */
  read: { points: 600, seconds: 60 },
  /** Requests to save. The daily number of accepted requests is limited separately. */
  save: { points: 30, seconds: 60 },
  /** Notices of one wallet; its open pages ask whenever posts have arrived. */
  notices: { points: 120, seconds: 60 },
  /** Model Context Protocol calls of one address; each may be a search. */
  mcp: { points: 240, seconds: 60 },
  /**
   * Pages, feeds and pictures read by programs of one address, such as search engines. Pages that a browser loads do not use this budget.
   */
  crawl: { points: 600, seconds: 60 },
  /** Calls of one address with an invalid key. */
  refusedKey: { points: 60, seconds: 60 },
  /** Reports of posts, for one address and for one network. */
  report: { points: 5, seconds: 3_600 },
  reportNetwork: { points: 50, seconds: 86_400 },
  /** Questions of one address about the state of a report. */
  reportStatus: { points: 60, seconds: 60 },
  /** Calls of one operator. */
  admin: { points: 240, seconds: 60 },
  /** Launches of one wallet or one address, with repetitions; each asks a Solana node several times. */
  launch: { points: 20, seconds: 60 },
} as const;

export type Budget = keyof typeof BUDGETS;

interface Counter {
  /** Budget and caller. */
  key: string;
  /** Points spent in this window. */
  points: number;
  /** The end of the window. */
  expire: Date;
  /** The time of the last count. */
  at: Date;
}

/** The points that a call costs, and the size of the budget, if they differ from the defaults. */
export interface Cost {
  cost?: number;
  points?: number;
}

/** All clients of one network together may spend this many times the budget of one client. */
const NETWORK_TIMES = 8;
/** Number of callers over the limit that are remembered. Other callers are counted in the database. */
const BLOCKED_KEPT = 10_000;

/**
 * Rate limits in MongoDB, so that all processes count together, by the database's clock. Ready-made limiters use the
 * clock of each process; one that is ahead would restart all windows.
 */
export class RateLimits {
  readonly #counters: Collection<Counter> | null;
  /**
   * Callers over their limit, who are refused without a query. The value is the end of the window by a monotonic clock.
   */
  readonly #blocked = new Map<string, number>();

  constructor({ db, isOn }: { db: Db; isOn: boolean }) {
    this.#counters = isOn ? db.collection<Counter>('rate_limits') : null;
  }

  /** Counts one call for the client's prefix and, if that allows it, for its network. Throws as `spend` does. */
  async spendOf(budget: Budget, { prefix, network }: Client, response: Response | null, own: Cost = {}): Promise<void> {
    const points = (own.points ?? BUDGETS[budget].points) * NETWORK_TIMES;
    await this.spend(budget, prefix, response, own);
    if (network !== prefix) await this.spend(budget, network, null, { ...own, points });
  }

  /** Counts one call of `who`. Throws if the budget is spent. Sets the RateLimit headers of `response`. */
  async spend(budget: Budget, who: string, response: Response | null, own: Cost = {}): Promise<void> {
    if (!this.#counters) return;
    const { cost = 1, points = BUDGETS[budget].points } = own;
    const key = `${budget}:${who}`;
    const blockedMs = (this.#blocked.get(key) ?? 0) - performance.now();
    const { spent, leftMs } =
      blockedMs > 0 ? { spent: points + 1, leftMs: blockedMs } : await this.#count(this.#counters, budget, key, cost);
    response?.setHeader('RateLimit-Limit', points);
    response?.setHeader('RateLimit-Remaining', Math.max(0, points - spent));
    response?.setHeader('RateLimit-Reset', Math.ceil(leftMs / 1000));
    if (spent <= points) return;
    if (this.#blocked.size >= BLOCKED_KEPT) this.#blocked.clear();
    this.#blocked.set(key, performance.now() + leftMs);
    throw new AppError('rate_limited', 'Too many requests. Please try again in a moment.', {
      headers: { 'Retry-After': String(Math.max(1, Math.ceil(leftMs / 1000))) },
    });
  }

  async #count(
    counters: Collection<Counter>,
    budget: Budget,
    key: string,
    cost: number,
  ): Promise<{ spent: number; leftMs: number }> {
    const isOpen = { $gt: ['$expire', '$$NOW'] };
    const change = {
      points: { $cond: [isOpen, { $add: ['$points', cost] }, cost] },
      expire: { $cond: [isOpen, '$expire', fromNow(BUDGETS[budget].seconds * 1000)] },
      at: '$$NOW',
    };
    for (let tries = 0; ; tries++) {
      try {
        const counter = await counters.findOneAndUpdate({ key }, [{ $set: change }], {
          upsert: true,
          returnDocument: 'after',
        });
        const { points, expire, at } = counter as Counter;
        return { spent: points, leftMs: expire.getTime() - at.getTime() };
      } catch (error) {
        // Of two simultaneous first calls the unique index admits one insert; the other call then increments it.
        if (!isDuplicateKey(error) || tries === 3) throw error;
      }
    }
  }
}
