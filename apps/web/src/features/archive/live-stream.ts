import { addressOf } from '@archive/client';

/** After a refusal the browser does not come back by itself. */
const REFUSED_MS = 30_000;

/**
 * Tells of posts that have come, while the page is looked at: only then it holds a stream. What came while it had none is
 * told with the next one. Answers how to stop.
 */
export function watchLive(onAdded: (added: number) => void): () => void {
  let source: EventSource | null = null;
  let last: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function open() {
    if (source !== null || document.hidden || typeof EventSource === 'undefined') return;
    source = new EventSource(addressOf('live', { query: { since: last } }));
    source.addEventListener('posts', ({ data, lastEventId }) => {
      if (lastEventId !== '') last = lastEventId;
      const added = readAdded(data);
      if (added > 0) onAdded(added);
    });
    source.addEventListener('error', () => {
      if (source?.readyState !== EventSource.CLOSED) return;
      close();
      timer = setTimeout(open, REFUSED_MS);
    });
  }

  function close() {
    clearTimeout(timer);
    source?.close();
    source = null;
  }

  const follow = () => (document.hidden ? close() : open());
  document.addEventListener('visibilitychange', follow);
  open();
  return () => {
    document.removeEventListener('visibilitychange', follow);
    close();
  };
}

function readAdded(data: unknown): number {
  try {
    const { added } = JSON.parse(String(data)) as { added?: unknown };
    return typeof added === 'number' && Number.isSafeInteger(added) ? added : 0;
  } catch {
    return 0;
  }
}
