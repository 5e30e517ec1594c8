import { useEffect } from 'react';
import { watchLive } from '../../lib/live-stream.ts';
import { useSessionAnswer } from '../../wallet/session-answer.ts';

/** What comes to pass without a new post is seen this late at most. */
const EVERY_MS = 60_000;
/** The server is asked a moment after posts have come, and not again for each that follows. */
const GATHER_MS = 1_000;

/** What the signed-in person is told, newest first; asked for again as soon as posts have come. */
export function useNotices() {
  const { data, error, reload } = useSessionAnswer('listNotices', { refreshInterval: EVERY_MS });
  const isAsked = data !== undefined || error !== undefined;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `reload` is another one each time, and does the same.
  useEffect(() => {
    if (!isAsked) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = watchLive({
      onAdded: () => {
        timer ??= setTimeout(() => {
          timer = undefined;
          reload();
        }, GATHER_MS);
      },
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [isAsked]);

  return { notices: data?.data, unread: data?.unread ?? 0, error, reload };
}
