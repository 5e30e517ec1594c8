import { addressOf } from '@archive/client';

/** After a refusal the browser does not come back by itself. */
const REFUSED_MS = 30_000;

type Listener = (added: number) => void;

const listeners = new Set<Listener>();
let source: EventSource | null = null;
let last: string | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Tells of posts that have come, while the page is looked at: only then it holds a stream, one for all who listen. What came
 * while it had none is told with the next one. Answers how to stop.
 */
export function watchLive(onAdded: Listener): () => void {
  if (listeners.size === 0) document.addEventListener('visibilitychange', follow);
  listeners.add(onAdded);
  open();
  return () => {
    listeners.delete(onAdded);
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
    const added = readAdded(data);
    if (added > 0) for (const listener of listeners) listener(added);
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

function readAdded(data: unknown): number {
  try {
    const { added } = JSON.parse(String(data)) as { added?: unknown };
    return typeof added === 'number' && Number.isSafeInteger(added) ? added : 0;
  } catch {
    return 0;
  }
}
