import { z } from 'zod';
import { isDid, targetAt } from './addresses.ts';

/**
 * A change that the stream reports for a post (`id`), or for all posts of an author (`id` is null). Only a look
 * confirms it.
 */
export interface StreamHint {
  did: string;
  id: string | null;
  says: 'gone' | 'back' | 'changed';
}

export interface StreamEvent {
  did: string;
  /** Microseconds since 1970, by the stream's clock. */
  at: number;
  /** Null for an event without a change of interest. */
  hint: StreamHint | null;
}

const POSTS = 'app.bsky.feed.post';
const SAYS = { create: 'back', update: 'changed', delete: 'gone' } as const;

const eventSchema = z.object({
  did: z.string().refine(isDid),
  time_us: z.int().nonnegative(),
  kind: z.string(),
  commit: z
    .object({ operation: z.enum(['create', 'update', 'delete']), collection: z.string(), rkey: z.string() })
    .optional(),
  account: z.object({ active: z.boolean() }).optional(),
});

/** Parses a message of Jetstream; null for any other text. */
export function readStreamEvent(text: string): StreamEvent | null {
  const parsed = eventSchema.safeParse(readJson(text));
  if (!parsed.success) return null;
  const { did, time_us: at, kind, commit, account } = parsed.data;
  if (kind === 'account' && account)
    return { did, at, hint: { did, id: null, says: account.active ? 'back' : 'gone' } };
  if (kind !== 'commit' || commit?.collection !== POSTS) return { did, at, hint: null };
  const target = targetAt(`at://${did}/${POSTS}/${commit.rkey}`);
  return { did, at, hint: target && { did, id: target.id, says: SAYS[commit.operation] } };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
