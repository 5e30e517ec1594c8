import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ENDPOINTS, type Post } from '@archive/contracts';
import { ROOT } from '@archive/processes';
import { Payer, Product } from '@archive/testing';
import { expect, type Page, test } from '@playwright/test';
import { adminWallet, signInAsAdmin } from './admin-wallet.ts';
import { expectNames } from './names.ts';
import { expectNoViolations } from './no-violations.ts';
import { FEATURED_ID, posts } from './posts.ts';
import { TestWallet } from './test-wallet.ts';

const PAGES = ['today', 'posts', 'authors', 'saves', 'payments', 'launches', 'featuring', 'keys', 'wallets'];
/** Pages whose controls do not depend on earlier tests. */
const SAME_AFTER_ALL = new Set(['today', 'posts', 'authors', 'featuring']);
const STRANGER = new TestWallet().address;

/** A separate product, because these tests stop functions and remove posts that other tests need. */
let product: Product;

test.describe.configure({ mode: 'default' });

test.beforeAll(async () => {
  product = await Product.open({
    solana: { slotMs: 150 },
    env: {
      WEB_DIR: join(ROOT, 'apps/web/dist'),
      ADMIN_WALLETS: adminWallet().address,
    },
    prepare: async (empty) => {
      product = empty;
      product.env['PUBLIC_SOLANA_RPC_URL'] = product.solana.rpcUrl;
      const file = join(product.folder, 'posts.ndjson');
      await writeFile(
        file,
        posts()
          .map((post) => `${JSON.stringify(post)}\n`)
          .join(''),
      );
      await product.command('import', file);
      await product.command('feature', FEATURED_ID);
    },
  });
});

test.afterAll(() => product.close());

test.beforeEach(async ({ page, context }) => {
  await signInAsAdmin(page, context, product.url);
});

async function open(page: Page, name: string): Promise<void> {
  await page.goto(`${product.url}/admin/${name}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

const dialog = (page: Page) => page.getByRole('dialog');
const rows = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).locator('tbody tr');

/** Confirms the open dialog with a reason, and waits for the toast. */
async function confirm(page: Page, label: string, said: string): Promise<void> {
  await dialog(page).getByLabel('Reason, kept in the log').fill('As agreed in the tests.');
  await expectNames(page, `admin ${new URL(page.url()).pathname.split('/').at(-1)} ${label}`);
  // Starts waiting before the click, because the toast disappears by itself.
  await Promise.all([
    page.getByText(said).first().waitFor(),
    dialog(page).getByRole('button', { name: label, exact: true }).click(),
  ]);
  await expect(dialog(page)).toHaveCount(0);
}

test('a credit is held, what did not pay it back is refused in words, and it is released', async ({ page }) => {
  const payer = await Payer.open(product.solana);
  const featured = (await (
    await page.request.get(product.url + ENDPOINTS.getArchive.path.replace(':id', FEATURED_ID))
  ).json()) as Post;
  const transaction = await payer.pay(featured._id);
  await expect
    .poll(
      async () => {
        await open(page, 'payments');
        await expect(page.getByText('Loading...')).toHaveCount(0);
        return page.getByRole('button', { name: 'Hold: 1 AMBER' }).count();
      },
      { timeout: 90_000 },
    )
    .toBe(1);
  await expect(rows(page, 'Payments')).toContainText(['the post was featured already']);
  await page.getByRole('button', { name: 'Hold: 1 AMBER' }).click();
  await expectNoViolations(page);
  await confirm(page, 'Hold', 'Held. Now send the money back');
  await expect(rows(page, 'Payments')).toContainText(['Held, to be paid back']);

  await page.getByRole('button', { name: 'Mark as paid back: 1 AMBER' }).click();
  await dialog(page).getByLabel('The transaction that paid it back').fill(transaction);
  await dialog(page).getByRole('button', { name: 'Mark as paid back', exact: true }).click();
  await expect(dialog(page).getByText('This transaction pays nothing of this token to the payer.')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Release: 1 AMBER' }).click();
  await confirm(page, 'Release', 'Released: its payer can use it.');
  await page.getByLabel('Which payments').selectOption('Credit');
  await expect(rows(page, 'Payments')).toHaveCount(1);
  await page.getByLabel('Payments of a wallet').fill(STRANGER);
  await expect(page.getByText('No payment of that kind.')).toBeVisible();
});

test('launching is stopped by one press, no card offers it, its form says so, and it is opened again', async ({
  page,
}) => {
  await open(page, 'launches');
  await expect(page.getByText('The launch key holds')).toBeVisible();
  await page.getByRole('button', { name: 'Stop launching' }).click();
  await confirm(page, 'Stop launching', 'Launching is stopped.');
  await expect(page.getByText('As agreed in the tests.')).toBeVisible();
  await page.goto(`${product.url}/?search=note+number+30+from`);
  await page.getByRole('article').first().locator('[data-post-stop]').click();
  await expect(page.getByRole('button', { name: 'Launch', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Launch Token' }).click();
  await expect(page.getByRole('dialog').last()).toContainText('Launching is paused for now. Nothing was sent.');
  await open(page, 'launches');
  await page.getByRole('button', { name: 'Open launching' }).click();
  await confirm(page, 'Open launching', 'Launching is open.');
});

test('featuring is stopped and told of as stopped; a price is set and cleared', async ({ page }) => {
  await open(page, 'featuring');
  await page.getByRole('button', { name: 'Stop featuring' }).click();
  await confirm(page, 'Stop featuring', 'Featuring is stopped.');
  await page.goto(`${product.url}/?search=note+number+30+from`);
  await page.getByRole('article').first().locator('[data-post-stop]').click();
  await page.getByRole('button', { name: 'Feature This Tweet' }).click();
  await expect(page.getByText('Featuring is paused for now.')).toBeVisible();
  await open(page, 'featuring');
  await page.getByRole('button', { name: 'Open featuring' }).click();
  await confirm(page, 'Open featuring', 'Featuring is open.');

  await page.getByRole('button', { name: 'Set price' }).click();
  await dialog(page).getByLabel('Price, in AMBER').fill('2.5');
  await confirm(page, 'Set price', 'Featuring costs 2.5 AMBER now.');
  await expect(page.getByText('set by an operator')).toBeVisible();
  await page.getByRole('button', { name: 'Clear price' }).click();
  await confirm(page, 'Clear price', 'Featuring costs 1 AMBER now, as the settings say.');
});

test('a key is shown once, counts what came with it before that goes, and is revoked', async ({ page }) => {
  await open(page, 'keys');
  await page.getByRole('button', { name: 'Make a key' }).click();
  await dialog(page).getByLabel('What it is for').fill('Harbour agent');
  await dialog(page).getByLabel('Posts per minute (default if empty)').fill('60');
  await expectNoViolations(page);
  await confirm(page, 'Make key', 'The key is made.');
  const made = page.getByRole('region', { name: 'The new key' });
  const key = (await made.locator('code').textContent()) ?? '';
  expect(key).toMatch(/^amber_[0-9a-f]{12}_/);
  await expect(rows(page, 'Keys').first()).toContainText('60 a minute');

  const post = { ...posts()[0], id: '2000000000000000001', content: 'Sent by the agent of the harbour.' };
  const sent = await page.request.post(product.url + ENDPOINTS.ingestArchives.path, {
    data: { posts: [{ ...post, url: 'https://x.com/anwen/status/2000000000000000001' }] },
    headers: { Authorization: `Bearer ${key}` },
  });
  expect(sent.ok(), await sent.text()).toBe(true);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await expect(made).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo all: Harbour agent' }).click();
  await expect(dialog(page).getByText('1 post', { exact: true })).toBeVisible();
  await expect(dialog(page).getByText('Sent by the agent of the harbour.')).toBeVisible();
  await confirm(page, 'Undo all', 'Removed: 1 post.');
  await page.getByRole('button', { name: 'Revoke: Harbour agent' }).click();
  await confirm(page, 'Revoke', 'The key of Harbour agent is revoked.');
  await expect(rows(page, 'Keys').first()).toContainText('Revoked');
});

test('a wallet is suspended and resumed, another made a moderator and unmade', async ({ page }) => {
  await open(page, 'wallets');
  await page.getByRole('button', { name: 'Suspend a wallet' }).click();
  await dialog(page).getByLabel('The wallet’s address').fill('nobody');
  await dialog(page).getByRole('button', { name: 'Suspend', exact: true }).click();
  await expect(dialog(page).getByText('must be a Solana address')).toBeVisible();
  await dialog(page).getByLabel('The wallet’s address').fill(STRANGER);
  await confirm(page, 'Suspend', 'Suspended.');
  await expect(rows(page, 'Suspended wallets')).toHaveCount(1);
  await rows(page, 'Suspended wallets')
    .getByRole('button', { name: /^Resume/ })
    .click();
  await confirm(page, 'Resume', 'Resumed.');
  await expect(page.getByText('No wallet is suspended.')).toBeVisible();

  await page.getByRole('button', { name: 'Make a moderator' }).click();
  await dialog(page).getByLabel('The wallet’s address').fill(STRANGER);
  await confirm(page, 'Make moderator', 'Made a moderator.');
  await rows(page, 'Operators').getByRole('button', { name: /^End/ }).click();
  await confirm(page, 'End it', 'A moderator no longer.');
  await expect(rows(page, 'Operators')).toHaveCount(1);
});

test('a post is found by its link, hidden, shown again, given a category, and removed', async ({ page }) => {
  const [post] = posts();
  await open(page, 'posts');
  await page.getByLabel('Find a post').fill(post?.url ?? '');
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  const found = page.getByRole('article', { name: 'The post' });
  await expect(found).toContainText(post?.content ?? 'missing');
  await found.getByRole('button', { name: 'Hide' }).click();
  await dialog(page).getByLabel('Why, as its page says it').selectOption('For legal reasons');
  await confirm(page, 'Hide', 'Hidden.');
  await expect(found).toContainText('For legal reasons');
  await expectNoViolations(page);
  await found.getByRole('button', { name: 'Show again' }).click();
  await confirm(page, 'Show again', 'Shown again.');
  await found.getByRole('button', { name: 'Category' }).click();
  await dialog(page).getByLabel('Category').selectOption('troll');
  await confirm(page, 'Change', 'Its category is troll now.');
  await expect(found).toContainText('Category troll');
  await found.getByRole('button', { name: 'Remove...' }).click();
  await expect(dialog(page).getByText('1 post', { exact: true })).toBeVisible();
  await confirm(page, 'Remove for good', 'Removed: 1 post.');
  await expect(page.getByText('This post was removed for good: nothing of it is left.')).toBeVisible();
});

test('all of an author is counted and shown, then removed', async ({ page }) => {
  await open(page, 'authors');
  await page.getByLabel('Find an author').fill('@bolind');
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  const author = page.getByRole('region', { name: 'The author' });
  await expect(author.getByText(/^\d+ posts?/)).toBeVisible();
  await author.getByRole('button', { name: 'Remove all...' }).click();
  await expectNoViolations(page);
  await confirm(page, 'Remove for good', 'Removed: ');
  await expect(author.getByText('Nothing is left of it.')).toBeVisible();
});

test('what wants a sign-in of this moment has the wallet sign, and what was said before stays', async ({ page }) => {
  await open(page, 'keys');
  let asked = 0;
  await page.route('**/amber/admin/keys', (route) => {
    if (route.request().method() !== 'POST' || asked++ > 0) return route.continue();
    return route.fulfill({
      status: 403,
      json: { status: 403, code: 'sign_in_again', message: 'Please sign in again.' },
    });
  });
  await page.getByRole('button', { name: 'Make a key' }).click();
  await dialog(page).getByLabel('What it is for').fill('Second agent');
  await confirm(page, 'Make key', 'The key is made.');
  await expect(page.getByRole('region', { name: 'The new key' }).locator('code')).toHaveText(/^amber_/);
});

for (const width of [1400, 360]) {
  test(`axe finds nothing on any page, ${width} wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    for (const name of PAGES) {
      await open(page, name);
      await page.waitForLoadState('networkidle');
      await expectNoViolations(page, SAME_AFTER_ALL.has(name) ? `admin ${name}` : undefined);
    }
  });
}
