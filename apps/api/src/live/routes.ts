import type { Base } from '../base.ts';
import type { Routes } from '../http/route.ts';
import type { Live } from './live.ts';

/** Posts missed over a longer time are not counted; the page then loads its list again. */
const LONGEST_MISSED_MS = 3_600_000;

export const liveRoutes = {
  live: {
    access: 'anyone',
    run:
      ({ live, now }, { asker, query: { since } }) =>
      async (request, response) => {
        const last = Number(request.headers['last-event-id'] ?? since);
        const isKnown = Number.isSafeInteger(last) && last > now() - LONGEST_MISSED_MS && last <= now();
        if (request.method === 'HEAD') return void response.type('text/event-stream').end();
        await live.feed.open(response, asker.client, isKnown ? last : null);
      },
  },
} satisfies Routes<'live', Pick<Base, 'now'> & { live: Live }>;
