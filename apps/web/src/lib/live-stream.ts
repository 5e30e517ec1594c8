import { addressOf } from '@archive/client';

/** Milliseconds before reconnecting after a refusal, when the browser does not reconnect by itself. */
const REFUSED_MS = 30_000;

interface Listener {
  /** Called with the number of new posts. */
  onAdded?: (added: number) => void;
  /** Called with the `_id`s of posts that are no longer shown. */
  onGone?: (posts: readonly string[]) => void;
}

const listeners = new Set<Listener>();
let source: EventSource | null = null;
let last: string | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Reports new and removed posts. All listeners share one stream, which is open only while the page is visible. After a
 * pause, the next stream reports what was missed. Returns a function that stops it.
 */
export function watchLive(listener: Listener): () => void {
  if (listeners.size === 0) document.addEventListener('visibilitychange', follow);
  listeners.add(listener);
  open();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    document.removeEventListener('visibilitychange', follow);
    close();
    last = undefined;
  };
}

function follow(): void {
  if (document.hidden) close();
  else open();
}

function open(): void {
  if (source !== null || document.hidden || typeof EventSource === 'undefined') return;
  source = new EventSource(addressOf('live', { query: { since: last } }));
  source.addEventListener('posts', ({ data, lastEventId }) => {
    if (lastEventId !== '') last = lastEventId;
    const { added } = read(data);
    if (typeof added !== 'number' || !Number.isSafeInteger(added) || added <= 0) return;
    for (const { onAdded } of listeners) onAdded?.(added);
  });
  source.addEventListener('gone', ({ data }) => {
    const { posts } = read(data);
    if (!Array.isArray(posts)) return;
    for (const { onGone } of listeners) onGone?.(posts.map(String));
  });
  source.addEventListener('error', () => {
    if (source?.readyState !== EventSource.CLOSED) return;
    close();
    timer = setTimeout(open, REFUSED_MS);
  });
}

function close(): void {
  clearTimeout(timer);
  source?.close();
  source = null;
}

function read(data: unknown): { added?: unknown; posts?: unknown } {
  try {
    return Object(JSON.parse(String(data)));
  } catch {
    return {};
  }
}
