import { fetchEarly, fetchJson } from '../lib/api.ts';
import '../ui/tokens.css';
import '../ui/fonts.css';
import '../ui/base.css';
import '../ui/shapes.css';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { SWRConfig } from 'swr';
import { listAddress, parseView } from '../features/archive/view-state.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import { App, fetchParts } from './app.tsx';
import { firstCalls } from './first-calls.ts';

/** Milliseconds before placeholders replace the static frame of index.html. */
const PATIENCE_MS = 1500;
/** Milliseconds to wait for the configuration. It decides the header's contents, so no placeholder can stand in. */
const CONFIG_PATIENCE_MS = 5000;

const cache = new Map<string, object>();
const ownList = (search: string, handle?: string) => listAddress(parseView(search), handle);
const calls = firstCalls(window.location.pathname, window.location.search, ownList);
const answers = calls.map((address) =>
  fetchEarly(address).then(
    // Marked as not loading: otherwise each component that reads it would render twice.
    (data) => void cache.set(address, { data, isLoading: false, isValidating: false }),
    () => {},
  ),
);
// Not awaited here: parts of the page import this module, and a top-level await would deadlock with them.
void draw();

/** Renders once, after the answers and the code have arrived, so that nothing shifts afterwards. */
async function draw(): Promise<void> {
  const parts = fetchParts(window.location.pathname, window.location.search);
  await Promise.all([atMost(PATIENCE_MS, [...answers, parts]), atMost(CONFIG_PATIENCE_MS, answers.slice(0, 1))]);

  // Only the static frame's styles depend on the address it was opened at.
  delete document.documentElement.dataset['start'];
  const root = document.getElementById('root');
  if (root === null) throw new Error('index.html has no root.');
  const page = createRoot(root);
  // Renders in slices, so that a slow phone can answer a touch meanwhile.
  startTransition(() =>
    page.render(
      <SWRConfig
        value={{
          fetcher: fetchJson,
          provider: () => cache,
          revalidateOnFocus: false,
          shouldRetryOnError: false,
        }}
      >
        <App />
      </SWRConfig>,
    ),
  );
}

function atMost(limitMs: number, some: Promise<void>[]): Promise<unknown> {
  return withTimeout(Promise.all(some), limitMs).catch(() => {});
}
