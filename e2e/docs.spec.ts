import { expect, test } from '@playwright/test';
import { expectNoViolations } from './no-violations.ts';

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

test('the page for programs has an example of each way, which work as written, and a way to the reference', async ({
  page,
  request,
}) => {
  await page.goto('/');
  const post = await page
    .getByRole('region', { name: 'Posts' })
    .locator('a[data-post-stop]')
    .first()
    .getAttribute('href');
  await page.getByRole('contentinfo').getByRole('link', { name: 'For programs' }).click();
  await expect(page.getByRole('heading', { name: 'For programs' })).toBeVisible();
  await expectNoViolations(page, 'for programs');
  const commands = await page.locator('pre').allTextContents();
  expect(commands.length).toBeGreaterThan(5);
  for (const command of commands) {
    const [, url = ''] = /curl '([^']+)'/.exec(command) ?? [];
    const headers = Object.fromEntries(
      [...command.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name, value]) => [name, value]),
    );
    const [, data] = /-d '(.+)'$/.exec(command) ?? [];
    const answer = await request.fetch(url.replace('/post/ID', post ?? ''), {
      headers: headers as Record<string, string>,
      ...(data === undefined ? {} : { method: 'POST', data }),
    });
    // The placeholder key is refused: only an operator can create a key.
    expect([command, answer.status()]).toEqual([command, command.includes('Bearer KEY') ? 401 : 200]);
  }
  await page.getByRole('link', { name: 'Every call, with its parameters and answers' }).click();
  await page.getByRole('navigation', { name: 'Way back' }).getByRole('link', { name: 'For programs' }).click();
  await expect(page.getByRole('heading', { name: 'For programs' })).toBeVisible();
});
