import type { Base } from '../base.ts';
import type { Routes } from '../http/route.ts';
import type { Posts } from '../posts/posts.ts';
import type { Live } from './live.ts';

/** What came in a longer time is not counted: the page asks for its posts anew. */
const LONGEST_MISSED_MS = 3_600_000;

export const liveRoutes = {
  live: {
    access: 'anyone',
    run:
      ({ live, posts, now }, { asker, query: { since } }) =>
      async (request, response) => {
        const last = Number(request.headers['last-event-id'] ?? since);
        const isKnown = Number.isSafeInteger(last) && last > now() - LONGEST_MISSED_MS && last <= now();
        const missed = isKnown ? await posts.store.countSavedSince(new Date(last)) : 0;
        if (request.method === 'HEAD') return void response.type('text/event-stream').end();
        live.feed.open(response, asker.who, missed);
        await new Promise((resolve) => response.on('close', resolve));
      },
  },
} satisfies Routes<'live', Pick<Base, 'now'> & { live: Live; posts: Posts }>;
