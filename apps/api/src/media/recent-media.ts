import type { MediaDocument } from './media-document.ts';
import type { MediaStore } from './media-store.ts';

/** A file that another process removes is served at most this long. */
const KNOWN_MS = 1_000;
const MOST = 10_000;

/** Caches look-ups, since many readers of a page request the same pictures. */
export class RecentMedia {
  readonly #store: Pick<MediaStore, 'find'>;
  readonly #known = new Map<string, { until: number; found: Promise<MediaDocument | null> }>();

  constructor(store: Pick<MediaStore, 'find'>) {
    this.#store = store;
  }

  find(sha256: string): Promise<MediaDocument | null> {
    const now = performance.now();
    const known = this.#known.get(sha256);
    if (known && known.until > now) return known.found;
    const found = this.#store.find(sha256);
    this.#known.delete(sha256);
    this.#known.set(sha256, { until: now + KNOWN_MS, found });
    found.catch(() => this.#known.delete(sha256));
    if (this.#known.size > MOST) this.#dropOldest();
    return found;
  }

  /** Called when this process has removed a file. */
  forget(): void {
    this.#known.clear();
  }

  #dropOldest(): void {
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}
