import type { ArchiveIndex } from '@archive/search';
import type { Asker } from '../question-queue.ts';

/** Most entries of a part, by the sitemap protocol. */
export const PART_SIZE = 50_000;
/** Entries in one read; other requests run between two reads. */
const STEP = 2_000;
/** The number of reads for one part, which is its cost. */
export const PART_COST = PART_SIZE / STEP;
/** Cached parts, about 4.5 MB each. */
const PARTS_KEPT = 8;
const FIRST = '0'.repeat(24);
/** Parts grow only at their end, so their starts may be some minutes old. */
const KEPT_MS = 10 * 60_000;
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** Pages without posts. */
const OWN_PAGES = ['/', '/explore', '/privacy', '/programs'];

type Index = Pick<ArchiveIndex<Asker>, 'ask'>;

/** The pages of all posts, ordered by `_id`, in parts. The name of a part is the id before its first entry. */
export class Sitemap {
  readonly #index: Index;
  readonly #now: () => number;
  #starts: { until: number; found: readonly string[] } | undefined;
  #forgotten = 0;
  readonly #parts = new Map<string, { until: number; text: string }>();

  constructor(index: Index, now: () => number) {
    this.#index = index;
    this.#now = now;
  }

  /** The index of all parts. */
  async *parts(origin: string, asker: Asker): AsyncGenerator<string> {
    yield `${HEAD}<sitemapindex ${XMLNS}>\n`;
    for (const start of await this.#partStarts(asker))
      yield `<sitemap><loc>${origin}/sitemap/${start}.xml</loc></sitemap>\n`;
    yield '</sitemapindex>\n';
  }

  /**
   * One part. The first one begins with the archive's own pages. Cached until posts change, at most for some minutes.
   */
  async *part(after: string, origin: string, asker: Asker): AsyncGenerator<string> {
    const kept = this.#parts.get(after);
    if (kept && kept.until > this.#now()) return void (yield kept.text);
    const forgotten = this.#forgotten;
    let text = '';
    for await (const piece of this.#makePart(after, origin, asker)) {
      text += piece;
      yield piece;
    }
    // A post that was added or removed meanwhile may be missing or present, so the text is not cached.
    if (forgotten !== this.#forgotten) return;
    this.#parts.delete(after);
    this.#parts.set(after, { until: this.#now() + KEPT_MS, text });
    for (const oldest of this.#parts.keys()) {
      if (this.#parts.size <= PARTS_KEPT) break;
      this.#parts.delete(oldest);
    }
  }

  /** Drops cached parts after posts were added, removed or restored. */
  forget(): void {
    this.#forgotten++;
    this.#parts.clear();
  }

  async *#makePart(after: string, origin: string, asker: Asker): AsyncGenerator<string> {
    yield `${HEAD}<urlset ${XMLNS}>\n`;
    const own = after === FIRST ? OWN_PAGES : [];
    yield own.map((path) => `<url><loc>${origin}${path}</loc></url>\n`).join('');
    let left = PART_SIZE - own.length;
    for await (const ids of this.#walk(after, asker)) {
      const some = ids.slice(0, left);
      left -= some.length;
      yield some.map((id) => `<url><loc>${origin}/post/${id}</loc><lastmod>${dayOf(id)}</lastmod></url>\n`).join('');
      if (left === 0) break;
    }
    yield '</urlset>\n';
  }

  /**
   * The result is cached. Until then, each caller computes it at its own cost, so that a slow caller delays no other.
   */
  async #partStarts(asker: Asker): Promise<readonly string[]> {
    if (this.#starts && this.#starts.until > this.#now()) return this.#starts.found;
    const found = await this.#findStarts(asker);
    this.#starts = { until: this.#now() + KEPT_MS, found };
    return found;
  }

  async #findStarts(asker: Asker): Promise<string[]> {
    const starts = [FIRST];
    let count = OWN_PAGES.length;
    for await (const ids of this.#walk(FIRST, asker)) {
      for (const id of ids) {
        if (count === PART_SIZE) {
          starts.push(before(id));
          count = 0;
        }
        count++;
      }
    }
    return starts;
  }

  async *#walk(after: string, asker: Asker): AsyncGenerator<string[]> {
    let last: Uint8Array | null = Buffer.from(after, 'hex');
    while (last) {
      const oids: Uint8Array[] = await this.#index.ask('walk', { after: last, limit: STEP }, asker);
      yield oids.map((oid) => Buffer.from(oid).toString('hex'));
      last = oids.length === STEP ? (oids.at(-1) as Uint8Array) : null;
    }
  }
}

/** The id just before this one, since a part contains the entries after its name. */
function before(id: string): string {
  return (BigInt(`0x${id}`) - 1n).toString(16).padStart(24, '0');
}

/** The first part of an `_id` is the second in which the post was saved. */
function dayOf(id: string): string {
  return new Date(Number.parseInt(id.slice(0, 8), 16) * 1000).toISOString().slice(0, 10);
}
