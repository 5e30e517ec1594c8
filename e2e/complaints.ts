import type { Page } from '@playwright/test';

/** A warning that the tests cause themselves, because they block service workers. */
const OWN = /Service Worker registration blocked by Playwright/;

/** The errors and warnings of a page, appended as they occur. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !OWN.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}
