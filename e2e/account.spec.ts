import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { expectNoViolations } from './no-violations.ts';
import { TestWallet } from './test-wallet.ts';

for (const width of [360, 1400]) {
  test(`a person sees what is kept, takes it along and deletes the account, ${width} wide`, async ({
    page,
    context,
  }) => {
    const wallet = new TestWallet();
    await wallet.install(context);
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/dashboard');
    await page.getByRole('main').getByRole('button', { name: 'Connect wallet' }).click();
    await page.getByRole('dialog').getByRole('button', { name: wallet.name }).click();
    const panel = page.getByRole('region', { name: 'What is kept of you' });
    await expect(panel.getByText('Sessions')).toBeVisible();
    await expectNoViolations(page, 'account');

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      panel.getByRole('button', { name: 'Download' }).click(),
    ]);
    const kept = JSON.parse(await readFile(await file.path(), 'utf8'));
    expect(kept).toMatchObject({ walletAddress: wallet.address, sessions: [{}], reactions: [] });

    await panel.getByRole('button', { name: 'Delete account…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await expect(dialog.getByText('This stays')).toBeVisible();
    await expectNoViolations(page, 'delete account');
    wallet.answer = 'no';
    await dialog.getByRole('button', { name: 'Sign and delete' }).click();
    await expect(dialog.getByText('You declined in your wallet.')).toBeVisible();
    wallet.answer = 'yes';
    await dialog.getByRole('button', { name: 'Sign and delete' }).click();
    await expect(page.getByText('Your account is deleted.')).toBeVisible();
    await expect(page.getByText('Please connect your wallet to view your dashboard')).toBeVisible();
    expect(JSON.parse(wallet.signed.at(-1) ?? '{}')).toMatchObject({ action: 'deleteAccount' });
  });

  test(`the page on privacy says what is kept, ${width} wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/explore');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'What is kept, and for how long' })).toBeVisible();
    await expect(page.getByText('Which reaction you gave to which post, and when')).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await expectNoViolations(page);
  });
}
