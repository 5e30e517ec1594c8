import { THREAD_LENGTH } from '@archive/contracts';
import {
  type Fetched,
  type FetchedPost,
  type FetchOptions,
  type Look,
  type Source,
  SourceRefusal,
  SourceTrouble,
  type Target,
} from '../source.ts';
import { LOOKS, ShareSpent } from '../spending.ts';
import { compareIds, targetOfLink } from './addresses.ts';
import { postsAnswer, type XPost } from './answers.ts';
import { readText } from './post-text.ts';
import { PRICES } from './prices.ts';
import { readPost, refusalOf, timeOf } from './read-post.ts';
import { type Problem, ToldPosts } from './told-posts.ts';
import { WHOLE_POSTS } from './wanted-fields.ts';
import { type XClient, XFailure } from './x-client.ts';

/** X returns at most this many posts in one lookup. */
const AT_ONCE = 100;
/** Pages of a conversation that are read; further posts of the author are missing. */
const MOST_PAGES = 2;

const REFUSALS = { deleted: 'not_found', protected: 'protected', withheld: 'withheld' } as const satisfies Record<
  Problem,
  string
>;

/** Reads X through our account, post by post. */
export class XSource implements Source {
  readonly platform = 'x';
  readonly #client: XClient;
  readonly #maxVideoBytes: number;

  constructor(client: XClient, { maxVideoBytes }: { maxVideoBytes: number }) {
    this.#client = client;
    this.#maxVideoBytes = maxVideoBytes;
  }

  resolve(link: string): Promise<Target | null> {
    return Promise.resolve(targetOfLink(link));
  }

  async fetch({ address }: Target, { thread, payer }: FetchOptions, signal: AbortSignal): Promise<Fetched> {
    const told = new ToldPosts();
    await this.#lookUp(told, [address], signal, payer);
    const asked = told.posts.get(address);
    if (!asked) throw missing(told, address);
    const refusal = refusalOf(told, asked);
    if (refusal) throw new SourceRefusal(refusal);
    // Posts that the payer's share does not cover are left out.
    if (thread) await withinShare(this.#search(told, asked, signal, payer));
    const own = [asked, ...(await this.#readParents(told, asked, signal, payer))];
    if (thread) own.push(...followersOf(told, own, THREAD_LENGTH - own.length));
    // Posts that came only as references lack their media and the rest of a long text.
    const quoted = [...new Set(own.flatMap((post) => post.quoted ?? []))].filter((id) => !told.posts.has(id));
    const earlier = own.flatMap((post) => earlierOf(post));
    await withinShare(this.#lookUp(told, [...quoted, ...earlier].slice(0, AT_ONCE), signal, payer));
    const root = own.length > 1 ? own.toSorted((one, other) => compareIds(one.id, other.id))[0] : undefined;
    const whole = own.map((post): FetchedPost => {
      const fetched = { ...this.#read(told, post), ...versionsOf(told, post) };
      return root ? { ...fetched, threadRoot: { id: root.id } } : fetched;
    });
    const others = quoted.flatMap((id): FetchedPost[] => {
      const post = told.posts.get(id);
      return post && told.authorOf(post) && refusalOf(told, post) === null ? [this.#read(told, post)] : [];
    });
    return { asked: whole[0] as FetchedPost, others: [...whole.slice(1), ...others] };
  }

  async look(targets: readonly Target[], signal: AbortSignal): Promise<Map<string, Look>> {
    const told = new ToldPosts();
    const ids = targets.map(({ address }) => address);
    await this.#lookUp(told, ids, signal, LOOKS);
    const latest = ids.flatMap((id) => newerOf(told.posts.get(id)) ?? []);
    await this.#lookUp(told, latest, signal, LOOKS);
    return new Map(targets.flatMap((target) => this.#judge(told, target)));
  }

  #judge(told: ToldPosts, target: Target): [string, Look][] {
    const { id, address } = target;
    const post = told.posts.get(address);
    if (!post) {
      const problem = told.problemOf(address);
      return problem ? [[id, { state: problem === 'deleted' ? 'deleted' : 'protected' }]] : [];
    }
    const refusal = refusalOf(told, post);
    // A post withheld in some country was not taken away by its author.
    if (refusal === 'protected' || (refusal && post.withheld?.copyright)) return [[id, { state: 'protected' }]];
    const newer = told.posts.get(newerOf(post) ?? '');
    if (!newer) return [[id, { state: 'live' }]];
    const { post: fields, ...fetched } = this.#read(told, newer);
    // Each version has an id of its own on X; here all versions are one post.
    const { url } = this.#read(told, post).post;
    return [[id, { state: 'edited', post: { ...fetched, target, post: { ...fields, id, url } } }]];
  }

  #read(told: ToldPosts, post: XPost): FetchedPost {
    return readPost(told, post, this.#maxVideoBytes);
  }

  /** Looks posts up by id; X may return fewer. */
  async #lookUp(told: ToldPosts, ids: readonly string[], signal: AbortSignal, payer?: string): Promise<void> {
    if (ids.length === 0) return;
    const answer = await this.#client.ask(
      {
        name: 'posts',
        price: PRICES.posts,
        most: ids.length,
        schema: postsAnswer,
        send: (client, requestOptions) => client.posts.getByIds([...ids], { ...WHOLE_POSTS, requestOptions }),
      },
      signal,
      payer,
    );
    told.add(answer);
  }

  /** The author's own posts before this one, the nearest first. */
  async #readParents(told: ToldPosts, asked: XPost, signal: AbortSignal, payer?: string): Promise<XPost[]> {
    const parents: XPost[] = [];
    const seen = new Set([asked.id]);
    for (let at = asked; parents.length < THREAD_LENGTH - 1; ) {
      const id = told.ownParent(at);
      // `seen` ends a cycle.
      if (id === null || seen.has(id)) break;
      seen.add(id);
      if (!told.posts.has(id)) await withinShare(this.#lookUp(told, knownParents(told, at), signal, payer));
      const parent = told.posts.get(id);
      if (!parent || parent.author_id !== asked.author_id || refusalOf(told, parent)) break;
      parents.push(parent);
      at = parent;
    }
    return parents;
  }

  /** Searches the author's posts in this conversation during the last seven days. */
  async #search(
    told: ToldPosts,
    { conversation_id, author_id }: XPost,
    signal: AbortSignal,
    payer?: string,
  ): Promise<void> {
    if (conversation_id === undefined || author_id === undefined) return;
    let token: string | undefined;
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const options = { ...WHOLE_POSTS, maxResults: AT_ONCE, ...(token && { nextToken: token }) };
      const query = `conversation_id:${conversation_id} from:${author_id}`;
      try {
        const answer = await this.#client.ask(
          {
            name: 'search',
            price: PRICES.posts,
            schema: postsAnswer,
            send: (client, requestOptions) => client.posts.searchRecent(query, { ...options, requestOptions }),
          },
          signal,
          payer,
        );
        told.add(answer);
        token = answer.meta?.next_token;
      } catch (error) {
        // Not every account may search. The posts before this one are found without it.
        if (error instanceof XFailure && error.status === 403) return;
        throw error;
      }
      if (!token) return;
    }
  }
}

/** Stops without an error once the payer's share is spent; posts read so far stay. */
async function withinShare(reading: Promise<void>): Promise<void> {
  await reading.catch((error: unknown) => {
    if (!(error instanceof ShareSpent)) throw error;
  });
}

function missing(told: ToldPosts, id: string): Error {
  const problem = told.problemOf(id);
  return problem ? new SourceRefusal(REFUSALS[problem]) : new SourceTrouble(`X tells nothing of the post ${id}`);
}

/** Ids of the known chain of parents. X also tells which post a referenced parent answers. */
function knownParents(told: ToldPosts, from: XPost): string[] {
  const ids: string[] = [];
  for (let at: XPost | undefined = from; at && ids.length < AT_ONCE; ) {
    const id: string | null = told.ownParent(at);
    if (id === null || ids.includes(id) || told.posts.has(id)) break;
    ids.push(id);
    at = told.part(id);
  }
  return ids;
}

/** The author's posts that continue the first of these posts, in the order of time, without the other given posts. */
function followersOf(told: ToldPosts, [asked, ...others]: readonly XPost[], limit: number): XPost[] {
  const reached = new Set([asked?.id]);
  const taken = new Set(others.map(({ id }) => id));
  const found: XPost[] = [];
  const later = [...told.posts.values()].sort((one, other) => compareIds(one.id, other.id));
  for (const post of later) {
    const parent = post.author_id === asked?.author_id ? told.ownParent(post) : null;
    if (found.length >= limit || parent === null || !reached.has(parent)) continue;
    if (reached.has(post.id) || taken.has(post.id) || refusalOf(told, post)) continue;
    reached.add(post.id);
    found.push(post);
  }
  return found;
}

function earlierOf({ id, history }: XPost): string[] {
  return history.slice(0, Math.max(0, history.indexOf(id)));
}

/** The id of the newest version, if it is not this one. */
function newerOf(post: XPost | undefined): string | null {
  const latest = post?.history.at(-1);
  return latest === undefined || latest === post?.id ? null : latest;
}

function versionsOf(told: ToldPosts, post: XPost): Pick<FetchedPost, 'versions'> {
  const versions = earlierOf(post).flatMap((id) => {
    const earlier = told.posts.get(id);
    return earlier ? [{ at: timeOf(earlier), content: readText(earlier).content }] : [];
  });
  return versions.length > 0 ? { versions } : {};
}
