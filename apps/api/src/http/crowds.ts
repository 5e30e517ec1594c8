import { REQUESTS_AT_ONCE } from '@archive/contracts';
import type { RequestHandler } from 'express';
import { clientOf, Shares } from '../clients.ts';
import { sendProblem } from './problem.ts';

/** Networks hold many people: twice as many requests of one may be under way as of one client. */
const NETWORK_TIMES = 2;

/** Refuses at the door what one client or network asks beyond so many requests under way: each that comes in costs all others time. */
export function refuseCrowds(atOnce = REQUESTS_AT_ONCE): RequestHandler {
  const shares = new Shares({ network: atOnce * NETWORK_TIMES, prefix: atOnce });
  return (request, response, next) => {
    const end = shares.take(clientOf(request.ip));
    if (typeof end === 'string') {
      response.setHeader('Retry-After', '1');
      return sendProblem(
        response,
        'overloaded',
        'Too many requests of yours are under way. Please try again in a moment.',
      );
    }
    response.once('close', end);
    next();
  };
}
