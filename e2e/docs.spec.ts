import { expect, test } from '@playwright/test';

test('the API describes itself on a page of its own, under the policy of all pages', async ({ page }) => {
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto('/docs');
  await expect(page.getByRole('heading', { name: /Amber API/ })).toBeVisible();
  await page
    .getByRole('button', { name: /One page of posts, filtered and sorted/ })
    .first()
    .click();
  await expect(page.getByText('Anybody may call it.')).toBeVisible();
  expect(problems).toEqual([]);
});
