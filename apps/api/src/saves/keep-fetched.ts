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
  /** Of media, for all posts of the request together. */
  budget: MediaBudget;
}

/** Bytes of media that one request brings along: four whole videos, or some hundred pictures. */
const REQUEST_BYTES = 100_000_000;

type Outcome = { status: 'kept'; _id: ObjectId } | { status: 'refused'; reason: SaveReason };

/** Keeps a post and what belongs to it, with evidence; the asked one last, so that what it quotes is there when it shows. */
export async function keepFetched(
  needs: KeepNeeds,
  { asked, others }: Fetched,
  given: Omit<Work, 'budget'>,
): Promise<Outcome> {
  const work = { ...given, budget: { left: REQUEST_BYTES } };
  // Asked again: a day may lie between this and the fetching.
  const [own] = await needs.authors.wishes.refused([byPlatform(asked)]);
  if (own !== undefined) return { status: 'refused', reason: 'declined' };
  const declined = await needs.authors.wishes.refused(others.map(byPlatform));
  for (const [at, other] of others.entries()) if (!declined.has(at)) await keepOne(needs, other, work);
  return keepOne(needs, asked, work);
}

/** The platform tells who wrote it: an author's handle may have been another one's before. */
function byPlatform({ post }: FetchedPost) {
  return { ...post, isFromPlatform: true as const };
}

async function keepOne(needs: KeepNeeds, told: FetchedPost, work: Work): Promise<Outcome> {
  const { captures, media, posts } = needs;
  const known = await findKnown(needs, told);
  if (known && isRemoved(known)) {
    // A process that was killed may have left evidence of it.
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
    // Its author may bring it back, with its pictures.
    const reason = (gone && isRemoved(gone) && gone.sealed) || 'removed';
    if (reason === 'removed') await media.dropReferences(own);
    else await media.seal(own, true);
    return { status: 'refused', reason };
  }
  // Evidence of other words than those that are kept is none.
  if (kept.status === 'duplicate' && !(await addTo(needs, kept._id, document)))
    return { status: 'kept', _id: kept._id };
  await captures.keep(kept._id, fetched, at);
  // Removed while all this was fetched: nobody else knows what was brought in since.
  const now = await posts.store.find(kept._id.toHexString());
  if (now && isRemoved(now) && now.sealed) await media.seal(kept._id.toHexString(), true);
  else if (!now || isRemoved(now)) {
    await captures.drop([kept._id]);
    await media.dropReferences(kept._id.toHexString());
    return { status: 'refused', reason: 'removed' };
  }
  return { status: 'kept', _id: kept._id };
}

/** Evidence is paid as media are. Where it cannot be, or the disk is short, the post is kept without, and says that it is unsigned. */
async function payEvidence(needs: KeepNeeds, fetched: FetchedPost, payers: string[]): Promise<FetchedPost> {
  const bytes = evidenceBytes(fetched);
  if (bytes === 0) return fetched;
  if (!(await needs.media.isDiskShort()) && (await spend(payMedia(needs, payers), bytes))) return fetched;
  const { signed: _, ...post } = fetched;
  return { ...post, raw: new Uint8Array() };
}

/** What is kept under its id already. Where that is another post, which somebody else has sent it for, it is so no longer. */
async function findKnown({ posts }: KeepNeeds, { post }: FetchedPost): Promise<StoredPost | null> {
  const known = await posts.store.find(post.id);
  if (!known || isRemoved(known) || known.id === post.id) return known;
  const isOwn = known.isFromPlatform === true && known.authorId === post.authorId;
  if (isOwn && known.content === post.content) return known;
  await posts.arrived.dropAlias(known._id, post.id, { claimedOnly: isOwn });
  return posts.store.find(post.id);
}

type WholeDocument = NewDocument & { _id: ObjectId };

/** The post as it would be kept, with what is fetched of its media; of a known one its own `_id`. */
async function documentOf(
  needs: KeepNeeds,
  fetched: FetchedPost,
  known: PostDocument | null,
  { save, signal, budget }: Work,
  at: Date,
): Promise<WholeDocument> {
  const { post, blobs } = fetched;
  const _id = known?._id ?? save.ids?.[post.id] ?? new ObjectId();
  // What an agent claimed to be its pictures is nothing to fetch.
  const found = known?.savedBy && !known.isFromPlatform ? null : known;
  const payers = mediaPayers(needs, save);
  const options = { post: _id.toHexString(), blobs, budget, pay: payMedia(needs, payers), signal };
  const [{ media, mayRetry, isSpent }, avatar, language] = await Promise.all([
    keepMedia(needs, found?.media ?? post.media ?? [], options),
    fetched.avatar && !found?.avatarSha256 ? keepAvatar(needs, fetched.avatar, options) : null,
    post.language ?? detectLanguage(post.content),
  ]);
  // Only of what is new: a kept post that has none was left without one.
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

/** What a kept post lacks; where it is kept under another `_id` than was thought, its media are that one's from now on. */
async function addTo({ media, posts }: KeepNeeds, kept: ObjectId, document: WholeDocument): Promise<boolean> {
  const files = [
    ...(document.media ?? []).flatMap(({ sha256, posterSha256 }) => [sha256, posterSha256]),
    document.avatarSha256,
  ];
  const isOther = !kept.equals(document._id);
  // Before the post names them: a reference too many is let go with the post, one too few lets go of the bytes.
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

/** Who asked is named where they asked in public; a wallet is nobody's business. */
function savedByOf({ via, askedBy, askedIn, platform }: SaveDocument) {
  if (via !== 'mention' || !askedIn) return { via: 'save' as const };
  return { via, platform, ...(askedBy.handle && { handle: askedBy.handle }), url: askedIn.url };
}
