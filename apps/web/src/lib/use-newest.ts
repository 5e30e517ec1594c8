import { useCallback, useRef } from 'react';

/** Of several attempts the newest counts: each call begins one, and answers how to ask whether it still is the newest. */
export function useNewest(): () => () => boolean {
  const newest = useRef(0);
  return useCallback(() => {
    const mine = ++newest.current;
    return () => newest.current === mine;
  }, []);
}
