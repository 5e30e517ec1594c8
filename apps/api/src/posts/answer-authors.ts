import type { TopAuthor } from '@archive/contracts';
import type { AuthorCount } from '@archive/search';
import { avatarOf } from './answer-posts.ts';
import type { PostDocument } from './post-document.ts';
import type { PostStore } from './post-store.ts';

/** The authors in their order, each with a post count and with the name, handle and picture of the newest post. */
export async function answerAuthors(
  store: Pick<PostStore, 'findInOrder'>,
  authors: readonly AuthorCount[],
): Promise<TopAuthor[]> {
  const newest = byOid(await store.findInOrder(authors.map((author) => author.newest)));
  return authors.map((author) => answerAuthor(author, newest.get(hex(author.newest))));
}

export function answerAuthor({ handle, posts }: AuthorCount, newest: PostDocument | undefined): TopAuthor {
  return {
    author: newest?.author ?? handle,
    username: newest?.authorUsername ?? handle,
    avatar: newest ? avatarOf(newest) : null,
    count: posts,
  };
}

export function byOid(posts: readonly PostDocument[]): Map<string, PostDocument> {
  return new Map(posts.map((post) => [post._id.toHexString(), post]));
}

export function hex(oid: Uint8Array): string {
  return Buffer.from(oid).toString('hex');
}
