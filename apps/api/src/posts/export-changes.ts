import type { ObjectId } from 'mongodb';
import { AppError } from '../app-error.ts';
import type { Base } from '../base.ts';
import { ArchiveState } from '../db/archive-state.ts';
import { type ReactionCounter, toPost } from './answer-posts.ts';
import { given } from './held-back.ts';
import { isRemoved, type PostDocument, type StoredPost } from './post-document.ts';
import type { Posts } from './posts.ts';
import { withAddresses } from './write-export.ts';

interface Needs extends Pick<Base, 'config' | 'database'> {
  posts: Pick<Posts, 'store'>;
  reactions: ReactionCounter;
}

/**
 * Seconds by which each read overlaps the last one: a change is stamped some time before it becomes visible. Changes
 * within the overlap are repeated.
 */
const OVERLAP_SECONDS = 60;
const CHUNK = 500;

/** The line of a removed post. */
interface Removal {
  _id: string;
  id: string;
  removed: true;
}

/**
 * The changes since a cursor as NDJSON, in the order of change; the last line is the next cursor. A client that applies
 * each line to its copy then holds the same as the archive. The cursor `begin` yields everything. A line holds only the
 * post's own fields: posts that it answers, quotes or continues have their own lines.
 *
 * @throws AppError invalid_request, or cursor_gone where the archive was restored since
 */
export async function exportChanges(context: Needs, since: string): Promise<AsyncGenerator<string>> {
  const epoch = await new ArchiveState(context.database.db).epoch();
  const from = readCursor(since);
  if (from.epoch !== null && from.epoch !== epoch) {
    throw new AppError('cursor_gone', 'The archive was restored since: begin again with since=begin.');
  }
  const lookedAt = Math.floor((await context.database.clock.measure()).getTime() / 1_000);
  const next = writeCursor(epoch ?? '', Math.max(0, lookedAt - OVERLAP_SECONDS));
  return lines(context, from.second, next);
}

async function* lines(context: Needs, second: number, next: string): AsyncGenerator<string> {
  let chunk: StoredPost[] = [];
  for await (const post of context.posts.store.changedSince(second)) {
    if (chunk.push(post) < CHUNK) continue;
    yield await tell(context, chunk);
    chunk = [];
  }
  yield await tell(context, chunk);
  yield `${JSON.stringify({ cursor: next })}\n`;
}

async function tell({ config, reactions }: Needs, chunk: StoredPost[]): Promise<string> {
  const live = chunk.filter((post): post is PostDocument => !isRemoved(post));
  const counts = live.length > 0 ? await reactions.store.countOf(live.map(({ _id }) => _id)) : undefined;
  const { origin } = config.publicUrl;
  const told = chunk.map((post) =>
    isRemoved(post) ? removal(post._id, post.ids[0] ?? '') : withAddresses(given(toPost(post, counts), config), origin),
  );
  return told.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function removal(_id: ObjectId, id: string): Removal {
  return { _id: _id.toHexString(), id, removed: true };
}

function writeCursor(epoch: string, second: number): string {
  return Buffer.from(`${epoch} ${second}`).toString('base64url');
}

function readCursor(text: string): { epoch: string | null; second: number } {
  if (text === 'begin') return { epoch: null, second: 0 };
  const parts = /^([0-9a-f-]{36}) (\d{1,10})$/.exec(Buffer.from(text, 'base64url').toString('latin1'));
  if (parts) return { epoch: parts[1] as string, second: Number(parts[2]) };
  const message = 'must be begin, or the cursor of an earlier answer';
  throw new AppError('invalid_request', `since: ${message}`, { errors: [{ path: 'since', message }] });
}
