import { type BrowserContext, expect, type Page } from '@playwright/test';
import { TestWallet } from './test-wallet.ts';

/** The wallet that the settings of the tested product name as admin. */
export function adminWallet(): TestWallet {
  return new TestWallet({ name: 'Admin wallet', seed: new Uint8Array(32).fill(7) });
}

export async function signInAsAdmin(page: Page, context: BrowserContext, url = '/'): Promise<void> {
  const wallet = adminWallet();
  await wallet.install(context);
  await page.goto(url);
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Connect/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: wallet.name }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(
    page.getByRole('banner').getByRole('button', { name: new RegExp(wallet.address.slice(0, 4)) }),
  ).toBeVisible();
}
