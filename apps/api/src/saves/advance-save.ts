import { randomInt } from 'node:crypto';
import { SAVE_HOURS, type SaveReason } from '@archive/contracts';
import type { ObjectId } from 'mongodb';
import type { Authors } from '../authors/authors.ts';
import type { Base } from '../base.ts';
import { isRemoved } from '../posts/post-document.ts';
import type { Posts } from '../posts/posts.ts';
import { type Source, SourceRefusal, SourceTrouble, type Target } from '../sources/source.ts';
import type { Sources } from '../sources/sources.ts';
import { boundFetched } from './bound-fetched.ts';
import { grantWish } from './grant-wish.ts';
import { isWhole } from './is-whole.ts';
import { type KeepNeeds, keepFetched } from './keep-fetched.ts';
import type { SaveDocument } from './save-document.ts';
import { isOverLimit } from './save-limits.ts';
import type { SaveChange, SaveStore } from './save-store.ts';

export interface SaveNeeds extends Pick<Base, 'audit' | 'database' | 'log' | 'config'>, KeepNeeds {
  posts: Pick<Posts, 'store' | 'arrived' | 'sealed'>;
  authors: Pick<Authors, 'wishes'>;
  sources: Pick<Sources, 'byPlatform'>;
  saves: { store: SaveStore };
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 10 * 60_000;
const STEP_MS = 45_000;
/** Milliseconds for storing one request. Media that have not arrived by then are fetched again later. */
const MEDIA_MS = 25_000;
/** Well below the lease time, so that no other process takes over a request in work. */
const RENEW_MS = 20_000;
/** Claims of a request without progress; after that the request counts as one that kills its process. */
const CLAIMS = 10;
/**
 * For this long a missing post may only be delayed at its platform, so the request is tried again. The wait for a
 * pasted link is short, because its sender waits for the answer.
 */
const UNKNOWN_MS = { mention: { x: 5_000, bluesky: 60_000, other: 0 }, save: { x: 0, bluesky: 5_000, other: 0 } };

/**
 * Advances a claimed request to its end, or until it must wait for another attempt. If the process dies on the way, the
 * request stays as it was. Each step is idempotent, so another process can repeat it.
 */
export async function advanceSave(needs: SaveNeeds, claimed: SaveDocument, stopped: AbortSignal): Promise<void> {
  const { store } = needs.saves;
  let save = claimed;
  const renewal = setInterval(() => void store.renew(claimed).catch(() => {}), RENEW_MS);
  try {
    if (save.claims > CLAIMS) return await giveUp(needs, save);
    while (save.state === 'received' || save.state === 'fetched' || save.state === 'stored') {
      const change = await STEPS[save.state](needs, save, stopped);
      const isEnd = change.state === 'answered' || change.state === 'failed' || change.reply === 'due';
      if (!(await store.move(save, change, { keep: !isEnd })) || isEnd) return;
      const { fetched, ...rest } = change;
      save = { ...save, ...rest, ...(fetched && { fetched }) };
    }
  } catch (error) {
    if (stopped.aborted) return void (await store.move(save, {}));
    const isFinal = error instanceof SourceRefusal && !isTooEarly(needs, save, error);
    await store.move(save, isFinal ? failed(needs, save, error.reason) : later(needs, save, error));
  } finally {
    clearInterval(renewal);
  }
}

type Change = SaveChange;
type Step = (needs: SaveNeeds, save: SaveDocument, stopped: AbortSignal) => Promise<Change>;

const STEPS: Record<'received' | 'fetched' | 'stored', Step> = {
  received: fetchPost,
  fetched: storePost,
  stored: async (_needs, { reply }) => (reply === 'due' ? { reply } : { state: 'answered' }),
};

async function fetchPost(needs: SaveNeeds, save: SaveDocument, stopped: AbortSignal): Promise<Change> {
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(STEP_MS)]);
  const { askedIn, createdAt, wantsThread } = save;
  if (save.wish) return { state: 'stored', words: await grantWish(needs, save) };
  if (await isOverLimit(needs, save)) return failed(needs, save, 'limit_reached');
  if (askedIn && createdAt.getTime() - askedIn.at.getTime() > SAVE_HOURS * 3_600_000) {
    return failed(needs, save, 'too_old');
  }
  const source = needs.sources.byPlatform.get(save.platform as Source['platform']);
  if (!source) return failed(needs, save, 'unavailable');
  const target = save.target ?? (await source.resolve(save.link, signal));
  if (!target) return failed(needs, save, 'not_a_post');
  const kept = await needs.posts.store.find(target.id);
  if (kept && isRemoved(kept)) return failed(needs, save, kept.sealed ?? 'removed', { target });
  // The post is kept whole, so only its thread could be missing.
  if (kept && isWhole(kept, target.id) && !wantsThread) return { state: 'stored', target, archiveId: kept._id };
  const fetched = boundFetched(await source.fetch(target, { thread: wantsThread, payer: payerOf(save) }, signal));
  const wishes = await needs.authors.wishes.of(target.platform, fetched.asked.post.authorId);
  if (wishes.noArchive) return failed(needs, save, 'declined', { target });
  const told = [fetched.asked, ...fetched.others].map(({ post: { id } }) => ({ id, isFromPlatform: true as const }));
  const own = await needs.posts.store.newIds(told);
  const ids = Object.fromEntries(told.map(({ id }, at) => [id, own[at] as ObjectId]));
  return { state: 'fetched', target, fetched, ids };
}

/**
 * The payer of the platform reads. A network pays for wallets, since wallets cost nothing to create. Reads for an
 * operator count as the archive's own.
 */
function payerOf({ askedBy, network }: SaveDocument): string | undefined {
  return askedBy.kind === 'operator' ? undefined : (network ?? askedBy.id);
}

async function storePost(needs: SaveNeeds, save: SaveDocument, stopped: AbortSignal): Promise<Change> {
  const { fetched } = save;
  if (!fetched) return { state: 'received' };
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(MEDIA_MS)]);
  const kept = await keepFetched(needs, fetched, { save, signal });
  await dropUnused(needs, save);
  if (kept.status === 'refused') return failed(needs, save, kept.reason);
  return { state: 'stored', archiveId: kept._id, fetched: null };
}

/** Ends all requests that have not ended within their day, including those of other processes. */
export async function endLate(needs: SaveNeeds): Promise<void> {
  const { store } = needs.saves;
  const now = needs.database.clock.now();
  await store.endReplies(now);
  for (;;) {
    const save = await store.claimLate();
    if (!save) return;
    await giveUp(needs, save);
  }
}

async function giveUp(needs: SaveNeeds, save: SaveDocument): Promise<void> {
  await dropUnused(needs, save);
  // The post is stored; only the answer to the asker was never sent.
  const isStored = save.state === 'stored';
  const end: Change = isStored ? { state: 'answered', reply: 'skipped' } : failed(needs, save, 'gave_up');
  await needs.saves.store.move(save, end);
}

/** Drops the media of `_id`s that were not used, because the post was kept already or was removed. */
export async function dropUnused(
  { media, posts }: Pick<SaveNeeds, 'media' | 'posts'>,
  { ids = {} }: SaveDocument,
): Promise<void> {
  for (const id of Object.values(ids)) {
    const kept = await posts.store.find(id.toHexString());
    // A sealed post keeps its media, because it may be shown again.
    if (!kept || (isRemoved(kept) && !kept.sealed)) await media.dropReferences(id.toHexString());
  }
}

function failed(needs: SaveNeeds, { reply }: SaveDocument, reason: SaveReason, more: { target?: Target } = {}): Change {
  const dueAt = needs.database.clock.now();
  return { state: 'failed', reason, dueAt, reply, fetched: null, ...more };
}

/** A platform may deliver a mention before it knows the post that the mention names. */
function isTooEarly(
  { database }: SaveNeeds,
  { via, platform, createdAt }: SaveDocument,
  { reason }: SourceRefusal,
): boolean {
  return reason === 'not_found' && database.clock.now().getTime() - createdAt.getTime() < UNKNOWN_MS[via][platform];
}

/**
 * Doubles the wait after each failure and adds jitter, so that the requests do not all return at once after an outage.
 */
function later({ database, log }: SaveNeeds, save: SaveDocument, error: unknown): Change {
  const isExpected = error instanceof SourceTrouble || error instanceof SourceRefusal;
  log[isExpected ? 'warn' : 'error']({ err: error, save: save._id.toHexString() }, 'a post could not be saved yet');
  const now = database.clock.now().getTime();
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(save.attempts, 20));
  const dueAt = Math.max(
    now + wait / 2 + randomInt(wait / 2),
    error instanceof SourceTrouble ? (error.until?.getTime() ?? 0) : 0,
  );
  return { attempts: save.attempts + 1, dueAt: new Date(dueAt) };
}
