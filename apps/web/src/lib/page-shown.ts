import { startTransition, useEffect, useState } from 'react';

/** A tab that nobody looks at is not painted, and is done with this. */
const UNSEEN_MS = 1000;

let shown: Promise<void> | undefined;
let isShown = false;

/** The first content of the page stands on the screen: what it can do without until then comes after it. */
export function pageShown(): Promise<void> {
  shown ??= new Promise((resolve) => {
    const end = () => {
      isShown = true;
      resolve();
    };
    setTimeout(end, UNSEEN_MS);
    // The second frame begins when the first one has been handed over.
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
