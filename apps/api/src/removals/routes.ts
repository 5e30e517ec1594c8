import { setTimeout as delay } from 'node:timers/promises';
import { ObjectId } from 'mongodb';
import { AppError } from '../app-error.ts';
import { json } from '../http/replies.ts';
import type { Routes } from '../http/route.ts';
import { isObjectId } from '../posts/post-document.ts';
import type { Removals } from './removals.ts';
import { beginRemoval, previewRemoval, type RemovalNeeds, toRemoval } from './remove-posts.ts';

/** Milliseconds that a caller waits for the end; after that it asks again. */
const WAIT_MS = 2_000;

export const removalRoutes = {
  previewRemoval: {
    access: 'operator',
    role: 'admin',
    run: (context, { body: { selection } }) => previewRemoval(context, selection),
  },
  removePosts: {
    access: 'operator',
    role: 'admin',
    isFresh: true,
    run: async (context, { body: { selection, isRefused, count, reason }, actor, requestId }) => {
      const begun = await beginRemoval(context, { selection, isRefused, count }, { actor, requestId, reason });
      const work = context.removals.run(begun).catch(() => null);
      const ended = await Promise.race([work, delay(WAIT_MS, null, { ref: false })]);
      return json(ended ? 200 : 202, toRemoval(ended ?? begun));
    },
  },
  getRemoval: {
    access: 'operator',
    role: 'admin',
    run: async ({ removals }, { params }) => {
      const found = isObjectId(params.removal) ? await removals.store.find(new ObjectId(params.removal)) : null;
      if (!found) throw new AppError('not_found', 'There is no such removal.');
      return toRemoval(found);
    },
  },
} satisfies Routes<'previewRemoval' | 'removePosts' | 'getRemoval', RemovalNeeds & { removals: Removals }>;
