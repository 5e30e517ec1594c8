import type { SaveReason } from '@archive/contracts';
import { ObjectId } from 'mongodb';
import type { Authors } from '../authors/authors.ts';
import type { Base } from '../base.ts';
import { keepPosts } from '../posts/keep-posts.ts';
import { fingerprintsOf, type NewDocument } from '../posts/post-document.ts';
import type { Posts } from '../posts/posts.ts';
import type { Fetched, FetchedPost } from '../sources/source.ts';
import { CaptureStore } from './capture-store.ts';
import type { SaveDocument } from './save-document.ts';

export interface KeepNeeds extends Pick<Base, 'database' | 'config'> {
  posts: Pick<Posts, 'store'>;
  authors: Pick<Authors, 'wishes'>;
}

interface Work {
  save: SaveDocument;
  signal: AbortSignal;
}

type Outcome = { status: 'kept'; _id: ObjectId } | { status: 'refused'; reason: SaveReason };

/** Keeps a post and what belongs to it, with evidence; the asked one last, so that what it quotes is there when it shows. */
export async function keepFetched(needs: KeepNeeds, { asked, others }: Fetched, work: Work): Promise<Outcome> {
  const declined = await needs.authors.wishes.refused(others.map(({ post }) => post));
  for (const [at, other] of others.entries()) if (!declined.has(at)) await keepOne(needs, other, work);
  return keepOne(needs, asked, work);
}

async function keepOne(needs: KeepNeeds, fetched: FetchedPost, { save }: Work): Promise<Outcome> {
  const { store } = needs.posts;
  const at = needs.database.clock.now();
  const post = fetched.post;
  const { own, refused } = fingerprintsOf(post);
  const threadRoot = fetched.threadRoot?.id;
  const document: NewDocument = {
    ...post,
    _id: new ObjectId(),
    fingerprint: own,
    savedAt: at,
    origin: { savedBy: savedByOf(save), capture: captureOf(fetched) },
    source: { state: 'live', checkedAt: at },
    ...(threadRoot !== undefined && { threadRoot }),
    ...(fetched.versions?.length && { versions: fetched.versions }),
  };
  const [kept] = await keepPosts(store, [{ post: document, refused }]);
  if (!kept || kept.status === 'removed') return { status: 'refused', reason: 'removed' };
  if (kept.status === 'duplicate') await store.fill(kept._id, document);
  await new CaptureStore(needs.database.db).keep(kept._id, fetched, at);
  return { status: 'kept', _id: kept._id };
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
