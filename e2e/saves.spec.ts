import { ENDPOINTS, type Save } from '@archive/contracts';
import { expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from './no-violations.ts';
import { TestWallet } from './test-wallet.ts';

const SAVES = ENDPOINTS.createSave.path;
const LINK = 'https://bsky.app/profile/did:plc:ewvi7nxzyoun6zhxrhs64oiz/post/3lbmw7ra2k2dq';

function save(over: Partial<Save>): Save {
  const at = new Date().toISOString();
  return {
    _id: 'a'.repeat(24),
    platform: 'bluesky',
    url: LINK,
    via: 'save',
    state: 'received',
    reason: null,
    archiveId: null,
    createdAt: at,
    endsAt: at,
    ...over,
  };
}

function saveList(data: Save[]) {
  return { data, pagination: { page: 1, limit: 20, total: data.length, pages: 1 } };
}

/** Answers save requests without a platform, and records the requested posts. */
async function standIn(page: Page): Promise<string[]> {
  const asked: string[] = [];
  await page.route(`**${SAVES}`, (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    asked.push((route.request().postDataJSON() as { url: string }).url);
    return route.fulfill({ status: 202, json: save({}) });
  });
  return asked;
}

async function signIn(page: Page, wallet: TestWallet): Promise<void> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Connect/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: wallet.name }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

const field = (page: Page) => page.getByRole('textbox', { name: /^Link to a post on / });
const press = (page: Page) => page.getByRole('region', { name: 'Save a post' }).getByRole('button', { name: 'Save' });

test('a link that opens /save saves nothing, not even of who is signed in', async ({ page, context }) => {
  const wallet = new TestWallet();
  await wallet.install(context);
  const asked = await standIn(page);
  await page.goto('/');
  await signIn(page, wallet);
  await page.goto(`/save?title=Look&text=${encodeURIComponent(`See ${LINK}`)}`);
  await expect(field(page)).toHaveValue(LINK);
  await expect(page.getByText('Nothing is saved before you press.', { exact: true })).toBeVisible();
  await expect(page.getByRole('banner').getByRole('button', { name: /^Connect/ })).toHaveCount(0);
  await page.waitForLoadState('networkidle');
  expect(asked).toEqual([]);
  await expectNoViolations(page, 'save');
});

test('who is not signed in is asked to, and nothing is sent', async ({ page }) => {
  const asked = await standIn(page);
  await page.goto('/save');
  await press(page).click();
  await expect(page.getByText('Paste the link of a post first.')).toBeVisible();
  await field(page).fill(LINK);
  await press(page).click();
  await expect(page.getByRole('dialog', { name: /^Connect a wallet/ })).toBeVisible();
  expect(asked).toEqual([]);
});

test('a press asks, the steps follow, and the kept post stands there', async ({ page, context }) => {
  const wallet = new TestWallet();
  await wallet.install(context);
  const asked = await standIn(page);
  const { data } = await (await page.request.get(`${ENDPOINTS.listArchives.path}?limit=1`)).json();
  const [kept] = data;
  const states = [save({ state: 'fetched' }), save({ state: 'answered', archiveId: kept._id })];
  await page.route(`**${SAVES}/*`, (route) => route.fulfill({ json: states.length > 1 ? states.shift() : states[0] }));
  await page.goto(`/save?url=${encodeURIComponent(LINK)}`);
  await signIn(page, wallet);
  await press(page).click();
  const steps = page.getByRole('list', { name: 'Saving' }).getByRole('listitem');
  await expect(steps.last()).toHaveAttribute('data-state', 'done');
  await expect(page.getByRole('heading', { name: 'Kept', exact: true })).toBeVisible();
  expect(asked).toEqual([LINK]);
  await expectNoViolations(page, 'save kept');
  await page.getByRole('region', { name: 'Save a post' }).getByRole('link', { name: kept.content }).click();
  await expect(page.getByRole('dialog', { name: 'Post' })).toContainText(kept.content);
});

test('a refusal says why, and the bookmark is the address of a script that leads here', async ({ page, context }) => {
  const wallet = new TestWallet();
  await wallet.install(context);
  const message = 'That isn’t a link to a post on X or Bluesky.';
  await page.route(`**${SAVES}`, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 400, json: { status: 400, code: 'invalid_request', message } })
      : route.fallback(),
  );
  await page.goto('/save?text=only+words');
  await signIn(page, wallet);
  await press(page).click();
  await expect(page.getByRole('alert').filter({ hasText: message })).toContainText('Nothing was saved.');
  const bookmark = page.getByRole('link', { name: /^Save to/ });
  await expect(bookmark).toHaveAttribute('href', /^javascript:location='http:\/\/localhost:\d+\/save\?url='/);
  await bookmark.click();
  await expect(page.getByText('Drag it to your bookmarks, or copy')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/save');
});

test('requests are followed while something is under way', async ({ page }) => {
  let state: Save['state'] = 'fetched';
  const queries: string[] = [];
  await page.route(`**${SAVES}?*`, (route) => {
    queries.push(new URL(route.request().url()).search);
    const failed = save({ _id: 'b'.repeat(24), state: 'failed', reason: 'protected', via: 'mention' });
    return route.fulfill({ json: saveList([save({ state, archiveId: null }), failed]) });
  });
  await page.goto('/saves');
  const rows = page.getByRole('table').getByRole('row');
  await expect(rows.nth(1)).toContainText('Being kept');
  await expect(rows.nth(2)).toContainText('Only some people may read this post.');
  await expectNoViolations(page, 'requests');
  state = 'answered';
  await expect(rows.nth(1)).toContainText('Kept');
  await page.getByRole('navigation', { name: 'State' }).getByRole('link', { name: 'Under way' }).click();
  await expect(page).toHaveURL(/\/saves\?state=open$/);
  await expect.poll(() => queries.at(-1)).toContain('state=open');
});

test('the server knows the requests that are under way, and none of nobody', async ({ page }) => {
  const answer = await page.request.get(`${SAVES}?state=open`);
  expect([answer.status(), (await answer.json()).data]).toEqual([200, []]);
  await page.goto('/saves');
  await expect(page.getByRole('heading', { name: 'No requests' })).toBeVisible();
});

test('an installed page can be shared with', async ({ page }) => {
  await page.goto('/');
  const address = await page.locator('link[rel="manifest"]').getAttribute('href');
  const manifest = await page.request.get(String(address));
  expect(manifest.headers()['content-type']).toBe('application/manifest+json');
  expect((await manifest.json()).share_target).toEqual({
    action: '/save',
    method: 'GET',
    params: { title: 'title', text: 'text', url: 'url' },
  });
});
