import { ENDPOINTS, type Post } from '@archive/contracts';
import { cases } from '@archive/tiers';
import { type APIRequestContext, expect, type Page, type Response, test } from '@playwright/test';
import { signInAsAdmin } from './admin-wallet.ts';
import { complaintsOf } from './complaints.ts';
import { expectFit, expectNoViolations } from './no-violations.ts';

const PAGES = 'today reports posts authors saves payments launches featuring keys wallets log'.split(' ');
/** More than the number of posts, so some posts are reported again. */
const MANY = cases({ quick: 60, full: 100 });

test.describe.configure({ mode: 'serial' });

async function listPosts(request: APIRequestContext, limit: number, search = ''): Promise<Post[]> {
  const { data } = await (await request.get(`${ENDPOINTS.listArchives.path}?limit=${limit}&search=${search}`)).json();
  return data;
}

async function report(request: APIRequestContext, post: Post, from: string, reason = 'spam'): Promise<void> {
  const data = { postId: post._id, reason, words: `About ${post.id}` };
  const answer = await request.post(ENDPOINTS.createReport.path, { data, headers: { 'X-Forwarded-For': from } });
  expect(answer.status()).toBe(201);
}

const panel = (page: Page) => page.getByRole('region', { name: 'What was reported' });
const next = (page: Page) => page.locator('header h1 small');

test('a visitor loads no byte of the operators’ pages, and sees no way to them', async ({ page }) => {
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(request.url()));
  await page.goto('/');
  await expect(page.getByRole('article').first()).toBeVisible();
  await page.goto('/explore');
  await page.waitForLoadState('networkidle');
  expect(scripts.filter((url) => /admin/i.test(url))).toEqual([]);
  await expect(page.getByRole('link', { name: 'Admin' })).toHaveCount(0);
  await page.goto('/admin/reports');
  await expect(page.getByText('This page is for operators.')).toBeVisible();
});

test('a report goes from the dialog to its answer', async ({ page, context, browser }) => {
  const complaints = complaintsOf(page);
  const [post] = await listPosts(page.request, 1);
  await page.goto(`/post/${post?._id}`);
  await page.getByRole('button', { name: 'Report', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Report this post' });
  await dialog.getByRole('button', { name: 'Send report' }).click();
  await expect(dialog.getByRole('alert').filter({ hasText: 'Choose what is wrong' })).toBeVisible();
  await dialog.getByLabel('It shows private information').check();
  await dialog.getByLabel('What should we know?').fill('<b>The street</b> can be read.');
  await dialog.getByLabel('How can we reach you?').fill('ann@example.org');
  await expectNoViolations(page, 'report a post');
  await dialog.getByRole('button', { name: 'Send report' }).click();
  const sent = page.getByRole('dialog', { name: 'Report sent' });
  await expect(sent.getByText(/Your report is R-\d+/)).toBeVisible();
  const address = await sent.getByRole('link').textContent();
  await expectNoViolations(page, 'report sent');

  const reporter = await (await browser.newContext({ serviceWorkers: 'block' })).newPage();
  const answer = await reporter.goto(address ?? '');
  expect(answer?.headers()['cache-control']).toBe('no-store');
  expect(answer?.headers()['x-robots-tag']).toBe('noindex');
  await expect(reporter.getByText('Waiting for a person to look')).toBeVisible();

  await signInAsAdmin(page, context);
  await page.getByRole('link', { name: 'Admin' }).click();
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Reports' }).click();
  await expect(panel(page)).toContainText('<b>The street</b> can be read.');
  await expect(panel(page)).toContainText('answer to ann@example.org');
  await page.keyboard.press('a');
  await page.getByLabel('The answer').fill('It is the street of a museum.');
  await page.keyboard.press('Escape');
  await page.keyboard.press('d');
  await expect(page.getByText('Nothing is reported')).toBeVisible();
  await expect
    .poll(async () => {
      await reporter.reload();
      return reporter.getByRole('article').textContent();
    })
    .toContain('It is the street of a museum.');
  await expectNoViolations(reporter, 'report answered');
  await reporter.context().close();
  expect(complaints).toEqual([]);
});

/** Dismisses this many reports, one key each, and waits for the server's answers. */
async function workOff(page: Page, count: number): Promise<void> {
  // A refused decision returns to the queue, and its toast disappears long before this test gives up.
  const refused: string[] = [];
  const watch = async (answer: Response) => {
    if (answer.url().endsWith('/decide') && !answer.ok()) refused.push(`${answer.status()} ${await answer.text()}`);
  };
  page.on('response', watch);
  await page.goto('/admin/reports');
  for (let left = count; left > 0; left--) {
    await expect.poll(async () => [await next(page).textContent(), ...refused]).toEqual([`${left} open`]);
    // Keys do nothing while the next page of reports loads.
    await expect(panel(page)).toBeVisible();
    await page.keyboard.press('d');
  }
  page.off('response', watch);
  await expect(page.getByText('Nothing is reported')).toBeVisible();
  await expectSent(page);
}

const expectSent = (page: Page) => expect(page.locator('header[aria-busy="true"]')).toHaveCount(0);

test('many reports are worked off with a key each, and the last one comes back when undone', async ({
  page,
  context,
}) => {
  const posts = await listPosts(page.request, MANY);
  await signInAsAdmin(page, context);
  // There are fewer posts than reports, so further networks report them again.
  for (let network = 1, left = MANY; left > 0; network++) {
    const reported = posts.slice(0, left);
    for (const post of reported) await report(page.request, post, `203.0.${network}.1`);
    await workOff(page, reported.length);
    left -= reported.length;
  }
  await page.keyboard.press('u');
  await expect(panel(page)).toContainText('About 19');
  await page.reload();
  await expect(next(page)).toHaveText('1 open');
  await page.keyboard.press('d');
  await expect(page.getByText('Nothing is reported')).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(panel(page)).toContainText('Dismissed by');
});

test('a decision that is on its way is in the list of those done, and the tab asks before it closes', async ({
  page,
  context,
}) => {
  const [post] = await listPosts(page.request, 1);
  if (!post) throw new Error('there is no post');
  await report(page.request, post, '203.0.201.1');
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/amber/admin/reports/*/decide', async (route) => {
    await released;
    await route.continue();
  });
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await signInAsAdmin(page, context);
  await page.goto('/admin/reports');
  await expect(next(page)).toHaveText('1 open');
  // Earlier tests may have decided on it. The actions are available all the same.
  await expect(panel(page)).toContainText(/Dismissed before by .*, and reported again/);
  await page.keyboard.press('a');
  await page.getByLabel('The answer').fill('Held on its way.');
  await page.keyboard.press('Escape');
  await page.keyboard.press('d');
  await expect(page.getByText('1 on the way')).toBeVisible();
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => asked).toEqual(['beforeunload']);
  await page.getByRole('button', { name: 'Done' }).click();
  release();
  await expect(panel(page)).toContainText('Held on its way.');
  await expectSent(page);
  await expect(page.getByText('on the way')).toHaveCount(0);
});

test('what wants a new sign-in has the wallet sign, and is done then; two keys remove a post', async ({
  page,
  context,
}) => {
  const [post] = await listPosts(page.request, 1);
  if (!post) throw new Error('there is no post');
  await report(page.request, post, '203.0.200.1');
  const asked: object[] = [];
  // The removal is intercepted, because other tests read these posts.
  await page.route('**/amber/admin/reports/*/remove', (route) => {
    asked.push(route.request().postDataJSON());
    return asked.length === 1
      ? route.fulfill({ status: 403, json: { status: 403, code: 'sign_in_again', message: 'Please sign in again.' } })
      : route.fulfill({
          status: 409,
          json: { status: 409, code: 'already_decided', message: 'Somebody else has removed it.' },
        });
  });
  await signInAsAdmin(page, context);
  await page.goto('/admin/reports');
  await expect(panel(page)).toBeVisible();
  await page.keyboard.press('r');
  await expect(page.getByRole('dialog', { name: 'Remove 1 post for good?' })).toContainText(post.content.slice(0, 20));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Somebody else has removed it.')).toBeVisible();
  expect(asked.length).toBe(2);
});

test('what was said of one post does not stand in the dialog that removes another', async ({ page, context }) => {
  for (const post of await listPosts(page.request, 2)) await report(page.request, post, '203.0.200.2');
  await page.route('**/amber/admin/reports/*/decide', (route) => route.fulfill({ json: {} }));
  await signInAsAdmin(page, context);
  await page.goto('/admin/reports');
  await expect(panel(page)).toBeVisible();
  await page.keyboard.press('d');
  await expect(page.getByText('Dismissed.', { exact: true })).toBeVisible();
  await page.keyboard.press('r');
  await expect(page.getByRole('dialog', { name: 'Remove 1 post for good?' })).toBeVisible();
  // Earlier than the toast would disappear by itself.
  await expect(page.getByText('Dismissed.', { exact: true })).toHaveCount(0, { timeout: 3_000 });
});

test('who loses the role while the page is open is told so', async ({ page, context }) => {
  await signInAsAdmin(page, context);
  await page.goto('/admin/reports');
  await expect(panel(page)).toBeVisible();
  await page.route('**/amber/admin/**', (route) =>
    route.fulfill({
      status: 404,
      json: { status: 404, code: 'not_found', message: 'There is nothing at this address.' },
    }),
  );
  await page.keyboard.press('d');
  await expect(page.getByRole('heading', { name: 'You are an operator no longer' })).toBeVisible();
  await page.getByRole('link', { name: 'Go to the archive' }).click();
  await expect(page.getByRole('article').first()).toBeVisible();
});

for (const width of [1400, 768, 360]) {
  test(`axe finds nothing on any of the pages, ${width} wide`, async ({ page, context }) => {
    await page.setViewportSize({ width, height: 900 });
    await signInAsAdmin(page, context);
    const [long] = await listPosts(page.request, 1, 'long+evening');
    if (!long) throw new Error('No post with long words is in the archive.');
    // The page shows the most serious report first.
    await report(page.request, long, '203.0.201.1', 'illegal');
    for (const name of PAGES) {
      await page.goto(`/admin/${name}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.waitForLoadState('networkidle');
      if (name === 'reports') await expect(page.locator('p[data-script]', { hasText: 'A long evening' })).toBeVisible();
      await expectFit(page, 768);
      await expectNoViolations(page);
    }
  });
}
