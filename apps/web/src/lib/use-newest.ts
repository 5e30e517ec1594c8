import { useCallback, useRef } from 'react';

/**
 * Tracks the newest of several attempts. Each call begins an attempt and returns a function that says whether it is
 * still the newest.
 */
export function useNewest(): () => () => boolean {
  const newest = useRef(0);
  return useCallback(() => {
    const mine = ++newest.current;
    return () => newest.current === mine;
  }, []);
}
