import { Client, ClientResponseError } from '@atcute/client';
import { PasswordSession } from '@atcute/password-session';
import { z } from 'zod';
import type { Account, Mention, Mentions, Reply, ReplyTo } from '../account.ts';
import { boundedFetch } from '../bounded-fetch.ts';
import { Patience } from '../patience.ts';
import { SourceRefusal, SourceTrouble } from '../source.ts';
import { targetAt } from './addresses.ts';
import { recordKeyOf } from './record-key.ts';
import {
  facetSchema,
  notification,
  notificationsAnswer,
  type PostRecord,
  postRecord,
  postsAnswer,
  postView,
} from './views.ts';
import { ask, failureOf, reach, troubleOf } from './xrpc.ts';

const PAGE = 100;
/**
 * Pages of one read. They come newest first, so the newest mentions of a flood are read; the rest is reported as a gap.
 */
const MOST_PAGES = 100;
/** Bluesky may deliver a mention later than newer ones. */
const OVERLAP_MS = 60_000;
/** Mentions of a flood that are remembered, since the overlap delivers them again for a minute. */
const REMEMBERED = 20_000;
const COLLECTION = 'app.bsky.feed.post';

export interface BlueskyCredentials {
  service: string;
  identifier: string;
  password: string;
}

export class BlueskyAccount implements Account {
  readonly platform = 'bluesky';
  readonly #credentials: BlueskyCredentials;
  #session: PasswordSession | undefined;
  /** Addresses of mentions that were delivered and stored. */
  readonly #taken = new Set<string>();
  /** Limits sign-ins, since Bluesky allows an account 300 in a day. */
  readonly #signIns = new Patience();

  constructor(credentials: BlueskyCredentials) {
    this.#credentials = credentials;
  }

  get handle(): string {
    return this.#session?.session.handle ?? this.#credentials.identifier.replace(/^@/, '');
  }

  async open(signal: AbortSignal): Promise<{ id: string; handle: string }> {
    await this.#client(signal);
    return { id: (this.#session as PasswordSession).did, handle: this.handle };
  }

  async mentions(cursor: string | null, since: Date, signal: AbortSignal): Promise<Mentions> {
    const client = await this.#client(signal);
    const own = (this.#session as PasswordSession).did;
    const from = cursor === null ? since.getTime() : Date.parse(cursor) - OVERLAP_MS;
    let isGap = false;
    const addresses: string[] = [];
    const found: { at: string; mention: Mention | null }[] = [];
    let page: string | undefined;
    for (let pages = 1; ; pages++) {
      const params = { limit: PAGE, reasons: ['mention', 'reply', 'quote'], ...(page ? { cursor: page } : {}) };
      const name = 'app.bsky.notification.listNotifications';
      const data = await ask(client, name, params, notificationsAnswer, signal);
      const read = data.notifications.flatMap((one) => notification.safeParse(one).data ?? []);
      const fresh = read.filter(({ indexedAt }) => Date.parse(indexedAt) >= from);
      const unknown = fresh.filter(({ uri }) => !this.#taken.has(uri));
      for (const one of unknown) found.push({ at: one.indexedAt, mention: readMention(one, own) });
      addresses.push(...unknown.map(({ uri }) => uri));
      page = data.cursor;
      if (!page || fresh.length < read.length || unknown.length === 0) break;
      if (pages === MOST_PAGES) {
        isGap = true;
        break;
      }
    }
    found.sort((one, other) => one.at.localeCompare(other.at));
    const latest = found.at(-1)?.at;
    const next = latest !== undefined && (cursor === null || latest > cursor) ? latest : cursor;
    const mentions = found.flatMap(({ mention }) => mention ?? []);
    return { mentions, next, isGap, markTaken: () => this.#remember(addresses) };
  }

  #remember(addresses: readonly string[]): void {
    for (const address of addresses) this.#taken.add(address);
    for (const address of this.#taken) {
      if (this.#taken.size <= REMEMBERED) break;
      this.#taken.delete(address);
    }
  }

  async reply(to: ReplyTo, { key, text, link }: Reply, signal: AbortSignal): Promise<string> {
    const client = await this.#client(signal);
    const { did } = this.#session as PasswordSession;
    const rkey = recordKeyOf(key, to.at);
    const address = `at://${did}/${COLLECTION}/${rkey}`;
    if (await this.#isThere(client, did, rkey, signal)) return address;
    const data = await ask(client, 'app.bsky.feed.getPosts', { uris: [to.address] }, postsAnswer, signal);
    const asked = postView.safeParse(data.posts[0]);
    if (!asked.success) throw new SourceRefusal('deleted');
    const parent = { uri: asked.data.uri, cid: asked.data.cid };
    const record = {
      $type: COLLECTION,
      text: link ? `${text} ${link}` : text,
      createdAt: new Date().toISOString(),
      langs: ['en'],
      reply: { root: asked.data.record.reply?.root ?? parent, parent },
      ...(link && { facets: [linkFacet(text, link)] }),
    };
    // The record key is derived from the request, so a second write replaces the record and makes no second reply.
    const input = { repo: did, collection: COLLECTION, rkey, record };
    const post = client.post as unknown as UntypedPost;
    const written = await reach(() => post.call(client, 'com.atproto.repo.putRecord', { input, as: 'json', signal }));
    if (!written.ok) throw failureOf(written.status, written.headers, written.data as { error?: string });
    return address;
  }

  async #isThere(client: Client, did: string, rkey: string, signal: AbortSignal): Promise<boolean> {
    const params = { repo: did, collection: COLLECTION, rkey };
    try {
      await ask(client, 'com.atproto.repo.getRecord', params, z.looseObject({ uri: z.string() }), signal);
      return true;
    } catch (error) {
      if (error instanceof SourceRefusal) return false;
      throw error;
    }
  }

  async #client(signal: AbortSignal): Promise<Client> {
    if (!this.#session || this.#session.destroyed) {
      const until = this.#signIns.waitsUntil;
      if (until) throw new SourceTrouble('Bluesky did not let the account sign in', { until, isUndone: true });
      this.#session = await this.#signIns.watch(() => this.#signIn(signal));
    }
    return new Client({ handler: this.#session });
  }

  async #signIn(signal: AbortSignal): Promise<PasswordSession> {
    signal.throwIfAborted();
    // The session uses this `fetch` for its whole life, but the signal belongs to this sign-in only.
    const bounds = { isSigningIn: true };
    const fetchWithin: typeof fetch = async (input, init = {}) => {
      checkHost(input, this.#credentials.service);
      const signals = [...(init.signal ? [init.signal] : []), ...(bounds.isSigningIn ? [signal] : [])];
      return boundedFetch(input, { ...init, signal: AbortSignal.any(signals) });
    };
    try {
      return await reach(() => PasswordSession.login(this.#credentials, { fetch: fetchWithin }));
    } catch (error) {
      const { cause } = error as Error;
      if (!(cause instanceof ClientResponseError)) throw error;
      const { status, headers, error: name, description = '' } = cause;
      throw troubleOf(status, headers, { error: name, message: description });
    } finally {
      bounds.isSigningIn = false;
    }
  }
}

/**
 * The session uses the server that the account's DID document names. Plain http is allowed only to the configured host.
 */
function checkHost(input: string | URL | Request, service: string): void {
  const { protocol, hostname, host } = new URL(input instanceof Request ? input.url : input);
  if (protocol === 'https:' || hostname === new URL(service).hostname) return;
  throw new SourceTrouble(`the account's server is named as ${protocol}//${host}, which is not https`);
}

type UntypedPost = (
  name: string,
  options: { input: unknown; as: 'json'; signal: AbortSignal },
) => Promise<{ ok: boolean; status: number; headers: Headers; data: unknown }>;

/**
 * Reads a notification about a post that names, answers or quotes the agent. Null for the agent's own posts and for
 * malformed ones.
 */
function readMention(one: z.output<typeof notification>, own: string): Mention | null {
  const record = postRecord.safeParse(one.record);
  const target = targetAt(one.uri);
  if (!record.success || !target || one.author.did === own) return null;
  const quoted = quotedAddress(record.data);
  const answered = record.data.reply?.parent.uri ?? null;
  const named = [quoted, answered].flatMap((address) => (address ? (targetAt(address) ?? []) : []))[0] ?? null;
  const { words, isNamed } = withoutMentions(record.data, own);
  return {
    address: one.uri,
    url: target.url,
    at: new Date(one.indexedAt),
    author: { id: one.author.did, handle: one.author.handle },
    words,
    isExplicit: isNamed,
    target: named,
    targetAuthorId: /^at:\/\/([^/]+)\//.exec(named?.address ?? '')?.[1] ?? null,
  };
}

function quotedAddress({ embed }: PostRecord): string | null {
  const record = (embed?.$type === 'app.bsky.embed.recordWithMedia' ? embed['record'] : embed) as
    | { record?: { uri?: unknown } }
    | undefined;
  const uri = record?.record?.uri;
  return typeof uri === 'string' && targetAt(uri) ? uri : null;
}

/** The text without mentions, and whether the agent is among the mentioned. */
function withoutMentions({ text, facets }: PostRecord, own: string): { words: string; isNamed: boolean } {
  const bytes = Buffer.from(text);
  let isNamed = false;
  const ranges: [number, number][] = [];
  for (const one of facets) {
    const facet = facetSchema.safeParse(one);
    const mention = facet.data?.features.find(({ $type }) => $type === 'app.bsky.richtext.facet#mention');
    if (!facet.success || !mention) continue;
    const { byteStart, byteEnd } = facet.data.index;
    if (byteStart < 0 || byteEnd > bytes.length || byteStart >= byteEnd) continue;
    if (mention.did === own) isNamed = true;
    ranges.push([byteStart, byteEnd]);
  }
  ranges.sort(([one], [other]) => one - other);
  let words = '';
  let at = 0;
  for (const [start, end] of ranges) {
    if (start > at) words += ` ${bytes.subarray(at, start).toString('utf8')}`;
    at = Math.max(at, end);
  }
  return { words: `${words} ${bytes.subarray(at).toString('utf8')}`.trim(), isNamed };
}

function linkFacet(text: string, link: string) {
  const byteStart = Buffer.byteLength(`${text} `);
  return {
    index: { byteStart, byteEnd: byteStart + Buffer.byteLength(link) },
    features: [{ $type: 'app.bsky.richtext.facet#link', uri: link }],
  };
}
