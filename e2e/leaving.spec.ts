import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page, test } from '@playwright/test';

const WORDS = 'The lighthouse keeper counts the ships twice.';

const idOf = async (page: Page) => {
  const { data } = await (await page.request.get('/amber/archives?search=counts+the+ships')).json();
  return data[0]._id as string;
};
/** The title and the meta data of a page's head. */
const head = (page: Page) =>
  page.evaluate(() =>
    [
      ...document.head.querySelectorAll(
        'title, meta[name], meta[property], link[rel="canonical"], link[rel="alternate"]',
      ),
    ]
      .map((element) => element.outerHTML)
      .toSorted(),
  );

test('the page’s script leaves its head as the server wrote it, and then lets it follow the view', async ({ page }) => {
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  for (const path of [`/post/${await idOf(page)}`, '/author/anwen', '/?search=harbour', '/']) {
    // If the full head takes too long, the server sends a minimal one. So try again.
    await expect(async () => {
      await page.route('**/*.js', (route) => route.abort());
      await page.goto(path, { waitUntil: 'domcontentloaded' });
      const written = await head(page);
      await page.unroute('**/*.js');
      problems.length = 0;
      await page.goto(path);
      await page.getByRole('main').getByRole('article').first().waitFor();
      expect([path, await head(page)]).toEqual([path, written]);
      expect(written.join()).toContain('og:url');
    }).toPass();
  }
  await page.getByRole('searchbox').fill('lighthouse');
  await expect(page).toHaveTitle('lighthouse in Amber');
  await expect(page.locator('link[type="application/atom+xml"]')).toHaveAttribute(
    'href',
    '/feed.atom?search=lighthouse',
  );
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute('href', /\/\?search=lighthouse$/);
  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  await expect(page).toHaveTitle('Dashboard, Amber');
  await expect(page.locator('link[type="application/atom+xml"]')).toHaveCount(0);
  expect(problems).toEqual([]);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a reader finds a post by its search, its author and its page', async ({ page }) => {
    // Playwright finds no text inside a noscript by default.
    const post = page.locator('noscript article').filter({ hasText: WORDS });
    /** If the posts take too long, the server tells the browser to try again. */
    const isThere = () =>
      expect(async () => {
        await page.reload();
        await expect(post).toBeVisible({ timeout: 1_000 });
      }).toPass();
    await page.goto('/?search=counts+the+ships');
    await isThere();
    await post.locator('a').first().click();
    await expect(page).toHaveURL(/\/author\/anwen$/);
    await isThere();
    await post.locator('a').nth(1).click();
    await expect(page).toHaveURL(/\/post\/[0-9a-f]{24}$/);
    await isThere();
  });
});

test('another site shows a post in a frame, as the archive says how', async ({ page, baseURL }) => {
  const id = await idOf(page);
  const address = new URL(`/embed/${id}`, baseURL).href;
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(
      `<!doctype html><title>elsewhere</title><iframe sandbox="allow-popups" width="550" height="260" src="${address}"></iframe>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const frame = page.frameLocator('iframe');
  await expect(frame.getByText(WORDS)).toBeVisible();
  await expect(frame.locator('article')).toHaveCSS('border-radius', '16px');
  expect(problems).toEqual([]);
  server.closeAllConnections();
  server.close();
});
