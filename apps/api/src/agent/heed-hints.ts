import type { Base } from '../base.ts';
import type { ArrivedPostStore } from '../posts/arrived-post-store.ts';
import type { FollowedPostStore } from '../posts/followed-post-store.ts';
import type { HintDocument, HintStore } from './hint-store.ts';

export interface HintNeeds extends Pick<Base, 'database'> {
  posts: { arrived: ArrivedPostStore; followed: FollowedPostStore };
  hints: HintStore;
}

const AT_ONCE = 100;
/**
 * Waits after each look that did not confirm a hint. The AppView is usually seconds behind the stream, and sometimes an
 * hour.
 */
const WAITS_MS = [5_000, 30_000, 5 * 60_000, 60 * 60_000];
/** Limits of the wait for posts whose look is still pending; it grows with time. */
const SHORTEST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 5 * 60_000;
/**
 * Posts of an author in the first look, as many as one call allows. More follow only if the hint proves true for one of
 * them.
 */
const PROBE = 25;
/** Posts of an author in each later look. Scheduling a post again that is still waiting changes nothing. */
const SLICE = 100;
const SLICE_MS = 2_000;

/** Schedules looks at posts that a stream reported as deleted, restored or changed. Only the looks change a post. */
export async function heedHints(needs: HintNeeds, stopped: AbortSignal): Promise<boolean> {
  const due = await needs.hints.due(needs.database.clock.now(), AT_ONCE);
  for (const hint of due) if (!stopped.aborted) await heed(needs, hint);
  return due.length > 0;
}

async function heed({ database, hints, posts }: HintNeeds, hint: HintDocument): Promise<void> {
  const { asked, askedAt, did, id, says, tries } = hint;
  const followed = says === 'back' ? 'away' : 'shown';
  const find = (limit: number) => posts.followed.ofAuthor(did, followed, limit);
  const still = await posts.followed.among(id === null ? asked : [id], followed);
  const isTrue = id === null && still.size < asked.length;
  const now = database.clock.now();
  if (!isTrue && askedAt && still.size > 0 && !(await posts.followed.isLookedAt([...still], askedAt, now))) {
    // If the look has not happened yet, it does not count as a try, however long that lasts.
    await posts.arrived.hurryLooks({ ids: [...still] }, now);
    const waitMs = Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, now.getTime() - askedAt.getTime()));
    return hints.move(hint, { tries, asked, askedAt, dueAt: new Date(now.getTime() + waitMs) });
  }
  const ids = id === null ? await find(isTrue ? SLICE : PROBE) : [...still];
  if (ids.length > 0) await posts.arrived.hurryLooks({ ids }, now);
  const waitMs = isTrue ? SLICE_MS : WAITS_MS[tries];
  const isOver = ids.length === 0 || waitMs === undefined;
  const dueAt = new Date(now.getTime() + (waitMs ?? 0));
  const next = { tries: isTrue ? 0 : tries + 1, dueAt, asked: id === null ? ids : [], askedAt: now };
  await hints.move(hint, isOver ? null : next);
}
