import type { ServerResponse } from 'node:http';
import type { ObjectId } from 'mongodb';
import { AppError } from '../app-error.ts';
import { type Client, Shares } from '../clients.ts';

const BEAT_MS = 1_000;
/** Proxies end what is silent for half a minute or so. */
const SILENT_BEATS = 20;
/** Every open page that is looked at holds one. */
const AT_ONCE = { all: 5_000, network: 500, prefix: 50 };
/** What nobody takes is not heaped up. */
const UNREAD_BYTES = 64 * 1024;
/** Posts that were told of, so that a change of one does not count it again. */
const TOLD_KEPT = 20_000;
/** Posts of one event, and how many wait for theirs; of more the newest are told. */
const GONE_AT_ONCE = 100;
const GONE_KEPT = 10_000;
/** A post that is older than this and was not told of is no arrival, but a change. */
const ARRIVAL_MS = 120_000;
/** Pages that come back at once, as after a restart, mostly missed the same. */
const COUNT_SHARED_MS = 1_000;

interface Taken {
  _id: ObjectId;
  /** By the database's clock: its `_id` may have been made long before it could be written. */
  createdAt: Date;
  removedAt?: Date | undefined;
}

interface Stream {
  beats: number;
  /** Posts that it was told of when it was opened; one set for all that missed the same. */
  counted: ReadonlySet<string>;
}

const NOTHING: ReadonlySet<string> = new Set();

interface FeedNeeds {
  now: () => number;
  isEnding: () => boolean;
  /** Posts that came since then, by `_id`; asked of the database. */
  savedSince: (at: Date) => Promise<string[]>;
}

/** Tells open pages, as server-sent events, how many posts have come and which are no longer shown. */
export class LiveFeed {
  readonly #streams = new Map<ServerResponse, Stream>();
  readonly #shares = new Shares(AT_ONCE);
  readonly #told = new Set<string>();
  readonly #now: () => number;
  readonly #isEnding: () => boolean;
  readonly #savedSince: FeedNeeds['savedSince'];
  readonly #missed = new Map<number, Promise<ReadonlySet<string>>>();
  #timer: NodeJS.Timeout | undefined;
  readonly #arrived: string[] = [];
  readonly #gone: string[] = [];

  constructor({ now, isEnding, savedSince }: FeedNeeds) {
    this.#now = now;
    this.#isEnding = isEnding;
    this.#savedSince = savedSince;
  }

  start(): void {
    this.#timer = setInterval(() => this.beat(), BEAT_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#endAll();
  }

  /** Posts as the index has just taken them in: from this moment on a listing shows them, or no longer does. */
  taken(posts: readonly Taken[]): void {
    const since = this.#now() - ARRIVAL_MS;
    for (const { _id, createdAt, removedAt } of posts) {
      const id = _id.toHexString();
      if (removedAt && removedAt.getTime() >= since) this.#gone.push(id);
      if (removedAt || this.#told.has(id) || createdAt.getTime() < since) continue;
      this.#told.add(id);
      this.#arrived.push(id);
    }
    for (const id of this.#told) {
      if (this.#told.size <= TOLD_KEPT) break;
      this.#told.delete(id);
    }
    this.#gone.splice(0, this.#gone.length - GONE_KEPT);
    this.#tell();
  }

  /**
   * Keeps a stream open until either side ends it. First it tells of what came since `last`, which the page heard of; null
   * where that is not known.
   *
   * @throws AppError rate_limited where too many are open
   */
  async open(response: ServerResponse, client: Client, last: number | null): Promise<void> {
    const end = this.#shares.take(client);
    if (typeof end === 'string')
      throw new AppError('rate_limited', 'Too many pages are open.', { headers: { 'Retry-After': '30' } });
    try {
      const counted = last === null ? NOTHING : await this.#findMissed(last);
      // Its 'close' has been told already: a stream of it would never be let go of.
      if (!response.destroyed) await this.#keepOpen(response, counted);
    } finally {
      end();
    }
  }

  async #keepOpen(response: ServerResponse, counted: ReadonlySet<string>): Promise<void> {
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      // Kept back by nobody on the way.
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    response.write('retry: 3000\n\n');
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    // The database may know of posts that the index of this process takes in, and tells of, only after this.
    this.#streams.set(response, { beats: 0, counted });
    // Also where nothing was missed: from here on the page knows where it stands.
    this.#send(response, counted.size, this.#id());
    await closed;
    this.#streams.delete(response);
  }

  get openCount(): number {
    return this.#streams.size;
  }

  #findMissed(last: number): Promise<ReadonlySet<string>> {
    const shared = this.#missed.get(last);
    if (shared) return shared;
    const missed = this.#savedSince(new Date(last)).then((ids) => new Set(ids));
    this.#missed.set(last, missed);
    setTimeout(() => this.#missed.delete(last), COUNT_SHARED_MS).unref();
    return missed;
  }

  #id(): number {
    return Math.floor(this.#now());
  }

  /** A part of them a beat: all at once would fill the streams of a large removal's readers. */
  #tellGone(): void {
    const posts = this.#gone.splice(0, GONE_AT_ONCE);
    if (posts.length === 0) return;
    const text = `event: gone\ndata: ${JSON.stringify({ posts })}\n\n`;
    for (const response of this.#streams.keys()) this.#write(response, text);
  }

  #tell(): void {
    const arrived = this.#arrived.splice(0);
    if (arrived.length === 0) return;
    const id = this.#id();
    for (const [response, { counted }] of this.#streams) {
      const added = arrived.filter((one) => !counted.has(one)).length;
      if (added > 0) this.#send(response, added, id);
    }
  }

  #send(response: ServerResponse, added: number, id: number): void {
    this.#write(response, `id: ${id}\nevent: posts\ndata: ${JSON.stringify({ added })}\n\n`);
  }

  #write(response: ServerResponse, text: string): void {
    const stream = this.#streams.get(response);
    if (response.writableLength > UNREAD_BYTES) return void response.destroy();
    if (stream) stream.beats = 0;
    response.write(text);
  }

  /** Once a second. */
  beat(): void {
    if (this.#isEnding()) this.#endAll();
    this.#tellGone();
    for (const [response, stream] of this.#streams) {
      if (++stream.beats < SILENT_BEATS) continue;
      stream.beats = 0;
      if (response.writableLength > UNREAD_BYTES) response.destroy();
      else response.write(':\n\n');
    }
  }

  #endAll(): void {
    for (const response of this.#streams.keys()) response.end();
    this.#streams.clear();
  }
}
