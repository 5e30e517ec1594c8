import type { Post, Reference } from '@archive/contracts';
import type { Base } from '../base.ts';

type Settings = Pick<Base['config'], 'sources'>;

/**
 * Whether exports, feeds and embeds may contain only the ids of this post. With `X_EXPORT=ids` that holds for posts
 * that came through X's API. The archive's own pages show them.
 */
export function isHeldBack({ capture }: Pick<Post, 'capture'>, { sources }: Settings): boolean {
  return sources.x.exports === 'ids' && capture.method === 'x-api';
}

/** The post as it may leave the archive: whole, or reduced to its ids. The posts within it are reduced too. */
export function given(post: Post, config: Settings): Post {
  if (config.sources.x.exports !== 'ids') return post;
  if (isHeldBack(post, config)) return withoutWords(post);
  return { ...post, replyTo: named(post.replyTo), quoted: named(post.quoted) };
}

/** `given` for chunks of posts. */
export async function* givenOnly(chunks: AsyncIterable<Post[]>, config: Settings): AsyncGenerator<Post[]> {
  for await (const posts of chunks) yield posts.map((post) => given(post, config));
}

/** Empties all fields but ids and times; the shape stays the same. */
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

/** A referenced post does not say how it was captured, so every one on X is reduced. */
function named(reference: Reference | null): Reference | null {
  return reference?.platform === 'x' ? { ...reference, url: xAddress(reference.id), post: null } : reference;
}

/** An address with the post id alone, without the author's handle. */
function xAddress(id: string): string {
  return `https://x.com/i/web/status/${id}`;
}
