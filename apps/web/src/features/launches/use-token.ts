import type { Post, TokenCheck } from '@archive/contracts';
import { useEffect, useRef } from 'react';
import { useSWRConfig } from 'swr';
import { useAnswer } from '../../lib/api.ts';
import { showLaunched } from './show-launched.ts';

/** Milliseconds between polls for an unfinished launch while its post is open. */
const EVERY_MS = 3_000;

/** The server's state of an opened post's token. An unfinished launch is followed to its end. */
export function useToken(post: Post): TokenCheck | undefined {
  const { cache, mutate } = useSWRConfig();
  const { data } = useAnswer(
    'checkToken',
    { params: { id: post._id } },
    {
      refreshInterval: (check) => (isUnderWay(check) ? EVERY_MS : 0),
    },
  );
  const isNews = data?.exists === true && !post.launched;
  // Only once: contradictory answers of the server would cause endless reloads.
  const isTold = useRef(false);
  useEffect(() => {
    if (!isNews || isTold.current) return;
    isTold.current = true;
    showLaunched(post, cache, mutate).catch(() => {});
  }, [isNews, post, cache, mutate]);
  return data;
}

/** Whether a launch from the post is unfinished. */
export function isUnderWay(check: TokenCheck | undefined): boolean {
  return check !== undefined && !check.exists && check.tokenLaunch !== null;
}
