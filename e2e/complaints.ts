import type { Page } from '@playwright/test';

/** What these tests do themselves: they let no service worker stand between page and server. */
const OWN = /Service Worker registration blocked by Playwright/;

/** Errors and warnings of a page, in words, as they come. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !OWN.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}
