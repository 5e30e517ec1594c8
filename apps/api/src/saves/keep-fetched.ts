import type { SaveReason } from '@archive/contracts';
import { ObjectId } from 'mongodb';
import type { Authors } from '../authors/authors.ts';
import type { Base } from '../base.ts';
import { categorise } from '../classify/categoriser.ts';
import { detectLanguage } from '../classify/detect-language.ts';
import type { Media } from '../media/media.ts';
import { keepPosts } from '../posts/keep-posts.ts';
import {
  fingerprintsOf,
  isRemoved,
  type NewDocument,
  named,
  type PostDocument,
  type StoredPost,
} from '../posts/post-document.ts';
import type { Posts } from '../posts/posts.ts';
import type { Fetched, FetchedPost } from '../sources/source.ts';
import { evidenceBytes } from './bound-fetched.ts';
import type { CaptureStore } from './capture-store.ts';
import { keepAvatar, keepMedia, type MediaBudget } from './keep-media.ts';
import { lookDue, nextLook } from './look-again.ts';
import { mediaPayers, payCategory, payMedia, spend } from './media-budget.ts';
import { nextTry } from './retry-media.ts';
import type { SaveDocument } from './save-document.ts';

export interface KeepNeeds extends Pick<Base, 'audit' | 'database' | 'config'> {
  posts: Pick<Posts, 'store' | 'arrived' | 'sealed'>;
  authors: Pick<Authors, 'wishes'>;
  media: Pick<Media, 'fetch' | 'addReference' | 'dropReferences' | 'seal' | 'isDiskShort'>;
  captures: CaptureStore;
}

interface Work {
  save: SaveDocument;
  signal: AbortSignal;
  /** Bytes of media for all posts of the request together. */
  budget: MediaBudget;
}

/** Bytes of media for one request: four whole videos, or some hundred pictures. */
const REQUEST_BYTES = 100_000_000;

type Outcome = { status: 'kept'; _id: ObjectId } | { status: 'refused'; reason: SaveReason };

/**
 * Keeps a post, the posts that belong to it, and their evidence. The asked post comes last, so that quoted posts exist
 * when it becomes visible.
 */
export async function keepFetched(
  needs: KeepNeeds,
  { asked, others }: Fetched,
  given: Omit<Work, 'budget'>,
): Promise<Outcome> {
  const work = { ...given, budget: { left: REQUEST_BYTES } };
  // Checked again, since a day may have passed since the fetch.
  const [own] = await needs.authors.wishes.refused([byPlatform(asked)]);
  if (own !== undefined) return { status: 'refused', reason: 'declined' };
  const declined = await needs.authors.wishes.refused(others.map(byPlatform));
  for (const [at, other] of others.entries()) if (!declined.has(at)) await keepOne(needs, other, work);
  return keepOne(needs, asked, work);
}

/** Wishes are matched by the platform's author id, since a handle may have had another owner. */
function byPlatform({ post }: FetchedPost) {
  return { ...post, isFromPlatform: true as const };
}

async function keepOne(needs: KeepNeeds, told: FetchedPost, work: Work): Promise<Outcome> {
  const { captures, media, posts } = needs;
  const known = await findKnown(needs, told);
  if (known && isRemoved(known)) {
    // A killed process may have left evidence of the removed post.
    if (!known.sealed) await captures.drop([known._id]);
    return { status: 'refused', reason: known.sealed ?? 'removed' };
  }
  const at = needs.database.clock.now();
  const isSigned = known?.origin?.capture.signed === true;
  const fetched = isSigned ? told : await payEvidence(needs, told, mediaPayers(needs, work.save));
  const document = await documentOf(needs, fetched, known, work, at);
  const own = document._id.toHexString();
  const [kept] = await keepPosts(posts.store, [
    { post: document, refused: fingerprintsOf(byPlatform(fetched)).refused },
  ]);
  if (!kept || kept.status === 'removed') {
    const gone = await posts.store.find(own);
    // A sealed post keeps its media, since its author may bring it back.
    const reason = (gone && isRemoved(gone) && gone.sealed) || 'removed';
    if (reason === 'removed') await media.dropReferences(own);
    else await media.seal(own, true);
    return { status: 'refused', reason };
  }
  // The kept text differs, so the evidence does not prove it and is dropped.
  if (kept.status === 'duplicate' && !(await addTo(needs, kept._id, document)))
    return { status: 'kept', _id: kept._id };
  await captures.keep(kept._id, fetched, at);
  // The post may have been removed during the fetch. That removal does not know of the media and evidence stored since.
  const now = await posts.store.find(kept._id.toHexString());
  if (now && isRemoved(now) && now.sealed) await media.seal(kept._id.toHexString(), true);
  else if (!now || isRemoved(now)) {
    await captures.drop([kept._id]);
    await media.dropReferences(kept._id.toHexString());
    return { status: 'refused', reason: 'removed' };
  }
  return { status: 'kept', _id: kept._id };
}

/**
 * Charges the evidence to the same budget as media. Without budget or disk space, the post is kept without evidence and
 * counts as unsigned.
 */
async function payEvidence(needs: KeepNeeds, fetched: FetchedPost, payers: string[]): Promise<FetchedPost> {
  const bytes = evidenceBytes(fetched);
  if (bytes === 0) return fetched;
  if (!(await needs.media.isDiskShort()) && (await spend(payMedia(needs, payers), bytes))) return fetched;
  const { signed: _, ...post } = fetched;
  return { ...post, raw: new Uint8Array() };
}

/**
 * Finds the post that is kept under this id. If the id is a wrong alias of another post, the alias is removed first.
 */
async function findKnown({ posts }: KeepNeeds, { post }: FetchedPost): Promise<StoredPost | null> {
  const known = await posts.store.find(post.id);
  if (!known || isRemoved(known) || known.id === post.id) return known;
  const isOwn = known.isFromPlatform === true && known.authorId === post.authorId;
  if (isOwn && known.content === post.content) return known;
  await posts.arrived.dropAlias(known._id, post.id, { claimedOnly: isOwn });
  return posts.store.find(post.id);
}

type WholeDocument = NewDocument & { _id: ObjectId };

/** Builds the document of the post and fetches its media. A known post keeps its `_id`. */
async function documentOf(
  needs: KeepNeeds,
  fetched: FetchedPost,
  known: PostDocument | null,
  { save, signal, budget }: Work,
  at: Date,
): Promise<WholeDocument> {
  const { post, blobs } = fetched;
  const _id = known?._id ?? save.ids?.[post.id] ?? new ObjectId();
  // Media addresses that an agent sent are not fetched.
  const found = known?.savedBy && !known.isFromPlatform ? null : known;
  const payers = mediaPayers(needs, save);
  const options = { post: _id.toHexString(), blobs, budget, pay: payMedia(needs, payers), signal };
  const [{ media, mayRetry, isSpent }, avatar, language] = await Promise.all([
    keepMedia(needs, found?.media ?? post.media ?? [], options),
    fetched.avatar && !found?.avatarSha256 ? keepAvatar(needs, fetched.avatar, options) : null,
    post.language ?? detectLanguage(post.content),
  ]);
  // Only a new post is categorised. A kept post without a category stays without one.
  const { content, links = [], authorUsername: authorHandle } = post;
  const told = { content, links, authorHandle, language };
  const service = known ? null : needs.config.categoriser;
  const categoriser = service && (await spend(payCategory(needs, payers), 1)) ? service : null;
  const category = known ? null : await categorise(told, { categoriser, signal });
  const mediaDueAt =
    mayRetry || avatar?.mayRetry ? nextTry(known?.savedAt ?? at, at, isSpent || avatar?.isSpent === true) : null;
  return {
    ...post,
    _id,
    ...named({ fingerprint: fingerprintsOf(byPlatform(fetched)).own }),
    category,
    savedAt: at,
    origin: { savedBy: savedByOf(save), capture: captureOf(fetched) },
    source: { state: 'live', checkedAt: at },
    isFromPlatform: true,
    ...lookDue(nextLook(at, at)),
    ...(language && { language }),
    ...(media.length > 0 && { media }),
    ...(mediaDueAt && { mediaDueAt }),
    ...(mediaDueAt && payers.length > 0 && { mediaPayers: payers }),
    ...(avatar?.sha256 && { avatarSha256: avatar.sha256 }),
    ...(fetched.threadRoot && { threadRoot: fetched.threadRoot.id }),
    ...(fetched.versions?.length && { versions: fetched.versions }),
  };
}

/**
 * Adds what a kept post lacks. If the post is kept under another `_id` than expected, that `_id` gets the references to
 * the media.
 */
async function addTo({ media, posts }: KeepNeeds, kept: ObjectId, document: WholeDocument): Promise<boolean> {
  const files = [
    ...(document.media ?? []).flatMap(({ sha256, posterSha256 }) => [sha256, posterSha256]),
    document.avatarSha256,
  ];
  const isOther = !kept.equals(document._id);
  // References are added before the post names the files. An extra reference is dropped with the post; a missing one
  // would let the bytes be deleted.
  if (isOther) for (const sha256 of files) if (sha256) await media.addReference(sha256, kept.toHexString());
  const isFilled = await posts.arrived.fill(kept, document);
  if (isOther) {
    await media.dropReferences(document._id.toHexString());
  } else if (isFilled && files.some((sha256) => sha256)) {
    await posts.arrived.setMedia(kept, document.media ?? [], document.mediaDueAt ?? null);
  }
  return isFilled;
}

function captureOf({ target, signed }: FetchedPost) {
  const method = target.platform === 'x' ? ('x-api' as const) : ('bluesky' as const);
  return { method, complete: true, signed: signed !== undefined };
}

/** A public mention names its asker. A wallet is private and is not named. */
function savedByOf({ via, askedBy, askedIn, platform }: SaveDocument) {
  if (via !== 'mention' || !askedIn) return { via: 'save' as const };
  return { via, platform, ...(askedBy.handle && { handle: askedBy.handle }), url: askedIn.url };
}
