import { type Composed, composeText } from './compose-text.ts';

export interface Account {
  id: string;
  username: string;
  name: string;
  picture: string;
  isProtected: boolean;
  isSuspended: boolean;
}

export interface Media {
  key: string;
  type: 'photo' | 'video' | 'animated_gif';
  url?: string;
  preview?: string;
  alt?: string;
  width: number;
  height: number;
  durationMs?: number;
  variants?: { bit_rate?: number; content_type: string; url: string }[];
}
export type MediaOptions = Partial<Omit<Media, 'key'>> & Pick<Media, 'type'>;

export interface Post extends Composed {
  id: string;
  author: Account;
  at: Date;
  conversationId: string;
  parent: Post | null;
  quoted: Post | null;
  reposted: Post | null;
  media: Media[];
  language: string;
  isSensitive: boolean;
  withheld: { copyright: boolean; country_codes: string[]; scope?: 'post' | 'user' } | null;
  /** Ids of all its versions, oldest first; the same list for each of them. */
  history: string[];
  isDeleted: boolean;
  /** The text as its author typed it. */
  typed: string;
  /** Ids of the accounts that it mentions, including those inherited from the post that it answers. */
  named: Set<string>;
}

export interface PostOptions {
  replyTo?: Post;
  quotes?: Post;
  reposts?: Post;
  media?: Media[];
  at?: Date;
  language?: string;
  isSensitive?: boolean;
  withheld?: Post['withheld'];
  /** Titles of pages, by their address. */
  titles?: Record<string, string>;
}

/** Epoch of X's ids, in milliseconds since 1970: ids begin with the time since then. */
const EPOCH = 1_288_834_974_657n;

/** The accounts and posts of this small X, and the acts of its accounts. */
export class Network {
  readonly accounts = new Map<string, Account>();
  readonly posts = new Map<string, Post>();
  readonly #now: () => Date;
  #serial = 0n;
  #latest = 0n;

  constructor(now: () => Date) {
    this.#now = now;
  }

  now(): Date {
    return this.#now();
  }

  account(username: string, options: Partial<Omit<Account, 'id' | 'username'>> = {}): Account {
    const id = String(1_000_000 + this.accounts.size);
    const picture = `https://pbs.twimg.com/profile_images/${id}/me_normal.jpg`;
    const account = { id, username, name: username, picture, isProtected: false, isSuspended: false, ...options };
    this.accounts.set(id, account);
    return account;
  }

  media(options: MediaOptions): Media {
    const key = `${{ photo: 3, video: 7, animated_gif: 16 }[options.type]}_${this.#idAt(this.now())}`;
    const url = options.type === 'photo' ? { url: `https://pbs.twimg.com/media/${key}.jpg` } : {};
    return { key, width: 1_200, height: 800, ...url, ...options };
  }

  /** Writes a post as X's own page does: a reply inherits the mentions of the post that it answers. */
  post(author: Account, words: string, options: PostOptions = {}): Post {
    const { replyTo = null, quotes = null, reposts = null, media = [], at = this.now() } = options;
    const id = this.#idAt(at);
    const inherited = replyTo ? this.#inheritedBy(author, replyTo) : [];
    const composed = composeText({
      inherited,
      words: reposts ? `RT @${reposts.author.username}: ${words || reposts.text}` : words,
      quoted: quotes && linkTo(quotes),
      media: media.map(({ key, type }) => ({
        key,
        url: `${linkTo({ id, author })}/${type === 'photo' ? 'photo' : 'video'}/1`,
      })),
      titles: options.titles ?? {},
      self: linkTo({ id, author }),
      accountOf: (username) => this.accountNamed(username),
    });
    const post: Post = {
      ...composed,
      id,
      author,
      at,
      conversationId: replyTo?.conversationId ?? id,
      parent: replyTo,
      quoted: quotes,
      reposted: reposts,
      media,
      language: options.language ?? 'en',
      isSensitive: options.isSensitive ?? false,
      withheld: options.withheld ?? null,
      history: [id],
      isDeleted: false,
      typed: words,
      named: new Set((composed.note ?? composed).entities.mentions.flatMap(({ id: named }) => named ?? [])),
    };
    this.posts.set(id, post);
    return post;
  }

  /** Makes another version of a post, with its own id. */
  edit(post: Post, words: string, at = this.now()): Post {
    const { author, parent, quoted, media, conversationId, history } = post;
    const edited = this.post(author, words, {
      ...(parent && { replyTo: parent }),
      ...(quoted && { quotes: quoted }),
      media,
      at,
    });
    history.push(edited.id);
    return Object.assign(edited, { conversationId, history });
  }

  /** Deletes a post with all its versions. */
  delete({ history }: Post): void {
    for (const id of history) Object.assign(this.posts.get(id) as Post, { isDeleted: true });
  }

  accountNamed(username: string): Account | undefined {
    return [...this.accounts.values()].find((one) => one.username.toLowerCase() === username.toLowerCase());
  }

  /** Newest first. */
  newest(wanted: (post: Post) => boolean): Post[] {
    const found = [...this.posts.values()].filter((post) => !post.isDeleted && wanted(post));
    return found.sort((one, other) => (BigInt(one.id) < BigInt(other.id) ? 1 : -1));
  }

  #inheritedBy(author: Account, { author: answered, named }: Post): Account[] {
    const others = [...named].flatMap((id) => this.accounts.get(id) ?? []);
    return [...new Set([answered, ...others])].filter((one) => one !== author);
  }

  #idAt(at: Date): string {
    this.#serial++;
    const wanted = ((BigInt(at.getTime()) - EPOCH) << 22n) | (this.#serial & 0xfffn);
    // Among posts of one millisecond, the later one has the higher id.
    const id = wanted > this.#latest || wanted < this.#latest - (60_000n << 22n) ? wanted : this.#latest + 1n;
    if (id > this.#latest) this.#latest = id;
    return String(id);
  }
}

export function linkTo({ id, author }: Pick<Post, 'id' | 'author'>): string {
  return `https://x.com/${author.username}/status/${id}`;
}
