import { type PostsAnswer, post, postsAnswer, type XPost } from './answers.ts';

/** What X returned about a post, its author and its media; `value` is the post as it arrived. */
export function ownPart(
  { author_id, attachments }: XPost,
  value: unknown,
  { users, media }: PostsAnswer['includes'],
): Uint8Array {
  const isAuthor = (one: unknown) => (one as { id?: unknown } | null)?.id === author_id;
  const keys = new Set<unknown>(attachments.media_keys);
  const isOwn = (one: unknown) => keys.has((one as { media_key?: unknown } | null)?.media_key);
  const includes = { users: users.filter(isAuthor), media: media.filter(isOwn) };
  return Buffer.from(JSON.stringify({ data: value, includes }));
}

/** The own part of the post with this id, wherever it is in an answer; null if the answer does not contain it. */
export function findOwnPart(answer: unknown, id: string): Uint8Array | null {
  const { data = null, ...rest } = (answer ?? {}) as { data?: unknown };
  const read = postsAnswer.safeParse({ ...rest, data: [data].flat() }).data;
  for (const value of read?.data ?? []) {
    const found = post.safeParse(value).data;
    if (read && found?.id === id) return ownPart(found, value, read.includes);
  }
  return null;
}
