import type { Response } from 'express';
import type { Collection, Db } from 'mongodb';
import { AppError } from '../app-error.ts';
import type { Client } from '../clients.ts';
import { isDuplicateKey } from '../db/database.ts';
import { fromNow } from '../db/expiry.ts';

/** Calls allowed in a time, by what they cost; per client, per wallet or per key. */
export const BUDGETS = {
  challenge: { points: 60, seconds: 60 },
  verify: { points: 60, seconds: 60 },
  /** Calls whose proof is a signature, which takes milliseconds to check. */
  signed: { points: 120, seconds: 60 },
  /** Changes by session, of all wallets of one address together: wallets are free. */
  session: { points: 240, seconds: 60 },
  /** Changes of one wallet. */
  change: { points: 120, seconds: 60 },
  /** All that one wallet has done, read whole. */
  list: { points: 60, seconds: 60 },
  /** Reactions of a day from one network, whatever the wallets: each row is counted whenever its post is shown. */
  reaction: { points: 5_000, seconds: 86_400 },
  /** Questions about payments, each of which may go on to a Solana node. */
  payment: { points: 120, seconds: 60 },
  /** Posts of one agent key, where it has no limit of its own. */
  ingest: { points: 10_000, seconds: 60 },
  /** Reads of one address whose work grows with the archive and whose answers are not cached. */
  read: { points: 600, seconds: 60 },
  /** Requests to save; how many of a day are taken is counted apart. */
  save: { points: 30, seconds: 60 },
  /** Of one wallet, whose open pages ask whenever posts have come. */
  notices: { points: 120, seconds: 60 },
  /** Questions of one address by the Model Context Protocol, each of which may be a search. */
  mcp: { points: 240, seconds: 60 },
  /** Pages, feeds and pictures that programs of one address read, search engines among them; nobody else pays from it. */
  crawl: { points: 600, seconds: 60 },
  /** Calls of one address with a key that is none. */
  refusedKey: { points: 60, seconds: 60 },
  /** Reports of posts, of one address and of one network. */
  report: { points: 5, seconds: 3_600 },
  reportNetwork: { points: 50, seconds: 86_400 },
  /** Questions of one address what became of a report. */
  reportStatus: { points: 60, seconds: 60 },
  /** Calls of one operator. */
  admin: { points: 240, seconds: 60 },
  /** Launches of one wallet, or from one address, and their repetitions, each of which asks a Solana node several times. */
  launch: { points: 20, seconds: 60 },
} as const;

export type Budget = keyof typeof BUDGETS;

interface Counter {
  /** Budget and caller. */
  key: string;
  /** Spent since the first call of this window. */
  points: number;
  /** When the window ends. */
  expire: Date;
  /** When it was last counted. */
  at: Date;
}

/** What a call costs, and of how many points, where that is not the budget's own. */
export interface Cost {
  cost?: number;
  points?: number;
}

/** All clients of one network together may spend so many times what one of them may. */
const NETWORK_TIMES = 8;
/** As many callers over their limit are remembered; more are counted in the database again. */
const BLOCKED_KEPT = 10_000;

/**
 * Limits kept in MongoDB, so that all processes count together, by the database's clock. Ready-made limiters use each
 * process's own: one that is ahead begins everybody's windows anew.
 */
export class RateLimits {
  readonly #counters: Collection<Counter> | null;
  /** Who is over the limit is told so without asking the database; until when, by this process's running time. */
  readonly #blocked = new Map<string, number>();

  constructor({ db, isOn }: { db: Db; isOn: boolean }) {
    this.#counters = isOn ? db.collection<Counter>('rate_limits') : null;
  }

  /** Counts one call of a client for its prefix, and what that lets in for its network; throws as `spend` does. */
  async spendOf(budget: Budget, { prefix, network }: Client, response: Response | null, own: Cost = {}): Promise<void> {
    const points = (own.points ?? BUDGETS[budget].points) * NETWORK_TIMES;
    await this.spend(budget, prefix, response, own);
    if (network !== prefix) await this.spend(budget, network, null, { ...own, points });
  }

  /** Counts one call of `who`; throws when the budget is spent. Sets the RateLimit headers of a `response`. */
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
        // Two first calls at once: the unique index lets one insert, the other counts on.
        if (!isDuplicateKey(error) || tries === 3) throw error;
      }
    }
  }
}
