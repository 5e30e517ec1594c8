import { THREAD_LENGTH } from '@archive/contracts';
import type { Client } from '@atcute/client';
import type { Logger } from 'pino';
import {
  type BlobAddress,
  type Fetched,
  type FetchedPost,
  type Look,
  type Source,
  SourceRefusal,
  type Target,
} from '../source.ts';
import { isDid, readPostLink, targetAt, targetOf } from './addresses.ts';
import { ownParent, readPost, refusalOf } from './read-post.ts';
import { checkSignedRecord, type Identity, readIdentity } from './signed-record.ts';
import { addressOnly, handleAnswer, type PostView, postsAnswer, postView, threadAnswer, threadNode } from './views.ts';
import { ask, publicClient, reach } from './xrpc.ts';

/** How long an unknown handle is not looked up again. */
const UNKNOWN_MS = 5 * 60_000;
const UNKNOWN_KEPT = 10_000;
const RECORD_BYTES = 1_000_000;
const SERVER_CALLS = 4;
/**
 * Time limit for authors' servers when a post seems deleted. A server that does not answer in time is asked at the next
 * look.
 */
const GONE_MS = 7_000;

interface Shown {
  view: PostView;
  fetched: FetchedPost;
}

export interface BlueskyNeeds {
  /** Base address of the AppView, read without an account. */
  appView: string;
  /** Base address of the DID directory. */
  directory: string;
  log: Pick<Logger, 'warn'>;
  /** Reads from any public host over https, with limits. */
  download: (url: string, options: { maxBytes: number; signal: AbortSignal }) => Promise<Uint8Array>;
}

/** Reads Bluesky's public data: posts from the AppView, and signed records from the authors' own servers. */
export class BlueskySource implements Source {
  readonly platform = 'bluesky';
  readonly #needs: BlueskyNeeds;
  readonly #client: Client;
  /** Unknown handles, and until when each counts as unknown. */
  readonly #unknown = new Map<string, number>();
  readonly #now: () => number;

  /** `now` is a monotonic clock in milliseconds. */
  constructor(needs: BlueskyNeeds, now = () => performance.now()) {
    this.#needs = needs;
    this.#client = publicClient(needs.appView);
    this.#now = now;
  }

  async resolve(link: string, signal: AbortSignal): Promise<Target | null> {
    const named = readPostLink(link);
    if (!named) return null;
    if (isDid(named.authority)) return targetOf(named.authority, named.key);
    const did = await this.#didOf(named.authority.toLowerCase(), signal);
    if (!isDid(did)) throw new SourceRefusal('not_a_post');
    return targetOf(did, named.key);
  }

  async #didOf(handle: string, signal: AbortSignal): Promise<string> {
    if ((this.#unknown.get(handle) ?? 0) > this.#now()) throw new SourceRefusal('not_found');
    try {
      return (await ask(this.#client, 'com.atproto.identity.resolveHandle', { handle }, handleAnswer, signal)).did;
    } catch (error) {
      if (error instanceof SourceRefusal) {
        if (this.#unknown.size >= UNKNOWN_KEPT) this.#unknown.clear();
        this.#unknown.set(handle, this.#now() + UNKNOWN_MS);
      }
      throw error;
    }
  }

  async fetch(target: Target, { thread }: { thread: boolean }, signal: AbortSignal): Promise<Fetched> {
    const params = { uri: target.address, depth: thread ? THREAD_LENGTH : 0, parentHeight: THREAD_LENGTH };
    const data = await ask(this.#client, 'app.bsky.feed.getPostThread', params, threadAnswer, signal);
    const views = this.#readThread(data.thread, target, thread);
    const [asked, ...own] = views as [PostView, ...PostView[]];
    const refusal = refusalOf(asked);
    if (refusal) throw new SourceRefusal(refusal);
    // The first post of the thread is the only one whose parent is not among the posts.
    const uris = new Set(views.map(({ uri }) => uri));
    const root = own.length > 0 ? views.find((view) => !uris.has(ownParent(view) ?? '')) : undefined;
    const posts = views.flatMap((view): Shown[] => {
      if (refusalOf(view) !== null) return [];
      const fetched = readPost(view);
      return [{ view, fetched: root ? { ...fetched, threadRoot: targetAt(root.uri) as Target } : fetched }];
    });
    const quoted = await this.#fetchQuoted(posts, signal);
    const identities = new Map<string, Promise<Identity | null>>();
    const whole: FetchedPost[] = [];
    // A few at a time, to spare the authors' servers.
    const waiting = [...posts, ...quoted];
    while (waiting.length > 0) {
      const some = waiting.splice(0, SERVER_CALLS).map((post) => this.#withSignature(post, identities, signal));
      whole.push(...(await Promise.all(some)));
    }
    return { asked: whole[0] as FetchedPost, others: whole.slice(1) };
  }

  async look(targets: readonly Target[], signal: AbortSignal): Promise<Map<string, Look>> {
    const uris = targets.map(({ address }) => address);
    const data = await ask(this.#client, 'app.bsky.feed.getPosts', { uris }, postsAnswer, signal);
    const looks = new Map<string, Look>();
    const found = new Map(readViews(data.posts).map((view) => [view.uri, view]));
    for (const { id, address } of targets) {
      const view = found.get(address);
      if (view && refusalOf(view)) looks.set(id, { state: 'protected' });
      // A record can be replaced under its key. The caller checks whether the text has changed.
      else if (view && hasTime(view)) looks.set(id, { state: 'edited', post: readPost(view) });
    }
    const gone = await this.#findGone(absentOf(targets, data.posts), signal);
    for (const { id } of gone) looks.set(id, { state: 'deleted' });
    return looks;
  }

  /** Those of the posts missing in the AppView that the authors' own servers do not have either. */
  async #findGone(absent: readonly Target[], signal: AbortSignal): Promise<Target[]> {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(GONE_MS)]);
    // All at once: in sequence, servers that do not answer would use up the time of the others.
    const answers = await Promise.all(absent.map((target) => this.#isGone(target, bounded)));
    return absent.filter((_target, at) => answers[at]);
  }

  async #isGone({ address }: Target, signal: AbortSignal): Promise<boolean> {
    const [, , repo = '', collection = '', rkey = ''] = address.split('/');
    let author: Identity | null;
    try {
      author = await this.#identify(repo, signal);
    } catch (error) {
      // The directory no longer knows the author. For a `did:web` this proves nothing, because its host may have lost a
      // file.
      return repo.startsWith('did:plc:') && hasStatus((error as Error).cause, [404, 410]);
    }
    if (!author) return false;
    try {
      const url = callOf(author.server, 'com.atproto.repo.getRecord', { repo, collection, rkey });
      await this.#needs.download(url, { maxBytes: RECORD_BYTES, signal });
      return false;
    } catch (error) {
      // The server has no such record or no such account. Any other failure proves nothing.
      return hasStatus(error, [400, 404]);
    }
  }

  /** The asked post, then its author's own posts before it, and for a thread also those after it. */
  #readThread(root: unknown, target: Target, isThread: boolean): PostView[] {
    const { $type, post, parent, replies } = threadNode.parse(root);
    if ($type.endsWith('#notFoundPost')) throw new SourceRefusal('not_found');
    if ($type.endsWith('#blockedPost')) throw new SourceRefusal('protected');
    const asked = postView.safeParse(post);
    if (!asked.success || asked.data.uri !== target.address) throw new SourceRefusal('not_found');
    const views = [asked.data];
    // Follows the parent that each post names. `seen` ends a cycle.
    const seen = new Set([asked.data.uri]);
    for (let at = parent, wanted = ownParent(asked.data); wanted !== null && views.length < THREAD_LENGTH; ) {
      const node = threadNode.safeParse(at);
      const view = postView.safeParse(node.data?.post);
      if (!view.success || view.data.uri !== wanted || seen.has(wanted)) break;
      seen.add(wanted);
      views.push(view.data);
      wanted = ownParent(view.data);
      at = node.data?.parent;
    }
    if (isThread) views.push(...readOwnReplies(asked.data, replies ?? [], seen, THREAD_LENGTH - views.length));
    return views;
  }

  /** Fetches the quoted posts. A failure is logged and does not affect the quoting post. */
  async #fetchQuoted(posts: readonly Shown[], signal: AbortSignal): Promise<Shown[]> {
    const own = new Set(posts.map(({ fetched }) => fetched.target.id));
    const quotes = posts.flatMap(({ fetched }) => fetched.post.quoted ?? []);
    const wanted = new Set(quotes.flatMap(({ id, url, state }) => (state === 'unknown' && !own.has(id) ? url : [])));
    const uris = [...wanted].slice(0, 25).flatMap((url) => {
      const named = readPostLink(url);
      return named ? targetOf(named.authority, named.key).address : [];
    });
    if (uris.length === 0) return [];
    try {
      const data = await ask(this.#client, 'app.bsky.feed.getPosts', { uris }, postsAnswer, signal);
      return readViews(data.posts).flatMap((view): Shown[] => {
        if (refusalOf(view) !== null || !hasTime(view)) return [];
        return [{ view, fetched: readPost(view) }];
      });
    } catch (error) {
      signal.throwIfAborted();
      this.#needs.log.warn({ err: error, posts: uris }, 'kept without what it quotes');
      return [];
    }
  }

  /** Adds the signed record if the author's own server provides it. Otherwise the post stays unsigned. */
  async #withSignature(
    { view, fetched }: Shown,
    identities: Map<string, Promise<Identity | null>>,
    signal: AbortSignal,
  ): Promise<FetchedPost> {
    const did = fetched.post.authorId;
    const identity = identities.get(did) ?? this.#identify(did, signal).catch(() => null);
    identities.set(did, identity);
    const author = await identity;
    if (!author) return fetched;
    const rkey = fetched.target.address.split('/').at(-1) as string;
    const url = callOf(author.server, 'com.atproto.sync.getRecord', { did, collection: 'app.bsky.feed.post', rkey });
    try {
      const car = await this.#needs.download(url, { maxBytes: RECORD_BYTES, signal });
      const { cid, record, proof } = await checkSignedRecord(author, rkey, car);
      if (cid !== fetched.cid) throw new Error('the signed record is another than the one shown');
      // The post is read from the signed record, not from what the AppView shows.
      const whole = { ...fetched, ...readPost({ ...view, record }), raw: fetched.raw };
      return { ...whole, blobs: blobsOf(author, whole), signed: { car: proof, key: author.key, did } };
    } catch (error) {
      this.#needs.log.warn({ err: error, post: fetched.target.id }, 'kept without its author’s signature');
      return { ...fetched, blobs: blobsOf(author, fetched) };
    }
  }

  async #identify(did: string, signal: AbortSignal): Promise<Identity | null> {
    const [, host] = /^did:web:([a-z0-9.-]+)$/.exec(did) ?? [];
    const address = host
      ? `https://${host}/.well-known/did.json`
      : new URL(`/${encodeURIComponent(did)}`, this.#needs.directory).href;
    const bytes = await reach(() => this.#needs.download(address, { maxBytes: RECORD_BYTES, signal }));
    return readIdentity(did, JSON.parse(Buffer.from(bytes).toString('utf8')));
  }
}

function callOf(server: string, name: string, params: Record<string, string>): string {
  const url = new URL(`/xrpc/${name}`, server);
  url.search = new URLSearchParams(params).toString();
  return url.href;
}

/** Addresses of the pictures' bytes on the author's own server. */
function blobsOf({ did, server }: Identity, { post, sizes = {} }: FetchedPost): Record<string, BlobAddress> {
  const addressOf = (cid: string) => {
    const url = callOf(server, 'com.atproto.sync.getBlob', { did, cid });
    return { url, cid, size: sizes[cid] };
  };
  return Object.fromEntries((post.media ?? []).map(({ key }) => [key, addressOf(key)]));
}

/**
 * Targets that the answer does not contain. Returns none if some post in the answer is unreadable, since it might be
 * any of them.
 */
function absentOf(targets: readonly Target[], posts: readonly unknown[]): Target[] {
  const named = posts.map((post) => addressOnly.safeParse(post).data?.uri);
  return named.includes(undefined) ? [] : targets.filter(({ address }) => !named.includes(address));
}

function hasStatus(error: unknown, statuses: readonly number[]): boolean {
  return statuses.includes((error as { status?: number } | undefined)?.status ?? 0);
}

function hasTime({ indexedAt }: PostView): boolean {
  return !Number.isNaN(Date.parse(indexedAt));
}

function readViews(posts: readonly unknown[]): PostView[] {
  return posts.flatMap((post) => {
    const view = postView.safeParse(post);
    return view.success && targetAt(view.data.uri) ? [view.data] : [];
  });
}

/** The author's posts that continue one another after the asked post, in the order of time. */
function readOwnReplies(asked: PostView, replies: readonly unknown[], seen: Set<string>, limit: number): PostView[] {
  const found: PostView[] = [];
  let level: { after: PostView; replies: readonly unknown[] }[] = [{ after: asked, replies }];
  while (level.length > 0 && found.length < limit) {
    const next: typeof level = [];
    for (const { after, replies: some } of level) {
      for (const reply of some) {
        const node = threadNode.safeParse(reply);
        const view = postView.safeParse(node.data?.post);
        if (!view.success || view.data.author.did !== asked.author.did || seen.has(view.data.uri)) continue;
        if (ownParent(view.data) !== after.uri || found.length >= limit) continue;
        seen.add(view.data.uri);
        found.push(view.data);
        next.push({ after: view.data, replies: node.data?.replies ?? [] });
      }
    }
    level = next;
  }
  return found;
}
