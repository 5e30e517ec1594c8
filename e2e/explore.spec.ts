import { ENDPOINTS } from '@archive/contracts';
import { expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from './no-violations.ts';

const LAST = 'Most reacted this week';

async function open(page: Page): Promise<void> {
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value } = entry as PerformanceEntry & { value: number };
        document.documentElement.dataset['shift'] = String(
          Number(document.documentElement.dataset['shift'] ?? 0) + value,
        );
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto('/explore');
  await expect(page.getByRole('heading', { name: LAST })).toBeVisible();
  await expect(page.getByRole('region', { name: 'A random post' }).locator('[data-post-stop]')).toBeVisible();
}

for (const width of [1400, 768, 360]) {
  test.describe(`${width} wide`, () => {
    test.use({ viewport: { width, height: 900 } });

    test('the ways into the archive stand still, fit, and axe finds nothing', async ({ page }) => {
      await open(page);
      await page.waitForLoadState('networkidle');
      expect(await page.evaluate(() => document.documentElement.dataset['shift'] ?? '0')).toBe('0');
      await expectNoViolations(page);
    });
  });
}

test('a month of a category is chosen by pointer or by keys, and leads to its posts', async ({ page }) => {
  await open(page);
  const plot = page.getByRole('region', { name: /^Categories by month/ });
  const stop = plot.getByRole('link', { name: /^\w+, \w+ \d{4}: / }).and(page.locator(':not([tabindex])'));
  await expect(stop).toHaveCount(1);
  const before = await stop.getAttribute('aria-label');
  await stop.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowDown');
  await expect(stop).not.toHaveAttribute('aria-label', before ?? '');
  const told = /(\d+) posts?$/.exec((await stop.getAttribute('aria-label')) ?? '')?.[1];
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\?category=\w+&startDate=\d{4}-\d\d-01&endDate=/);
  await expect(page.getByText(new RegExp(`^${told} (tweets?|posts?)`)).first()).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: LAST })).toBeVisible();
  const box = await stop.boundingBox();
  await page.mouse.move((box?.x ?? 0) - (box?.width ?? 0) * 5, (box?.y ?? 0) + 5);
  await expect(stop).not.toHaveAttribute('aria-label', before ?? '');
});

test('another random post comes by a press, nothing below it moves, and it opens', async ({ page }) => {
  await open(page);
  const random = page.getByRole('region', { name: 'A random post' });
  const link = random.locator('[data-post-stop]');
  const first = await link.getAttribute('href');
  const below = page.getByRole('heading', { name: /^Categories by month/ });
  const top = (await below.boundingBox())?.y;
  await random.getByRole('button', { name: 'Another one' }).click();
  await expect(link).not.toHaveAttribute('href', first ?? '');
  expect((await below.boundingBox())?.y).toBe(top);
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('the bar and the menu lead there', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Explore' }).click();
  await expect(page).toHaveTitle('Explore, Amber');
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Explore' })).toHaveAttribute('aria-current', 'page');
});

test('an archive that cannot tell its figures says so', async ({ page }) => {
  await page.route(`**${ENDPOINTS.explore.path}`, (route) => route.fulfill({ status: 400, body: '{}' }));
  await page.goto('/explore');
  await expect(page.getByText('The figures could not be loaded.')).toBeVisible();
  await expectNoViolations(page, 'explore failed');
});
