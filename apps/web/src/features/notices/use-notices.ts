import { useEffect } from 'react';
import { watchLive } from '../../lib/live-stream.ts';
import { useSessionAnswer } from '../../wallet/session-answer.ts';

/** Milliseconds between polls, for notices that come without a new post. */
const EVERY_MS = 60_000;
/** Milliseconds to wait after new posts, so that one call covers several of them. */
const GATHER_MS = 1_000;

/** The signed-in person's notices, newest first. They reload when posts arrive. */
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
