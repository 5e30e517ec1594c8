import { media, type PostsAnswer, post, user, type XMedia, type XPost, type XUser } from './answers.ts';
import { ownPart } from './own-part.ts';

export type Problem = 'deleted' | 'protected' | 'withheld';

const PROBLEMS: readonly (readonly [RegExp, Problem])[] = [
  [/resource-not-found$/, 'deleted'],
  [/not-authorized-for-resource$/, 'protected'],
  // Suspended accounts, and posts that X withholds.
  [/(resource-unavailable|disallowed-resource)$/, 'withheld'],
];

/** Collects posts from several answers of X. */
export class ToldPosts {
  readonly posts = new Map<string, XPost>();
  /** Posts that other posts refer to. They come without media, and long posts only with their beginning. */
  readonly #included = new Map<string, XPost>();
  readonly #users = new Map<string, XUser>();
  readonly #media = new Map<string, XMedia>();
  readonly #problems = new Map<string, Problem>();
  readonly #bytes = new Map<string, () => Uint8Array>();

  /** Adds an answer. Returns its new posts, in its order. */
  add({ data = [], includes, errors }: PostsAnswer): XPost[] {
    const told: XPost[] = [];
    for (const value of data) {
      const parsed = post.safeParse(value);
      if (!parsed.success || this.posts.has(parsed.data.id)) continue;
      told.push(parsed.data);
      this.posts.set(parsed.data.id, parsed.data);
      this.#bytes.set(parsed.data.id, () => ownPart(parsed.data, value, includes));
    }
    for (const one of [...includes.posts, ...includes.tweets]) this.#included.set(one.id, one);
    for (const value of includes.users) keep(this.#users, user.safeParse(value).data, ({ id }) => id);
    for (const value of includes.media) keep(this.#media, media.safeParse(value).data, ({ media_key }) => media_key);
    for (const { type, resource_id, value } of errors) {
      const named = resource_id ?? value;
      const problem = PROBLEMS.find(([pattern]) => pattern.test(type))?.[1];
      if (named !== undefined && problem) this.#problems.set(named, problem);
    }
    return told;
  }

  /** The known fields of a post, also if it came only as a reference of another post. */
  part(id: string): XPost | undefined {
    return this.posts.get(id) ?? this.#included.get(id);
  }

  authorOf(post: XPost | undefined): XUser | undefined {
    return post?.author_id === undefined ? undefined : this.#users.get(post.author_id);
  }

  mediaOf({ attachments }: XPost): XMedia[] {
    return attachments.media_keys.flatMap((key) => this.#media.get(key) ?? []);
  }

  problemOf(id: string): Problem | undefined {
    return this.#problems.get(id);
  }

  /** The part of X's answer about this post. */
  bytesOf({ id }: XPost): Uint8Array {
    return this.#bytes.get(id)?.() ?? new Uint8Array();
  }

  /** The author's own post that this one answers; null if it answers another author's post or no post. */
  ownParent({ parent, author_id, in_reply_to_user_id }: XPost): string | null {
    if (parent === null || author_id === undefined) return null;
    return (in_reply_to_user_id ?? this.part(parent)?.author_id) === author_id ? parent : null;
  }
}

function keep<T>(map: Map<string, T>, value: T | undefined, keyOf: (value: T) => string): void {
  if (value !== undefined) map.set(keyOf(value), value);
}
