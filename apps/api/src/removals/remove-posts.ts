import type { Removal, RemovalPreview, RemovalSelection } from '@archive/contracts';
import { AppError } from '../app-error.ts';
import type { Act } from '../audit/audit-entry.ts';
import type { Base } from '../base.ts';
import { pinnedWords } from '../launches/launch-document.ts';
import type { LaunchStore } from '../launches/launch-store.ts';
import type { PostStore } from '../posts/post-store.ts';
import { PostsOfKey } from '../posts/posts-of-key.ts';
import type { SealedPostStore } from '../posts/sealed-post-store.ts';
import type { RemovalDocument, RemovalStore } from './removal-store.ts';
import type { SelectedPostStore } from './selected-post-store.ts';

const SAMPLE_SIZE = 5;
const SAMPLE_LETTERS = 60;
/** Parallel removals; more would only queue in the database. */
const LANES = 8;
const TOLD_EVERY = 50;
/**
 * Each pass takes the posts that were saved, sealed or brought back during the last one. A sender that never stops must
 * be stopped first.
 */
const PASSES = 5;

export interface RemovalNeeds extends Pick<Base, 'audit' | 'database' | 'ledger'> {
  posts: { store: PostStore; sealed: SealedPostStore };
  launches: { store: LaunchStore };
  removals: { store: RemovalStore; selected: SelectedPostStore };
}

type By = Pick<Act, 'actor' | 'reason' | 'requestId'>;

/** A token's pinned text of a post, which only the pinning service can delete. */
export interface PinnedWords {
  mint: string;
  uri: string;
}

/** The posts that a removal would take, as a count and a sample. */
export async function previewRemoval(
  { removals, database }: Pick<RemovalNeeds, 'removals' | 'database'>,
  selection: RemovalSelection,
): Promise<RemovalPreview> {
  const { posts, featured, launched, sample } = await removals.selected.summarise(selection, SAMPLE_SIZE);
  const { aliases = 0 } = selection.key ? await new PostsOfKey(database.db, selection.key).summarise(1) : {};
  return {
    count: posts,
    aliases,
    featured,
    launched,
    sample: sample.map(({ _id, id, authorUsername, content }) => {
      const letters = Array.from(content.replace(/\s+/g, ' '));
      const text = letters.slice(0, SAMPLE_LETTERS).join('') + (letters.length > SAMPLE_LETTERS ? '…' : '');
      return { _id: _id.toHexString(), id, authorUsername, content: text };
    }),
  };
}

/**
 * Begins a removal after its preview. `count` is the number shown then; if it has changed, nothing is done. With
 * `isRefused` false, the posts are removed as if they had never been sent.
 */
export async function beginRemoval(
  context: RemovalNeeds,
  { selection, isRefused, count }: { selection: RemovalSelection; isRefused: boolean; count: number },
  by: By,
): Promise<RemovalDocument> {
  const { posts, featured, launched } = await context.removals.selected.summarise(selection, 1);
  if (posts !== count) {
    const sentence = `These are ${posts} posts by now, not ${count}. Nothing was removed: look at them again.`;
    throw new AppError('selection_changed', sentence);
  }
  const act = {
    ...by,
    act: isRefused ? 'remove posts' : 'undo posts',
    subject: subjectOf(selection),
    before: { posts, featured, launched },
  };
  return context.audit.perform(act, () =>
    context.removals.store.begin({ selection, isRefused, actor: by.actor, total: posts }),
  );
}

/** Runs a removal, also one that was interrupted. Returns the addresses of pinned text of launched posts. */
export async function runRemoval(
  context: RemovalNeeds,
  removal: RemovalDocument,
  onProgress: (done: number) => void = () => {},
): Promise<{ removal: RemovalDocument; pinned: PinnedWords[] }> {
  const { selection, isRefused, _id } = removal;
  const { store } = context.removals;
  const pinned: PinnedWords[] = [];
  let [done, untold] = [removal.done, 0];
  let found = 0;
  const lane = async (ids: ReturnType<SelectedPostStore['ids']>) => {
    for (let next = await ids.next(); !next.done; next = await ids.next()) {
      found++;
      const { id, sealed } = next.value;
      const launch = await context.launches.store.find(id);
      const isTaken = sealed
        ? await context.posts.sealed.remove(sealed)
        : await context.posts.store.remove(id, { isRefused });
      if (!isTaken) continue;
      if (launch) {
        await context.launches.store.forgetWords([id]);
        const uri = pinnedWords(launch);
        if (uri) pinned.push({ mint: launch.mint, uri });
      }
      onProgress(++done);
      if (++untold < TOLD_EVERY) continue;
      const told = untold;
      untold = 0;
      await store.progress(_id, told);
    }
  };
  for (let pass = 0; pass < PASSES; pass++) {
    found = 0;
    const ids = context.removals.selected.ids(selection);
    await Promise.all(Array.from({ length: LANES }, () => lane(ids)));
    if (found === 0) break;
  }
  if (selection.key) await new PostsOfKey(context.database.db, selection.key, context.ledger).dropAliases();
  if (untold > 0) await store.progress(_id, untold);
  const ended = await store.end(_id);
  context.audit.note({
    actor: removal.actor,
    act: 'end removal',
    subject: subjectOf(selection),
    after: { removal: _id.toHexString(), posts: ended.done, pinned: pinned.map(({ uri }) => uri) },
  });
  return { removal: ended, pinned };
}

export function toRemoval({ _id, state, total, done, createdAt, endedAt }: RemovalDocument): Removal {
  return {
    _id: _id.toHexString(),
    state,
    total,
    done,
    createdAt: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  };
}

function subjectOf({ posts, author, key, asker }: RemovalSelection): Act['subject'] {
  if (key !== undefined) return { kind: 'key', id: key };
  if (author !== undefined) return { kind: 'author', id: author };
  if (asker !== undefined) return { kind: 'asker', id: asker };
  const [first = '', ...others] = posts ?? [];
  return others.length === 0
    ? { kind: 'post', id: first }
    : { kind: 'posts', id: `${first} and ${others.length} more` };
}
