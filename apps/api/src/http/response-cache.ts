import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { JSON_TYPE, Written } from './written.ts';

/** Counters that depend on the clock may be this much behind. */
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

/** An answer being made, and how many wait for it. */
interface Work {
  entry: Promise<Entry>;
  abandoned: AbortController;
  waiting: number;
}

/**
 * Ready bytes of recent answers, by address. An entry holds until the archive changes or a second has passed; equal
 * questions asked at the same time are answered by one piece of work.
 */
export class ResponseCache {
  readonly #version: () => number;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  readonly #underWay = new Map<string, Work>();
  #bytes = 0;
  #forgotten = 0;

  /** `now` is a time that only goes forward: an entry would hold for as long as a clock was set back. */
  constructor(options: { version: () => number; now?: () => number }) {
    this.#version = options.version;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Everything kept is stale: something changed that the archive's version does not tell. */
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
   * Work is shared by callers of the same `who` alone: it stands where that one's work stands. `gone` is aborted when this
   * caller has left; the work's own signal, when all who wait for it have.
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
      // Who asks from now on has it made anew.
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

  /** The entry's bytes in this encoding, made on first use. */
  async encode(entry: Entry, encoding: Encoding): Promise<{ body: Buffer; encoding: Encoding }> {
    const { identity } = entry.bodies;
    if (encoding === 'identity' || identity.length < WORTH_COMPRESSING) return { body: identity, encoding: 'identity' };
    const ready = entry.bodies[encoding];
    if (ready) return { body: ready, encoding };
    const body =
      encoding === 'br'
        ? await toBrotli(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
        : await toGzip(identity, { level: 4 });
    // Only what is kept counts, and only once: two callers may have compressed the same.
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
    // What changed while it was made may or may not be in it.
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
