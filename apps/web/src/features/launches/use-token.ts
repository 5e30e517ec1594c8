import type { Post, TokenCheck } from '@archive/contracts';
import { useEffect, useRef } from 'react';
import { useSWRConfig } from 'swr';
import { useAnswer } from '../../lib/api.ts';
import { showLaunched } from './show-launched.ts';

/** How often a launch under way is asked for while its post is open. */
const EVERY_MS = 3_000;

/** What the server holds about the token of an opened post; a launch under way is followed until it has come to its end. */
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
  // Once: where the server contradicts itself for a moment, its answers would be asked for without end.
  const isTold = useRef(false);
  useEffect(() => {
    if (!isNews || isTold.current) return;
    isTold.current = true;
    showLaunched(post, cache, mutate).catch(() => {});
  }, [isNews, post, cache, mutate]);
  return data;
}

/** Whether somebody is launching a token from the post right now. */
export function isUnderWay(check: TokenCheck | undefined): boolean {
  return check !== undefined && !check.exists && check.tokenLaunch !== null;
}
