import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ENDPOINTS } from '@archive/contracts';
import { ROOT } from '@archive/processes';
import { Product } from '@archive/testing';
import { expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from './no-violations.ts';
import { posts } from './posts.ts';
import { TestWallet } from './test-wallet.ts';

/** A separate product, because other tests would count the posts of these tests. */
let product: Product;
let files = 0;

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  product = await Product.open({
    env: { WEB_DIR: join(ROOT, 'apps/web/dist') },
    prepare: async (empty) => {
      product = empty;
      await add(posts());
    },
  });
});

test.afterAll(() => product.close());

async function add(some: object[]): Promise<void> {
  const file = join(product.folder, `posts-${files++}.ndjson`);
  await writeFile(file, some.map((post) => `${JSON.stringify(post)}\n`).join(''));
  await product.command('import', file);
}

function arrivals(count: number, from: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    ...posts()[0],
    id: String(2_000_000_000_000_000_000n + BigInt(from + index)),
    url: `https://x.com/anwen/status/${2_000_000_000_000_000_000n + BigInt(from + index)}`,
    content: `Arrival ${from + index} at the harbour.`,
    // Old by time, but saved now.
    timestamp: '2020-01-01T00:00:00.000Z',
  }));
}

async function signIn(page: Page, wallet: TestWallet): Promise<void> {
  const banner = page.getByRole('banner');
  await banner.getByRole('button', { name: /^Connect/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: wallet.name }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** Resolves once the page's live stream is open. */
const untilTold = (page: Page) => page.waitForResponse((answer) => answer.url().includes(ENDPOINTS.live.path));

const pill = (page: Page) => page.getByRole('button', { name: /\d new posts?$/ });

test('posts that come are told of, nothing moves, and the press leads to them', async ({ page }) => {
  const opened = untilTold(page);
  await page.goto(product.url);
  const first = page.getByRole('region', { name: 'Posts' }).getByRole('article').first();
  await expect(first).toBeVisible();
  await opened;
  const place = await first.boundingBox();
  await add(arrivals(2, 0));
  await expect(pill(page)).toHaveText('2 new posts');
  await add(arrivals(1, 2));
  await expect(pill(page)).toHaveText('3 new posts');
  expect(await first.boundingBox()).toEqual(place);
  // After scrolling, the button stays 12 px below the top.
  await page.mouse.wheel(0, 1_500);
  await expect.poll(async () => (await pill(page).boundingBox())?.y).toBe(12);
  await pill(page).click();
  await expect(page).toHaveURL(`${product.url}/?sortBy=saved`);
  await expect(pill(page)).toHaveCount(0);
});

test('a page that is not looked at holds no stream, and is told afterwards what came', async ({ page }) => {
  const streams: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes(ENDPOINTS.live.path)) streams.push(request.url());
  });
  const opened = untilTold(page);
  const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith(ENDPOINTS.live.path));
  await page.goto(product.url);
  await opened;
  expect(streams).toHaveLength(1);
  await add(arrivals(1, 10));
  await expect(pill(page)).toHaveText('1 new post');
  await look(page, false);
  await ended;
  await add(arrivals(2, 11));
  expect(streams).toHaveLength(1);
  await expect(pill(page)).toHaveText('1 new post');
  await look(page, true);
  await expect(pill(page)).toHaveText('3 new posts');
  expect(streams[1]).toMatch(/\?since=\d+$/);
});

test('an open list lets go of a post that is removed, and its page says that it is gone', async ({ page, context }) => {
  await add(arrivals(2, 7_000));
  const find = `${product.url}/?search=Arrival+7000+at`;
  const found = async () => {
    const answer = await page.request.get(`${product.url}${ENDPOINTS.listArchives.path}?search=Arrival+7000+at`);
    return (await answer.json()).data as { _id: string }[];
  };
  await expect.poll(async () => (await found()).length).toBe(1);
  const [{ _id } = { _id: '' }] = await found();
  const [single, list] = [await context.newPage(), page];
  const both = Promise.all([untilTold(single), untilTold(list)]);
  await single.goto(`${product.url}/post/${_id}`);
  await list.goto(find);
  // The search runs again then, and may show looser matches.
  const removed = list.getByRole('article').filter({ hasText: 'Arrival 7000' });
  await expect(removed).toHaveCount(1);
  await both;
  await product.command('remove', _id, '--yes');
  await expect(removed).toHaveCount(0);
  await expect(single.getByRole('heading', { name: 'This post was removed' })).toBeVisible();
});

/** Simulates leaving the tab, and coming back to it. */
function look(page: Page, isLookedAt: boolean): Promise<void> {
  return page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, !isLookedAt);
}

test('a saved search tells of a new post by itself, once', async ({ page, context }) => {
  const wallet = new TestWallet();
  await wallet.install(context);
  // The bell opens the stream after it has loaded the notices.
  const follows = Promise.all([
    untilTold(page),
    page.waitForResponse((answer) => answer.url().endsWith(ENDPOINTS.listNotices.path)),
  ]);
  await page.goto(`${product.url}/?search=harbour`);
  await signIn(page, wallet);
  await page.getByRole('button', { name: 'Save this search' }).first().click();
  await expect(page.getByText('Saved as “harbour”.')).toBeVisible();
  const bell = page.getByRole('banner').getByRole('link', { name: /^Notices/ });
  await expect(bell).toHaveAccessibleName('Notices');
  await follows;
  // Starts waiting beforehand, because the toast disappears by itself.
  const said = page.getByText('1 new post in “harbour”').waitFor();
  await add([...arrivals(1, 5_000), { ...arrivals(1, 6_000)[0], content: 'Of something else.' }]);
  await said;
  await expect(bell).toHaveAccessibleName('Notices, 1 new');
  await bell.click();
  const notices = page.getByRole('region', { name: 'Notices' });
  await expect(notices.getByRole('link')).toHaveCount(1);
  await expectNoViolations(page);
  const search = page.getByRole('region', { name: 'Saved searches' }).getByRole('link', { name: /^harbour/ });
  await expect(search).toHaveAccessibleName(/^harbour ?1 new/);
  await add(arrivals(1, 5_500));
  await expect(search).toHaveAccessibleName(/^harbour ?2 new/);
  await search.click();
  await expect(page).toHaveURL(/search=harbour&sortBy=saved/);
  await expect(bell).toHaveAccessibleName('Notices');
});

test('a collection is made from a post, and read by whoever has its link', async ({ page, context, browser }) => {
  const wallet = new TestWallet();
  await wallet.install(context);
  const { data } = await (await page.request.get(`${product.url}${ENDPOINTS.listArchives.path}?limit=1`)).json();
  await page.goto(`${product.url}/post/${data[0]._id}`);
  await signIn(page, wallet);
  await page.getByRole('button', { name: 'Collect' }).click();
  const put = page.getByRole('dialog', { name: 'Put into a collection' });
  await put.getByRole('button', { name: 'New collection' }).click();
  const form = page.getByRole('dialog', { name: 'New collection' });
  await form.getByLabel('Name', { exact: true }).fill('Harbour lights');
  await form.getByRole('checkbox').check();
  await expectNoViolations(page);
  await form.getByRole('button', { name: 'Make collection' }).click();
  await expect(page.getByText('Put into “Harbour lights”.')).toBeVisible();
  await page.goto(`${product.url}/dashboard`);
  await page.getByRole('link', { name: /^Harbour lights/ }).click();
  await expect(page.getByRole('heading', { name: 'Harbour lights' })).toBeVisible();
  await expect(page.getByRole('article')).toHaveCount(1);
  const visitor = await browser.newPage();
  await visitor.goto(page.url());
  await expect(visitor.getByRole('article')).toHaveCount(1);
  await expect(visitor.getByRole('button', { name: 'Delete' })).toHaveCount(0);
  await expectNoViolations(visitor);
  await visitor.close();
});
