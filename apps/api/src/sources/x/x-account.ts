import type { Account, Mention, Mentions, Reply, ReplyTo } from '../account.ts';
import { SourceRefusal, SourceTrouble } from '../source.ts';
import { compareIds, targetOf } from './addresses.ts';
import { type PostsAnswer, postsAnswer, userAnswer, type XPost } from './answers.ts';
import { readWords } from './post-text.ts';
import { PRICES } from './prices.ts';
import { timeOf } from './read-post.ts';
import { ToldPosts } from './told-posts.ts';
import { MENTIONS } from './wanted-fields.ts';
import { type XClient, XFailure } from './x-client.ts';

const PAGE = 100;
/** X returns the newest 800 mentions. */
const REACH_PAGES = 8;
/** A limit, in case the service repeats pages without end. */
const MOST_PAGES = 20;
/** X allows an account 300 reads in 15 minutes. */
const POLL_MS = 10_000;
/** After this time X certainly returns a written post. */
const UNKNOWN_MS = 60_000;
/** Replies whose time is remembered. A forgotten reply waits once more. */
const UNKNOWN_KEPT = 1_000;
/** X's text limit, less a link, which counts as 23 characters, and a blank. */
const REPLY_LENGTH = 280 - 24;

interface Own {
  id: string;
  handle: string;
}

export class XAccount implements Account {
  readonly platform = 'x';
  readonly #client: XClient;
  readonly #handle: string;
  readonly #pollMs: number;
  #own: Own | undefined;
  /** Mentions are not read before this time. */
  #restsUntil = 0;
  /** Replies that X refuses as duplicates but does not return: request key to the first refusal. */
  readonly #unknownSince = new Map<string, number>();

  /**
   * `handle` is used until X tells the account's handle. `pollMs` is the least time between two reads of the mentions.
   */
  constructor(client: XClient, { handle, pollMs = POLL_MS }: { handle: string; pollMs?: number | undefined }) {
    this.#client = client;
    this.#handle = handle;
    this.#pollMs = pollMs;
  }

  get handle(): string {
    return this.#own?.handle ?? this.#handle;
  }

  async open(signal: AbortSignal): Promise<Own> {
    if (!this.#own) {
      const answer = await this.#client.ask(
        {
          name: 'the account',
          price: PRICES.user,
          schema: userAnswer,
          send: (client, requestOptions) => client.users.getMe({ requestOptions }),
        },
        signal,
      );
      this.#own = { id: answer.data.id, handle: answer.data.username };
    }
    return this.#own;
  }

  async mentions(cursor: string | null, since: Date, signal: AbortSignal): Promise<Mentions> {
    if (Date.now() < this.#restsUntil) return { mentions: [], next: cursor, isGap: false };
    const found = await this.#readMentions(cursor, since, signal);
    this.#restsUntil = Date.now() + this.#pollMs;
    return found;
  }

  async #readMentions(cursor: string | null, since: Date, signal: AbortSignal): Promise<Mentions> {
    const own = await this.open(signal);
    const told = new ToldPosts();
    const from = cursor === null ? { startTime: `${since.toISOString().slice(0, 19)}Z` } : { sinceId: cursor };
    const found: XPost[] = [];
    let token: string | undefined;
    let pages = 0;
    do {
      // Delivering only a part would move the cursor past the mentions that were not read.
      if (pages === MOST_PAGES) throw new SourceTrouble('X tells of more mentions than can be');
      const page = { ...from, maxResults: PAGE, ...(token && { paginationToken: token }) };
      const answer = await this.#askMentions(own, page, told, signal);
      found.push(...answer.posts);
      token = answer.next;
      pages++;
    } while (token);
    found.sort((one, other) => compareIds(one.id, other.id));
    const oldest = found[0]?.id;
    return {
      mentions: found.flatMap((post) => readMention(told, post, own) ?? []),
      next: latestOf(cursor, found.at(-1)?.id ?? null),
      isGap: pages >= REACH_PAGES && oldest !== undefined && !(await this.#reachesBeyond(own, oldest, signal)),
    };
  }

  /** Whether X still returns mentions older than this one. If so, none after it is missing. */
  async #reachesBeyond(own: Own, oldest: string, signal: AbortSignal): Promise<boolean> {
    const { posts } = await this.#askMentions(own, { untilId: oldest, maxResults: 5 }, new ToldPosts(), signal);
    return posts.length > 0;
  }

  async #askMentions({ id }: Own, page: object, told: ToldPosts, signal: AbortSignal): Promise<Page> {
    const answer = await this.#client.ask(
      {
        name: 'mentions',
        price: PRICES.mentions,
        schema: postsAnswer,
        send: (client, requestOptions) => client.users.getMentions(id, { ...MENTIONS, ...page, requestOptions }),
      },
      signal,
    );
    return { posts: told.add(answer), next: nextOf(answer) };
  }

  async reply(to: ReplyTo, reply: Reply, signal: AbortSignal): Promise<string> {
    try {
      const id = await this.#replyOnce(to, reply, signal);
      this.#unknownSince.delete(reply.key);
      return id;
    } catch (error) {
      if (error instanceof SourceRefusal) this.#unknownSince.delete(reply.key);
      throw error;
    }
  }

  async #replyOnce(to: ReplyTo, { key, text, link, mayBeThere }: Reply, signal: AbortSignal): Promise<string> {
    const own = await this.open(signal);
    const earlier = mayBeThere ? await this.#findReply(own, to.address, signal) : null;
    if (earlier !== null) return earlier;
    try {
      return await this.#send(to.address, wordsOf(text, link), signal);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal) throw refusal;
      if (!(error instanceof XFailure) || !/duplicate/i.test(error.detail)) throw error;
    }
    // X refuses a duplicate: another reply has the same text, or this reply exists already.
    const same = await this.#findReply(own, to.address, signal);
    if (same !== null) return same;
    // A reply with other text could be a second one, if X merely does not return the first one yet.
    const since = this.#unknownSince.get(key) ?? Date.now();
    if (mayBeThere && Date.now() - since < UNKNOWN_MS) {
      this.#remember(key, since);
      const until = new Date(since + UNKNOWN_MS);
      throw new SourceTrouble('X has these words already, and does not tell where', { until, isUndone: true });
    }
    // The suffix makes the text unique, however many people ask for the same at one moment.
    return this.#send(to.address, wordsOf(`${text} (to ${to.address})`, link), signal);
  }

  /** Drops the oldest entry above the limit, since some replies end otherwise and are never deleted. */
  #remember(key: string, since: number): void {
    this.#unknownSince.set(key, since);
    const [oldest] = this.#unknownSince.keys();
    if (oldest !== undefined && this.#unknownSince.size > UNKNOWN_KEPT) this.#unknownSince.delete(oldest);
  }

  /** Sends a reply. If the outcome is unknown, the next attempt waits until X returns what was written. */
  async #send(to: string, words: string, signal: AbortSignal): Promise<string> {
    try {
      return await this.#client.reply(to, words, signal);
    } catch (error) {
      if (!(error instanceof SourceTrouble) || error.isUndone) throw error;
      const until = new Date(Math.max(Date.now() + UNKNOWN_MS, error.until?.getTime() ?? 0));
      throw new SourceTrouble(error.message, { cause: error, until });
    }
  }

  async #findReply({ id }: Own, to: string, signal: AbortSignal): Promise<string | null> {
    const told = new ToldPosts();
    let token: string | undefined;
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const options = {
        sinceId: to,
        maxResults: PAGE,
        expansions: ['referenced_posts' as const],
        ...(token && { paginationToken: token }),
      };
      const answer = await this.#client.ask(
        {
          name: 'own posts',
          price: PRICES.posts,
          schema: postsAnswer,
          send: (client, requestOptions) => client.users.getPosts(id, { ...options, requestOptions }),
        },
        signal,
      );
      const found = told.add(answer).find(({ parent }) => parent === to);
      if (found) return found.id;
      token = nextOf(answer);
      if (!token) return null;
    }
    // The reply could still be among the posts that were not read.
    throw new SourceTrouble('X tells of more posts of our own than can be', { isUndone: true });
  }
}

interface Page {
  posts: XPost[];
  next: string | undefined;
}

function nextOf({ meta }: PostsAnswer): string | undefined {
  return meta?.next_token;
}

function latestOf(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return compareIds(one, other) > 0 ? one : other;
}

/** Reads a post that names the agent. Null for the agent's own posts and for reposts. */
function readMention(told: ToldPosts, post: XPost, own: Own): Mention | null {
  const { id, author_id, quoted, parent, reposted, in_reply_to_user_id } = post;
  if (author_id === undefined || author_id === own.id || reposted !== null) return null;
  const handle = told.authorOf(post)?.username;
  const named = quoted ?? parent;
  const told_author = named === null ? undefined : told.part(named)?.author_id;
  return {
    address: id,
    url: targetOf(id, handle).url,
    at: timeOf(post),
    author: { id: author_id, handle: handle ?? author_id },
    ...readWords(post, own),
    target: named === null ? null : targetOf(named),
    targetAuthorId: told_author ?? (quoted === null ? in_reply_to_user_id : undefined) ?? null,
  };
}

/** Shortens the text to the limit and removes `$` signs that X would take for tickers. */
function wordsOf(text: string, link: string | null): string {
  const plain = Array.from(text.replace(/\$(?=[A-Za-z])/g, ''))
    .slice(0, REPLY_LENGTH)
    .join('');
  return link ? `${plain} ${link}` : plain;
}

/** The refusal if the asker's post is gone or allows no replies; else null. */
function refusalOf(error: unknown): SourceRefusal | null {
  if (!(error instanceof XFailure) || error.status !== 403) return null;
  if (/deleted|not visible/i.test(error.detail)) return new SourceRefusal('deleted');
  return /can only reply|reply to this conversation|not allowed to reply/i.test(error.detail)
    ? new SourceRefusal('protected')
    : null;
}
