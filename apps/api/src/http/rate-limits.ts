import { isIPv6 } from 'node:net';
import type { Request, Response } from 'express';
import type { Db, MongoClient } from 'mongodb';
import { RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../app-error.ts';

/** Calls allowed in a time, by what they cost; per address prefix, or per wallet. */
export const BUDGETS = {
  challenge: { points: 60, seconds: 60 },
  verify: { points: 60, seconds: 60 },
  /** Calls whose proof is a signature, which takes milliseconds to check. */
  signed: { points: 120, seconds: 60 },
  /** Changes of one wallet. */
  change: { points: 120, seconds: 60 },
  /** Questions about payments, each of which may go on to a Solana node. */
  payment: { points: 120, seconds: 60 },
  /** Launches of one wallet and their repetitions, each of which asks a Solana node several times. */
  launch: { points: 20, seconds: 60 },
} as const;

export type Budget = keyof typeof BUDGETS;

/** Limits kept in MongoDB, so that all processes count together. */
export class RateLimits {
  readonly #limiters: ReadonlyMap<Budget, RateLimiterMongo> | null;

  constructor(options: { db: Db; client: MongoClient; isOn: boolean }) {
    if (!options.isOn) {
      this.#limiters = null;
      return;
    }
    const limiter = (name: Budget) =>
      new RateLimiterMongo({
        storeClient: options.client,
        dbName: options.db.databaseName,
        tableName: 'rate_limits',
        keyPrefix: name,
        points: BUDGETS[name].points,
        duration: BUDGETS[name].seconds,
        disableIndexesCreation: true,
        // Who is over the limit is told so without asking the database again.
        inMemoryBlockOnConsumed: BUDGETS[name].points + 1,
      });
    const names = Object.keys(BUDGETS) as Budget[];
    this.#limiters = new Map(names.map((name) => [name, limiter(name)]));
  }

  /** Counts one call of `who`; throws when the budget is spent. Sets the RateLimit headers. */
  async spend(budget: Budget, who: string, response: Response): Promise<void> {
    if (!this.#limiters) return;
    const limiter = this.#limiters.get(budget);
    if (!limiter) throw new Error(`there is no budget ${budget}`);
    const { points } = BUDGETS[budget];
    try {
      const state = await limiter.consume(who);
      setHeaders(response, points, state);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      setHeaders(response, points, refusal);
      throw new AppError('rate_limited', 'Too many requests. Please try again in a moment.', {
        headers: { 'Retry-After': String(Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))) },
      });
    }
  }
}

function setHeaders(response: Response, points: number, state: RateLimiterRes): void {
  response.setHeader('RateLimit-Limit', points);
  response.setHeader('RateLimit-Remaining', Math.max(0, state.remainingPoints));
  response.setHeader('RateLimit-Reset', Math.max(0, Math.ceil(state.msBeforeNext / 1000)));
}

/** One IPv4 address, or the /64 that one IPv6 customer has to rotate through. */
export function addressPrefix(request: Pick<Request, 'ip'>): string {
  const address = (request.ip ?? 'unknown').replace(/^::ffff:(?=\d+\.)/, '').replace(/%.*$/, '');
  return isIPv6(address) ? expand(address).slice(0, 4).join(':') : address;
}

function expand(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? [] : new Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16).toString(16));
}
