import { startTransition, useEffect, useState } from 'react';

/** A tab in the background is not painted, so it resolves after this many milliseconds. */
const UNSEEN_MS = 1000;

let shown: Promise<void> | undefined;
let isShown = false;

/** Resolves once the page's first content is painted. Work that can wait starts after it. */
export function pageShown(): Promise<void> {
  shown ??= new Promise((resolve) => {
    const end = () => {
      isShown = true;
      resolve();
    };
    setTimeout(end, UNSEEN_MS);
    // The second frame starts after the first one was painted.
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(end)));
  });
  return shown;
}

export function usePageShown(): boolean {
  const [is, set] = useState(isShown);
  useEffect(() => {
    if (!is) void pageShown().then(() => startTransition(() => set(true)));
  }, [is]);
  return is;
}
