import {
  cutCodePoints,
  isPostOf,
  languageOf,
  mediaPath,
  mediaPreviewPath,
  NO_REACTIONS,
  type Post,
  type PostMedia,
  PREVIEW_LENGTH,
  type Preview,
  platformOf,
  type ReactionCounts,
  type Reference,
} from '@archive/contracts';
import type { NewMedia, NewReference } from '@archive/contracts/schemas';
import type { ObjectId } from 'mongodb';
import type { PostDocument } from './post-document.ts';
import type { PostStore, ReferredPost, ThreadPost } from './post-store.ts';

/** The reaction counts that posts show. The reactions feature, which depends on posts, provides the counter. */
export interface ReactionCounter {
  store: { countOf(posts: readonly ObjectId[]): Promise<ReadonlyMap<string, ReactionCounts>> };
}

interface Needs {
  posts: { store: Pick<PostStore, 'findReferred' | 'findThreads'> };
  reactions: ReactionCounter;
}

interface Options {
  /** Reaction counts that the caller has read already, or is reading. */
  counts?: Promise<ReadonlyMap<string, ReactionCounts>>;
  /** True in exports and other batch reads: their queries get a longer time limit. */
  batch?: boolean;
}

/** Builds the answered posts from documents, with reaction counts and with the kept posts that they answer or quote. */
export async function answerPosts(
  { posts, reactions }: Needs,
  documents: readonly PostDocument[],
  { counts = reactions.store.countOf(documents.map(({ _id }) => _id)), batch = false }: Options = {},
): Promise<Post[]> {
  const referred = documents.flatMap(({ replyTo, quoted }) => [replyTo, quoted].flatMap((post) => post?.id ?? []));
  const roots = documents.flatMap(({ threadRoot }) => threadRoot ?? []);
  const [counted, kept, threads] = await Promise.all([
    counts,
    referred.length > 0 ? posts.store.findReferred(referred, { batch }) : undefined,
    roots.length > 0 ? posts.store.findThreads(roots, { batch }) : undefined,
  ]);
  return documents.map((post) => toPost(post, counted, { kept, threads }));
}

interface Around {
  /** The referenced posts, by platform id. */
  kept?: ReadonlyMap<string, ReferredPost> | undefined;
  /** All posts of the threads that the post belongs to, in order. */
  threads?: readonly ThreadPost[] | undefined;
}

/** Builds one answered post. `counts` holds only posts that have reactions. */
export function toPost(
  post: PostDocument,
  counts?: ReadonlyMap<string, ReactionCounts>,
  { kept, threads = [] }: Around = {},
): Post {
  const via = post.savedBy === undefined ? 'import' : 'ingest';
  const refer = (reference: NewReference | undefined) =>
    reference ? toReference(reference, kept?.get(reference.id)) : null;
  return {
    _id: post._id.toHexString(),
    id: post.id,
    content: post.content,
    author: post.author,
    authorUsername: post.authorUsername,
    authorAvatar: avatarOf(post),
    category: post.category,
    timestamp: post.timestamp.toISOString(),
    url: post.url,
    featured: post.featured,
    featuredAt: post.featuredAt?.toISOString() ?? null,
    featuredBy: post.featuredBy,
    payee: post.payee,
    launched: post.launched,
    reactions: { ...(counts?.get(post._id.toHexString()) ?? NO_REACTIONS) },
    metadata: post.metadata,
    platform: platformOf(post.url),
    authorId: post.authorId ?? null,
    language: languageOf(post),
    links: post.links ?? [],
    sensitive: post.sensitive ?? false,
    media: (post.media ?? []).map(toMedia),
    replyTo: refer(post.replyTo),
    quoted: refer(post.quoted),
    thread: placeIn(threads, post),
    source: post.source
      ? { state: post.source.state, checkedAt: post.source.checkedAt.toISOString() }
      : { state: 'unknown', checkedAt: null },
    versions: (post.versions ?? []).map(({ at, content }) => ({ at: at.toISOString(), content })),
    savedAt: (post.savedAt ?? post.createdAt).toISOString(),
    savedBy: post.origin?.savedBy ?? { via },
    capture: post.origin?.capture ?? { method: via, complete: true, signed: false },
  };
}

/** The kept post replaces the reference only if the address of the post itself also names that id. */
function toReference(reference: NewReference, post: ReferredPost | undefined): Reference {
  const isIt =
    post?.url === reference.url ||
    (post && platformOf(post.url) === reference.platform && isPostOf(post.url, reference.id));
  if (!post || !isIt) return { ...reference, archiveId: null, post: null };
  return { ...reference, archiveId: post._id.toHexString(), state: 'kept', post: toPreview(post) };
}

function toPreview(post: ReferredPost): Preview {
  return {
    _id: post._id.toHexString(),
    id: post.id,
    content: cutCodePoints(post.content, PREVIEW_LENGTH),
    author: post.author,
    authorUsername: post.authorUsername,
    authorAvatar: avatarOf(post),
    timestamp: post.timestamp.toISOString(),
    url: post.url,
    // A post within another post has no warning before its pictures, so sensitive ones are left out.
    media: post.sensitive ? [] : (post.media ?? []).slice(0, 1).map(toMedia),
  };
}

/** Our copy if it is kept, else the address that the picture had when the post was saved. */
export function avatarOf({
  avatarSha256,
  authorAvatar,
}: Pick<PostDocument, 'avatarSha256' | 'authorAvatar'>): string | null {
  return avatarSha256 ? mediaPreviewPath(avatarSha256) : authorAvatar;
}

function toMedia(media: NewMedia): PostMedia {
  const { type, sha256 = null, posterSha256, width, height, alt, durationMs, thumbhash } = media;
  // Most platforms deliver a GIF as a silent video with a poster.
  const pictured = posterSha256 ?? (type === 'video' ? undefined : sha256);
  return {
    type,
    url: sha256 && mediaPath(sha256),
    preview: pictured ? mediaPreviewPath(pictured) : null,
    sha256,
    width: width ?? null,
    height: height ?? null,
    alt: alt ?? null,
    durationMs: durationMs ?? null,
    thumbhash: thumbhash ?? null,
    missing: sha256 === null,
  };
}

function placeIn(threads: readonly ThreadPost[], { _id, threadRoot }: PostDocument): Post['thread'] {
  const own = threads.filter((post) => post.threadRoot === threadRoot);
  const [root] = own;
  const position = own.findIndex((post) => post._id.equals(_id)) + 1;
  return root && own.length > 1 && position > 0 ? { root: root._id.toHexString(), position, length: own.length } : null;
}
