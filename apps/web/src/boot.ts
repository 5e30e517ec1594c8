/** Runs in the head before the first paint: sets the theme and starts the API calls of the first screen. */
import { ENDPOINTS } from '@archive/contracts';
import { firstCalls, plainListAddress } from './app/first-calls.ts';
import { applyTheme, storedTheme } from './lib/theme.ts';

applyTheme(storedTheme());
const { pathname, search } = window.location;
for (const address of firstCalls(pathname, search, plainListAddress)) preload(address);
document.documentElement.dataset['start'] = pathname === '/' && search === '' ? 'archive' : 'other';

function preload(address: string): void {
  const link = document.createElement('link');
  link.rel = 'preload';
  link.as = 'fetch';
  link.crossOrigin = 'anonymous';
  link.href = address;
  if (address === ENDPOINTS.analytics.path) link.fetchPriority = 'low';
  document.head.append(link);
}
