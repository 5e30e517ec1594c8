import type { Base } from '../base.ts';
import type { ArrivedPostStore } from '../posts/arrived-post-store.ts';
import type { FollowedPostStore } from '../posts/followed-post-store.ts';
import type { HintDocument, HintStore } from './hint-store.ts';

export interface HintNeeds extends Pick<Base, 'database'> {
  posts: { arrived: ArrivedPostStore; followed: FollowedPostStore };
  hints: HintStore;
}

const AT_ONCE = 100;
/** After each look in vain: what the AppView shows is a moment behind the stream, and on a bad day an hour. */
const WAITS_MS = [5_000, 30_000, 5 * 60_000, 60 * 60_000];
/** While posts wait for their look, ever longer. */
const SHORTEST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 5 * 60_000;
/** Of an author, as many as one call asks for; until what was told has proved true of one of them, no more. */
const PROBE = 25;
/** After that as many, of which those that still wait for their look are not hurried twice. */
const SLICE = 100;
const SLICE_MS = 2_000;

/** Has posts looked at of which a stream has told that they are gone, back or changed; the looks alone decide. */
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
    // Whom nobody could ask has said nothing: that is no try, however long it lasts.
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
