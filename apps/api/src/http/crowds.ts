import { REQUESTS_AT_ONCE } from '@archive/contracts';
import type { RequestHandler } from 'express';
import { sendProblem } from './problem.ts';
import { addressPrefix } from './rate-limits.ts';

/** Refuses at the door what one address asks beyond so many requests under way: each that comes in costs everybody time. */
export function refuseCrowds(atOnce = REQUESTS_AT_ONCE): RequestHandler {
  const underWay = new Map<string, number>();
  return (request, response, next) => {
    const who = addressPrefix(request);
    const count = underWay.get(who) ?? 0;
    if (count >= atOnce) {
      response.setHeader('Retry-After', '1');
      return sendProblem(
        response,
        'overloaded',
        'Too many requests of yours are under way. Please try again in a moment.',
      );
    }
    underWay.set(who, count + 1);
    response.once('close', () => {
      const left = (underWay.get(who) ?? 1) - 1;
      if (left === 0) underWay.delete(who);
      else underWay.set(who, left);
    });
    next();
  };
}
