import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { JSON_TYPE, Written } from './written.ts';

/** Longest age of an entry, since some counters depend on the clock. */
const MAX_AGE_MS = 1_000;
const MAX_ENTRIES = 1_000;
const MAX_BYTES = 64 * 1024 * 1024;
const WORTH_COMPRESSING = 1_000;

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);

export type Encoding = 'br' | 'gzip' | 'identity';

export interface Entry {
  url: string;
  version: number;
  expiresAt: number;
  etag: string;
  status: number;
  headers: Written['headers'];
  bodies: Partial<Record<Encoding, Buffer>> & { identity: Buffer };
}

/** An answer in progress, and the number of callers that wait for it. */
interface Work {
  entry: Promise<Entry>;
  abandoned: AbortController;
  waiting: number;
}

/**
 * Ready bytes of recent answers, by address. An entry is valid until the archive changes or a second has passed.
 * Simultaneous equal requests share one piece of work.
 */
export class ResponseCache {
  readonly #version: () => number;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  readonly #underWay = new Map<string, Work>();
  #bytes = 0;
  #forgotten = 0;

  /**
   * `now` is a monotonic clock in milliseconds. With a clock that can be set back, an entry would stay valid too long.
   */
  constructor(options: { version: () => number; now?: () => number }) {
    this.#version = options.version;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Drops all entries after a change that the archive's version does not show. */
  forget(): void {
    this.#entries.clear();
    this.#bytes = 0;
    this.#forgotten++;
  }

  get(url: string): Entry | undefined {
    const entry = this.#entries.get(url);
    return entry && entry.version === this.#version() && entry.expiresAt > this.#now() ? entry : undefined;
  }

  /**
   * Returns the entry, cached or new. Only callers with the same `who` share the work, since it waits in the queue of
   * that client. `gone` is aborted when this caller leaves; the signal for `make`, when all waiting callers have left.
   */
  async answer(
    url: string,
    make: (signal: AbortSignal) => unknown,
    { who = '', gone }: { who?: string; gone?: AbortSignal } = {},
  ): Promise<Entry> {
    const kept = this.get(url);
    if (kept) return kept;
    gone?.throwIfAborted();
    const version = this.#version();
    const key = `${version} ${this.#forgotten} ${who} ${url}`;
    const work = this.#underWay.get(key) ?? this.#begin(key, url, version, make);
    work.waiting++;
    gone?.addEventListener('abort', () => {
      if (--work.waiting > 0) return;
      // Later callers start new work.
      if (this.#underWay.get(key) === work) this.#underWay.delete(key);
      work.abandoned.abort(gone.reason);
    });
    return work.entry;
  }

  #begin(key: string, url: string, version: number, make: (signal: AbortSignal) => unknown): Work {
    const abandoned = new AbortController();
    const entry = this.#make(url, version, () => make(abandoned.signal));
    const work: Work = { entry, abandoned, waiting: 0 };
    this.#underWay.set(key, work);
    const end = () => {
      if (this.#underWay.get(key) === work) this.#underWay.delete(key);
    };
    entry.then(end, end);
    return work;
  }

  /** The entry's bytes in this encoding, compressed at first use. */
  async encode(entry: Entry, encoding: Encoding): Promise<{ body: Buffer; encoding: Encoding }> {
    const { identity } = entry.bodies;
    if (encoding === 'identity' || identity.length < WORTH_COMPRESSING) return { body: identity, encoding: 'identity' };
    const ready = entry.bodies[encoding];
    if (ready) return { body: ready, encoding };
    const body =
      encoding === 'br'
        ? await toBrotli(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
        : await toGzip(identity, { level: 4 });
    // Only cached bytes count, and only once: two callers may have compressed the same entry.
    if (!entry.bodies[encoding]) {
      entry.bodies[encoding] = body;
      if (this.#entries.get(entry.url) === entry) this.#bytes += body.length;
    }
    return { body, encoding };
  }

  async #make(url: string, version: number, make: () => unknown): Promise<Entry> {
    const forgotten = this.#forgotten;
    const made = await make();
    const { text, status, headers } = made instanceof Written ? made : new Written(JSON_TYPE, JSON.stringify(made));
    const identity = Buffer.from(text);
    const etag = `W/"${createHash('sha1').update(identity).digest('base64url')}"`;
    const expiresAt = this.#now() + MAX_AGE_MS;
    const entry: Entry = { url, version, expiresAt, etag, status, headers, bodies: { identity } };
    // An answer made during a `forget` may lack the change, so it is not cached.
    if (status === 200 && identity.length <= MAX_BYTES / 16 && forgotten === this.#forgotten) this.#keep(url, entry);
    return entry;
  }

  #keep(url: string, entry: Entry): void {
    this.#drop(url);
    this.#entries.set(url, entry);
    this.#bytes += entry.bodies.identity.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= MAX_ENTRIES && this.#bytes <= MAX_BYTES) break;
      this.#drop(oldest);
    }
  }

  #drop(url: string): void {
    const entry = this.#entries.get(url);
    if (!entry) return;
    this.#entries.delete(url);
    for (const body of Object.values(entry.bodies)) this.#bytes -= body.length;
  }
}
