import { REQUESTS_AT_ONCE } from '@archive/contracts';
import type { RequestHandler } from 'express';
import { clientOf, Shares } from '../clients.ts';
import { sendProblem } from './problem.ts';

/** A network may have this many times the open requests of one client, since it serves many people. */
const NETWORK_TIMES = 2;

/** Refuses requests of a client or network with too many open ones, before they cost the others time. */
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
