import type { ServerResponse } from 'node:http';
import type { ObjectId } from 'mongodb';
import { AppError } from '../app-error.ts';

const BEAT_MS = 1_000;
/** Proxies end what is silent for half a minute or so. */
const SILENT_BEATS = 20;
/** Of all, and of one address: every open page that is looked at holds one. */
const AT_ONCE = 5_000;
const AT_ONCE_OF_ONE = 50;
/** What nobody takes is not heaped up. */
const UNREAD_BYTES = 64 * 1024;
/** Posts that were told of, so that a change of one does not count it again. */
const TOLD_KEPT = 20_000;
/** A post that is older than this and was not told of is no arrival, but a change. */
const ARRIVAL_MS = 120_000;

interface Taken {
  _id: ObjectId;
  removedAt?: Date | undefined;
}

/** Tells open pages how many posts have come, as server-sent events. */
export class LiveFeed {
  readonly #streams = new Map<ServerResponse, { who: string; beats: number }>();
  readonly #told = new Set<string>();
  readonly #now: () => number;
  readonly #isEnding: () => boolean;
  #timer: NodeJS.Timeout | undefined;
  #arrived = 0;

  constructor({ now, isEnding }: { now: () => number; isEnding: () => boolean }) {
    this.#now = now;
    this.#isEnding = isEnding;
  }

  start(): void {
    this.#timer = setInterval(() => this.#beat(), BEAT_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#endAll();
  }

  /** Posts as the index has just taken them in: from this moment on a listing shows them. */
  taken(posts: readonly Taken[]): void {
    const since = this.#now() - ARRIVAL_MS;
    for (const { _id, removedAt } of posts) {
      const id = _id.toHexString();
      if (removedAt || this.#told.has(id) || _id.getTimestamp().getTime() < since) continue;
      this.#told.add(id);
      this.#arrived++;
    }
    for (const id of this.#told) {
      if (this.#told.size <= TOLD_KEPT) break;
      this.#told.delete(id);
    }
    this.#tell();
  }

  /**
   * Keeps a stream open until either side ends it; `missed` posts came while the page was without one.
   *
   * @throws AppError rate_limited where too many are open
   */
  open(response: ServerResponse, who: string, missed: number): void {
    const ofOne = [...this.#streams.values()].filter((stream) => stream.who === who).length;
    if (this.#streams.size >= AT_ONCE || ofOne >= AT_ONCE_OF_ONE) {
      throw new AppError('rate_limited', 'Too many pages are open.', { headers: { 'Retry-After': '30' } });
    }
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      // Kept back by nobody on the way.
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    response.write('retry: 3000\n\n');
    this.#streams.set(response, { who, beats: 0 });
    response.on('close', () => this.#streams.delete(response));
    // Also where nothing was missed: from here on the page knows where it stands.
    this.#send(response, missed);
  }

  #tell(): void {
    if (this.#arrived === 0) return;
    for (const response of this.#streams.keys()) this.#send(response, this.#arrived);
    this.#arrived = 0;
  }

  #send(response: ServerResponse, added: number): void {
    const stream = this.#streams.get(response);
    if (response.writableLength > UNREAD_BYTES) return void response.destroy();
    if (stream) stream.beats = 0;
    response.write(`id: ${Math.floor(this.#now())}\nevent: posts\ndata: ${JSON.stringify({ added })}\n\n`);
  }

  #beat(): void {
    if (this.#isEnding()) this.#endAll();
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
