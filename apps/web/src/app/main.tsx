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

/** How long the frame in index.html may stand before placeholders take its place. */
const PATIENCE_MS = 1500;
/** The configuration decides what the header consists of, and no placeholder can know that. */
const CONFIG_PATIENCE_MS = 5000;

const cache = new Map<string, object>();
const ownList = (search: string, handle?: string) => listAddress(parseView(search), handle);
const calls = firstCalls(window.location.pathname, window.location.search, ownList);
const answers = calls.map((address) =>
  fetchEarly(address).then(
    // Not loading: who draws with it would draw once more when that is over.
    (data) => void cache.set(address, { data, isLoading: false, isValidating: false }),
    () => {},
  ),
);
// Not awaited by the module itself: parts of the page import it, and would wait for it in turn.
void draw();

/** Once, with what the page consists of: nothing moves afterwards. */
async function draw(): Promise<void> {
  const parts = fetchParts(window.location.pathname, window.location.search);
  await Promise.all([atMost(PATIENCE_MS, [...answers, parts]), atMost(CONFIG_PATIENCE_MS, answers.slice(0, 1))]);

  // Only the frame is told apart by the address it was opened at.
  delete document.documentElement.dataset['start'];
  const root = document.getElementById('root');
  if (root === null) throw new Error('index.html has no root.');
  const page = createRoot(root);
  // In slices, so that a slow phone answers a touch while it draws.
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
