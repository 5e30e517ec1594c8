import type { ServerResponse } from 'node:http';
import type { ObjectId } from 'mongodb';
import { AppError } from '../app-error.ts';
import { type Client, Shares } from '../clients.ts';

const BEAT_MS = 1_000;
/** Proxies close connections that are silent for about half a minute. */
const SILENT_BEATS = 20;
/** Every visible page holds one stream. */
const AT_ONCE = { all: 5_000, network: 500, prefix: 50 };
/** Bytes waiting for a reader before its stream is closed. */
const UNREAD_BYTES = 64 * 1024;
/** Announced posts that are remembered, so that a later change does not count again. */
const TOLD_KEPT = 20_000;
/** Removed posts in one event, and the most that wait; of more, only the newest are announced. */
const GONE_AT_ONCE = 100;
const GONE_KEPT = 10_000;
/** A post older than this that was not announced counts as changed, not as arrived. */
const ARRIVAL_MS = 120_000;
/** Milliseconds. Pages that reconnect at once, for example after a restart, share one query. */
const COUNT_SHARED_MS = 1_000;

interface Taken {
  _id: ObjectId;
  /** By the database's clock, since the `_id` may have been made long before the write. */
  createdAt: Date;
  removedAt?: Date | undefined;
}

interface Stream {
  beats: number;
  /** Posts that were counted when the stream opened; pages that missed the same share one set. */
  counted: ReadonlySet<string>;
}

const NOTHING: ReadonlySet<string> = new Set();

interface FeedNeeds {
  now: () => number;
  isEnding: () => boolean;
  /** `_id`s of posts that arrived since a time, from the database. */
  savedSince: (at: Date) => Promise<string[]>;
}

/** Sends open pages, as server-sent events, the number of new posts and the ids of posts no longer shown. */
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

  /** Announces posts that the index has just applied; from now on, lists show them or no longer show them. */
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
   * Keeps a stream open until either side ends it. First it sends the number of posts since `last`, the page's last
   * event; null if that is unknown.
   *
   * @throws AppError rate_limited where too many are open
   */
  async open(response: ServerResponse, client: Client, last: number | null): Promise<void> {
    const end = this.#shares.take(client);
    if (typeof end === 'string')
      throw new AppError('rate_limited', 'Too many pages are open.', { headers: { 'Retry-After': '30' } });
    try {
      const counted = last === null ? NOTHING : await this.#findMissed(last);
      // If the 'close' event has passed, a stream would never be released.
      if (!response.destroyed) await this.#keepOpen(response, counted);
    } finally {
      end();
    }
  }

  async #keepOpen(response: ServerResponse, counted: ReadonlySet<string>): Promise<void> {
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      // Keeps proxies from buffering or caching.
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    response.write('retry: 3000\n\n');
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    // The database may already count posts that the index of this process announces only after this.
    this.#streams.set(response, { beats: 0, counted });
    // Sent even if nothing was missed, so that the page has a last event id.
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

  /** Sends a part of the removed posts in each beat, since a large removal at once would fill the streams. */
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

  /** Runs once a second. */
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
