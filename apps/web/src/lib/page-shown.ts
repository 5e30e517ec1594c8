/** A tab that nobody looks at is not painted, and is done with this. */
const UNSEEN_MS = 1000;

let shown: Promise<void> | undefined;

/** The first content of the page stands on the screen: what it can do without until then comes after it. */
export function pageShown(): Promise<void> {
  shown ??= new Promise((resolve) => {
    setTimeout(resolve, UNSEEN_MS);
    // The second frame begins when the first one has been handed over.
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
  });
  return shown;
}
