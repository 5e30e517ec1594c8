import {
  cutCodePoints,
  isPostOf,
  NO_REACTIONS,
  type Post,
  PREVIEW_LENGTH,
  type Preview,
  platformOf,
  type ReactionCounts,
  type Reference,
} from '@archive/contracts';
import { type NewReference, readLanguage } from '@archive/contracts/schemas';
import type { ObjectId } from 'mongodb';
import type { PostDocument } from './post-document.ts';
import type { PostStore, ReferredPost } from './post-store.ts';

/** What posts show of reactions, which a feature above counts. */
export interface ReactionCounter {
  store: { countOf(posts: readonly ObjectId[]): Promise<ReadonlyMap<string, ReactionCounts>> };
}

interface Needs {
  posts: { store: Pick<PostStore, 'findReferred'> };
  reactions: ReactionCounter;
}

interface Options {
  /** Counted already, or on the way. */
  counts?: Promise<ReadonlyMap<string, ReactionCounts>>;
  /** Nobody waits for each of them. */
  batch?: boolean;
}

/** Posts as they are answered, with their reactions and what is kept of the posts they answer or quote. */
export async function answerPosts(
  { posts, reactions }: Needs,
  documents: readonly PostDocument[],
  { counts = reactions.store.countOf(documents.map(({ _id }) => _id)), batch = false }: Options = {},
): Promise<Post[]> {
  const referred = documents.flatMap(({ replyTo, quoted }) => [replyTo, quoted].flatMap((post) => post?.id ?? []));
  const [counted, kept] = await Promise.all([
    counts,
    referred.length > 0 ? posts.store.findReferred(referred, { batch }) : undefined,
  ]);
  return documents.map((post) => toPost(post, counted, kept));
}

/** One of them; `counts` holds the reactions of posts that have any, `kept` the posts referred to, by platform id. */
export function toPost(
  post: PostDocument,
  counts?: ReadonlyMap<string, ReactionCounts>,
  kept?: ReadonlyMap<string, ReferredPost>,
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
    authorAvatar: post.authorAvatar,
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
    language: post.language ?? readLanguage(post.metadata['language']),
    links: post.links ?? [],
    sensitive: post.sensitive ?? false,
    replyTo: refer(post.replyTo),
    quoted: refer(post.quoted),
    savedAt: (post.savedAt ?? post.createdAt).toISOString(),
    savedBy: post.origin?.savedBy ?? { via },
    capture: post.origin?.capture ?? { method: via, complete: true, signed: false },
  };
}

/** A post that bears the id stands for the reference only where its own address says so too. */
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
    authorAvatar: post.authorAvatar,
    timestamp: post.timestamp.toISOString(),
    url: post.url,
  };
}
