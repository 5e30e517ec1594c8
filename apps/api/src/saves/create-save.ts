import { createHash } from 'node:crypto';
import { idOfLink, PLATFORM_NAMES, platformOf, SAVE_HOURS, type Save } from '@archive/contracts';
import { ObjectId } from 'mongodb';
import { AppError } from '../app-error.ts';
import { livePost } from '../posts/live-post.ts';
import { readPostLink } from '../sources/bluesky/addresses.ts';
import { SourceRefusal, type Target } from '../sources/source.ts';
import type { SaveNeeds } from './advance-save.ts';
import { isWhole } from './is-whole.ts';
import { type Asker, type SaveDocument, toSave } from './save-document.ts';
import { type Counted, isBusy, isOverLimit } from './save-limits.ts';
import type { SaveWorker } from './save-worker.ts';

export interface CreateNeeds extends Omit<SaveNeeds, 'captures' | 'media'> {
  saves: SaveNeeds['saves'] & { worker: Pick<SaveWorker, 'wake'> };
}

/** Milliseconds that a visitor waits for the look-up of a handle. After that the worker does it. */
const RESOLVE_MS = 3_000;

/** Finds the link in shared text, since phones often put it into a sentence. */
export function findLink(text: string): string | null {
  const links = text.match(/(?:https?|at):\/\/[^\s<>"]+/gi) ?? [];
  return links.map(withoutStop).find((link) => platformOfLink(link) !== null) ?? null;
}

/** Removes the punctuation that follows a link at the end of a sentence. */
function withoutStop(link: string): string {
  return /[),.;:!?'\]]$/.test(link) ? link.slice(0, -1) : link;
}

/** The platform of the post that a link names, judged by its form. */
function platformOfLink(link: string): 'x' | 'bluesky' | null {
  if (readPostLink(link)) return 'bluesky';
  return idOfLink(link) !== null && platformOf(link) === 'x' ? 'x' : null;
}

/**
 * Accepts a request to save a post. If the same asker already has an open request for the post, it returns that one.
 * `isKept` says that the post is kept already; what it lacks is fetched all the same.
 *
 * @throws AppError where it is known at once that it comes to nothing
 */
export async function createSave(
  needs: CreateNeeds,
  text: string,
  { askedBy, network }: { askedBy: Asker; network?: string },
): Promise<{ save: Save; isKept: boolean }> {
  const link = findLink(text);
  const platform = link && platformOfLink(link);
  if (!link || !platform) throw noPostLink(needs);
  const source = needs.sources.byPlatform.get(platform);
  if (!source)
    throw refusal('saving_unavailable', `Posts of ${platform === 'x' ? 'X' : 'Bluesky'} cannot be read here.`);
  const { store, worker } = needs.saves;
  // The limits are checked before the platform is asked. An asker over a limit still gets an open request back.
  if (!(await store.findOpen(askedBy, { link, target: null }))) {
    const asked = {
      _id: new ObjectId(),
      askedBy,
      network,
      via: 'save' as const,
      createdAt: needs.database.clock.now(),
    };
    const refused = await refuse(needs, asked);
    if (refused) throw refused;
  }
  const target = await resolveSoon(needs, platform, link);
  const known = target && (await needs.posts.store.find(target.id));
  const kept = known && livePost(known);
  if (kept instanceof AppError) throw kept;
  if (target) await requireWilling(needs, target);
  const key = `${askedBy.kind} ${askedBy.id} ${digest(target?.id ?? link)}`;
  const open = await store.findOpen(askedBy, { link, target });
  const latest = open ?? (await store.findLatest(key));
  if (latest && !isOver(latest)) return { save: toSave(latest), isKept: latest.archiveId !== null };
  const now = needs.database.clock.now();
  const isKept = kept !== null;
  const isDone = kept !== null && target !== null && isWhole(kept, target.id);
  const save: SaveDocument = {
    _id: new ObjectId(),
    // The key contains the last ended request. So of several simultaneous new requests, the unique key admits one.
    key: latest ? `${key} ${latest._id.toHexString()}` : key,
    platform,
    link,
    target,
    wantsThread: false,
    askedBy,
    ...(network !== undefined && { network }),
    via: 'save',
    state: isDone ? 'answered' : 'received',
    reason: null,
    attempts: 0,
    claims: 0,
    isPublic: true,
    dueAt: now,
    endsAt: new Date(now.getTime() + SAVE_HOURS * 3_600_000),
    archiveId: kept?._id ?? null,
    reply: 'none',
    replyId: null,
    createdAt: now,
  };
  // Of several simultaneous presses, one inserts its request. The others return that request.
  if ((await store.add([save])) === 0) return { save: toSave((await store.findByKey(save.key)) ?? save), isKept };
  const refused = await refuse(needs, save);
  if (refused) {
    await store.takeBack(save);
    throw refused;
  }
  if (!isDone) worker.wake();
  return { save: toSave(save), isKept };
}

function isOver({ state }: SaveDocument): boolean {
  return state === 'answered' || state === 'failed';
}

/** Checked again after the insert, since each of several simultaneous requests then counts those before it. */
async function refuse(needs: CreateNeeds, save: Counted): Promise<AppError | null> {
  if (await isBusy(needs, save)) return limited('Too many posts are being saved. Please try again in a minute.', 60);
  if (await isOverLimit(needs, save)) {
    return limited('So many posts can be saved in a day. The next one begins at 00:00 UTC.', 3_600);
  }
  return null;
}

async function resolveSoon(needs: CreateNeeds, platform: 'x' | 'bluesky', link: string): Promise<Target | null> {
  try {
    const target = await needs.sources.byPlatform.get(platform)?.resolve(link, AbortSignal.timeout(RESOLVE_MS));
    if (target === null) throw noPostLink(needs);
    return target ?? null;
  } catch (error) {
    if (error instanceof SourceRefusal) throw noLink('This link names nobody.');
    if (error instanceof AppError) throw error;
    return null;
  }
}

/** The address of a post on Bluesky contains its author. */
async function requireWilling({ authors }: CreateNeeds, { platform, address }: Target): Promise<void> {
  const author = /^at:\/\/([^/]+)\//.exec(address)?.[1];
  if (author === undefined || !(await authors.wishes.of(platform, author)).noArchive) return;
  throw refusal('save_declined', 'The author of this post does not want to be kept here.');
}

/** The message names only the platforms that this server can read. */
function noPostLink({ sources }: Pick<CreateNeeds, 'sources'>): AppError {
  const readable = (['x', 'bluesky'] as const).filter((platform) => sources.byPlatform.has(platform));
  return noLink(`That isn’t a link to a post on ${readable.map((platform) => PLATFORM_NAMES[platform]).join(' or ')}.`);
}

function noLink(sentence: string): AppError {
  return new AppError('invalid_request', sentence, { errors: [{ path: 'url', message: sentence }] });
}

function refusal(code: 'saving_unavailable' | 'save_declined', sentence: string) {
  return new AppError(code, sentence);
}

function limited(sentence: string, seconds: number): AppError {
  return new AppError('rate_limited', sentence, { headers: { 'Retry-After': String(seconds) } });
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
