import type { Post, Reference } from '@archive/contracts';
import type { Base } from '../base.ts';

type Settings = Pick<Base['config'], 'sources'>;

/**
 * Whether of this post its ids alone leave the archive in bulk or for others to show: with `X_EXPORT=ids`, what came
 * through X's API. The archive's own pages show it.
 */
export function isHeldBack({ capture }: Pick<Post, 'capture'>, { sources }: Settings): boolean {
  return sources.x.exports === 'ids' && capture.method === 'x-api';
}

/** A post as it may be given: whole, or as much as its ids tell. What of it stands in others follows. */
export function given(post: Post, config: Settings): Post {
  if (config.sources.x.exports !== 'ids') return post;
  if (isHeldBack(post, config)) return withoutWords(post);
  return { ...post, replyTo: named(post.replyTo), quoted: named(post.quoted) };
}

/** The same of chunks of posts. */
export async function* givenOnly(chunks: AsyncIterable<Post[]>, config: Settings): AsyncGenerator<Post[]> {
  for await (const posts of chunks) yield posts.map((post) => given(post, config));
}

/** Whatever a shape asks for besides ids and times is empty. */
function withoutWords(post: Post): Post {
  return {
    ...post,
    content: '',
    author: '',
    authorUsername: '',
    authorAvatar: null,
    authorId: null,
    language: null,
    url: xAddress(post.id),
    metadata: {},
    links: [],
    media: [],
    replyTo: null,
    quoted: null,
    versions: [],
  };
}

/** How a post within another one came is not known there: none of X is given. */
function named(reference: Reference | null): Reference | null {
  return reference?.platform === 'x' ? { ...reference, url: xAddress(reference.id), post: null } : reference;
}

/** Tells the id alone, and not whose it is. */
function xAddress(id: string): string {
  return `https://x.com/i/web/status/${id}`;
}
