import { type AnswerOf, type Collection, mediaPreviewPath, type Post } from '@archive/contracts';
import { ObjectId } from 'mongodb';
import { AppError } from '../app-error.ts';
import { answerPosts, type ReactionCounter } from '../posts/answer-posts.ts';
import { isObjectId, type PostDocument } from '../posts/post-document.ts';
import type { Posts } from '../posts/posts.ts';
import type { CollectionDocument } from './collection-store.ts';
import type { Collections } from './collections.ts';

export interface CollectionNeeds {
  posts: Pick<Posts, 'store'>;
  reactions: ReactionCounter;
  collections: Collections;
}

type DescribeNeeds = Pick<CollectionNeeds, 'posts' | 'collections'>;

const COVER_POSTS = 12;
const COVER_PICTURES = 3;
const READ_AT_ONCE = 100;

/**
 * A collection that the wallet may read. @throws AppError not_found, also for a private collection of another wallet
 */
export async function findReadable(
  { collections }: Pick<CollectionNeeds, 'collections'>,
  text: string,
  wallet: string | null,
): Promise<CollectionDocument> {
  const found = isObjectId(text) ? await collections.store.find(new ObjectId(text)) : null;
  if (!found || (!found.isPublic && found.wallet !== wallet)) throw noSuchCollection();
  return found;
}

export async function findOwn(
  { collections }: Pick<CollectionNeeds, 'collections'>,
  text: string,
  wallet: string,
): Promise<CollectionDocument> {
  const found = await findReadable({ collections }, text, wallet);
  if (found.wallet !== wallet) throw noSuchCollection();
  return found;
}

export function noSuchCollection(): AppError {
  return new AppError('not_found', 'There is no such collection, or it is not open to you.');
}

/** One page of a collection, latest first, as the wallet sees it. */
export async function showCollection(
  context: CollectionNeeds,
  found: CollectionDocument,
  { page, limit, wallet }: { page: number; limit: number; wallet: string | null },
): Promise<AnswerOf<'getCollection'>> {
  const collection = await describeCollection(context, found, wallet);
  const ids = await context.collections.store.posts(found._id, { skip: (page - 1) * limit, limit });
  const data = await answerPosts(context, await context.posts.store.findInOrder(ids.map(({ id }) => id)));
  const { posts: total } = collection;
  return { collection, data, pagination: { page, limit, total, pages: Math.ceil(total / limit) } };
}

export async function describeCollection(
  context: DescribeNeeds,
  collection: CollectionDocument,
  wallet: string | null,
): Promise<Collection> {
  const [described] = await describeCollections(context, [collection], wallet);
  return described as Collection;
}

/** The number of database queries does not grow with the number of collections. */
export async function describeCollections(
  { posts, collections }: DescribeNeeds,
  found: readonly CollectionDocument[],
  wallet: string | null,
): Promise<Collection[]> {
  const summaries = await collections.store.summaries(
    found.map(({ _id }) => _id),
    COVER_POSTS,
  );
  const latest = [...summaries.values()].flatMap((summary) => summary.latest);
  const covers = await posts.store.findInOrder(
    latest.map(({ id }) => id),
    { fields: 'cover' },
  );
  const pictures = new Map(covers.map((post) => [post._id.toHexString(), pictureOf(post)]));
  return found.map(({ _id, wallet: owner, name, isPublic, createdAt, changedAt }) => {
    const summary = summaries.get(_id.toHexString());
    const cover = summary?.latest.flatMap((post) => pictures.get(post.toHexString()) ?? []) ?? [];
    return {
      _id: _id.toHexString(),
      name,
      isPublic,
      isOwn: owner === wallet,
      posts: summary?.posts ?? 0,
      cover: cover.slice(0, COVER_PICTURES).map(mediaPreviewPath),
      createdAt: createdAt.toISOString(),
      changedAt: changedAt.toISOString(),
    };
  });
}

function pictureOf({ sensitive, media = [] }: Pick<PostDocument, 'sensitive' | 'media'>): string | undefined {
  const [first] = sensitive ? [] : media;
  return first?.posterSha256 ?? (first?.type === 'video' ? undefined : first?.sha256);
}

/** All posts of a collection, in chunks. */
export async function* readCollection(context: CollectionNeeds, { _id }: CollectionDocument): AsyncGenerator<Post[]> {
  const ids = await context.collections.store.posts(_id);
  for (let at = 0; at < ids.length; at += READ_AT_ONCE) {
    const oids = ids.slice(at, at + READ_AT_ONCE).map(({ id }) => id);
    yield answerPosts(context, await context.posts.store.findInOrder(oids, { batch: true }), { batch: true });
  }
}
