import { ENDPOINTS } from '@archive/contracts';
import type { Page } from '@playwright/test';

/** What these tests do themselves: they let no service worker stand between page and server. */
const OWN = /Service Worker registration blocked by Playwright/;
/** Whoever signs in asks whether they are an operator; to others there is nothing at that address, which browsers mention. */
const ASKED = ENDPOINTS.adminMe.path;

/** Errors and warnings of a page, in words, as they come. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    const isOwn = OWN.test(message.text()) || message.location().url.endsWith(ASKED);
    if (['error', 'warning'].includes(message.type()) && !isOwn) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}
