import { PRODUCT_SLUG } from '@archive/contracts';
import { expect, type Page } from '@playwright/test';
import bs58 from 'bs58';
import { openPost } from './note-page.ts';

export async function openSheet(page: Page): Promise<void> {
  await openPost(page);
  await page.getByRole('button', { name: 'Feature This Tweet' }).click();
  await expect(sheet(page)).toBeVisible();
}

export async function pay(page: Page): Promise<void> {
  await sheet(page).getByRole('button', { name: 'Pay 1 AMBER and feature' }).click();
}

export function sheet(page: Page) {
  return page.getByRole('dialog', { name: /[Ff]eatur/ });
}

export function steps(page: Page) {
  return sheet(page).getByRole('list', { name: 'Payment' }).getByRole('listitem');
}

/** The signatures of the payments in this browser's journal. */
export function journal(page: Page): Promise<string[]> {
  const prefix = `${PRODUCT_SLUG}.payment.`;
  return page.evaluate(
    (start) =>
      Object.keys(localStorage)
        .filter((key) => key.startsWith(start))
        .map((key) => key.slice(start.length)),
    prefix,
  );
}

/** Records a transaction without sending it. */
export function swallow(into: string[], [transaction]: unknown[]): string {
  into.push(String(transaction));
  return signatureOf(String(transaction));
}

export function signatureOf(transaction = ''): string {
  return bs58.encode(Buffer.from(transaction, 'base64').subarray(1, 65));
}
