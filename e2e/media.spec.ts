import { ENDPOINTS } from '@archive/contracts';
import { expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from './no-violations.ts';
import { servePictures, showPictures } from './pictured.ts';

const list = (page: Page) => page.getByRole('region', { name: 'Posts' }).getByRole('article');
/** Scrolls to each card once, because the browser lays out distant cards late and the page renders a few at a time. */
async function walkDown(page: Page): Promise<void> {
  await expect(list(page)).toHaveCount(12);
  for (const card of await list(page).all()) await card.scrollIntoViewIfNeeded();
}

for (const width of [1400, 360]) {
  test(`cards of every kind have nothing for axe, ${width} wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await showPictures(page);
    await page.goto('/');
    await page.getByRole('button', { name: 'Open picture 1 of 1' }).waitFor();
    await walkDown(page);
    await page.getByText('2 sensitive pictures').first().waitFor();
    await expectNoViolations(page);
  });
}

test('nothing moves while pictures come, however late', async ({ page }) => {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((entries) => {
      for (const entry of entries.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const asked = await showPictures(page, { delayMs: 300 });
  await page.goto('/');
  const pictures = list(page).locator('img[data-state="shown"]');
  await expect(pictures.first()).toBeVisible();
  const before = await heights(page);
  await walkDown(page);
  await expect(page.getByText('A library book open on a counter.')).toBeVisible();
  await expect(page.locator('img[data-state="loading"]')).toHaveCount(0);
  expect(asked).toHaveLength(19);
  expect((await heights(page)).slice(0, 3)).toEqual(before.slice(0, 3));
  expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual([]);
});

function heights(page: Page): Promise<number[]> {
  return list(page).evaluateAll((all) => all.map((card) => card.getBoundingClientRect().height));
}

test('previews alone are fetched, and of what is sensitive nothing before the press', async ({ page }) => {
  const asked = await showPictures(page);
  await page.goto('/');
  const covered = list(page).filter({ hasText: '2 sensitive pictures' });
  await covered.scrollIntoViewIfNeeded();
  await walkDown(page);
  const hidden = [20, 21].map((number) => `/media/${number.toString(16).padStart(64, '0')}/preview`);
  await expect.poll(() => asked.length).toBeGreaterThan(15);
  expect(asked.filter((path) => !path.endsWith('/preview'))).toEqual([]);
  expect(asked.filter((path) => hidden.includes(path))).toEqual([]);
  await covered.getByRole('button', { name: 'Show 2 sensitive pictures' }).click();
  await expect.poll(() => asked.filter((path) => hidden.includes(path))).toEqual(hidden);
});

test('a video and a GIF play on a press, and not before', async ({ page }) => {
  const asked = await showPictures(page);
  await page.goto('/');
  const video = list(page).filter({ has: page.getByRole('button', { name: 'Play video 1 of 1' }) });
  await expect(video).toContainText('1:42');
  await expect(page.locator('video')).toHaveCount(0);
  await page.getByRole('button', { name: 'Play video 1 of 1' }).click();
  await expect(page.locator('video')).toHaveAttribute('src', /^\/media\/0+12$/);
  await expect(page.locator('video')).toBeFocused();
  await expect(page.locator('video')).toHaveAccessibleName('A stage from the back row.');
  await expect.poll(() => asked.some((path) => path.endsWith('12'))).toBe(true);
  await page.getByRole('button', { name: 'Play GIF 1 of 1' }).click();
  // A GIF that cannot be played as a video is shown as a picture.
  await expect(list(page).locator('img[src$="13"]')).toBeVisible();
});

test('alt text is shown on a press, in its author’s words, and Escape puts it away', async ({ page }) => {
  await showPictures(page);
  await page.goto('/');
  // Cards render a few at a time, so another card with such a button may appear first.
  const card = list(page)
    .filter({ has: page.getByRole('button', { name: 'Open picture 2 of 2' }) })
    .first();
  const button = card.getByRole('button', { name: 'ALT, what the pictures show' });
  await button.click();
  await expect(page.getByRole('region', { name: 'Description' })).toContainText('The same, later.');
  await expectNoViolations(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 'Description' })).toHaveCount(0);
  await expect(button).toBeFocused();
});

test('one picture alone: arrows lead on, Escape back to where one was', async ({ page }) => {
  await showPictures(page);
  await page.goto('/');
  const second = page.getByRole('button', { name: 'Open picture 2 of 4' }).first();
  await second.click();
  const viewer = page.getByRole('dialog');
  await expect(viewer).toContainText('2 of 4');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(viewer).toContainText('4 of 4');
  await expect(viewer.getByRole('button', { name: 'Next picture' })).toHaveAttribute('aria-disabled', 'true');
  await expect(viewer.getByText('A white ferry on flat water')).toBeVisible();
  await expectNoViolations(page, 'picture viewer');
  const strip = viewer.getByRole('button', { name: /^Picture \d$/ });
  for (const at of [0, 1, 2, 3]) await expect(strip.nth(at)).toHaveAccessibleName(`Picture ${at + 1}`);
  await strip.nth(0).click();
  await expect(viewer).toContainText('1 of 4');
  await expect(strip.nth(0)).toHaveAttribute('aria-current', 'true');
  await strip.nth(3).click();
  await viewer.getByRole('button', { name: 'Previous picture' }).click();
  await expect(viewer).toContainText('3 of 4');
  await page.keyboard.press('Escape');
  await expect(viewer).toHaveCount(0);
  await expect(second).toBeFocused();
  expect(new URL(page.url()).pathname).toBe('/');
});

test('the table counts them', async ({ page }) => {
  await showPictures(page);
  await page.goto('/?view=table');
  const media = page.getByRole('table', { name: 'Posts' }).locator('td[data-column="media"]');
  await expect(media.first()).toContainText('1 picture');
  await expect(media.filter({ hasText: '1 video, 1:42' })).toHaveCount(1);
});

test('a thread stands in order, with the asked-for post marked and what is missing said', async ({ page }) => {
  await servePictures(page);
  const author = { author: 'Ann', authorUsername: 'ann', category: 'news', platform: 'x' };
  const { data } = await (await page.request.get(`${ENDPOINTS.listArchives.path}?limit=3`)).json();
  const posts = [0, 1, 2].map((at) => ({
    ...data[at],
    ...author,
    // As long as Bluesky ids, which matters on a phone.
    id: `bsky-ewvi7nxzyoun6zhxrhs64oiz-3lbmw7ra2k2d${at}`,
    content: `Part ${at + 1} of the night`,
    replyTo:
      at === 2
        ? { platform: 'x', id: '77', url: 'https://x.com/ann/status/77', archiveId: null, state: 'deleted', post: null }
        : null,
    thread: { root: data[0]._id, position: at + 1, length: 3 },
    savedBy: { via: 'mention', platform: 'x', handle: 'ben' },
    source: { state: 'edited', checkedAt: '2026-11-24T10:00:00.000Z' },
    versions: [{ at: '2026-11-19T10:00:00.000Z', content: 'Part of the evening' }],
    capture: { method: 'x-api', complete: true, signed: true },
  }));
  await page.route(`**${ENDPOINTS.listArchives.path}/*`, (route) => route.fulfill({ json: posts[1] }));
  await page.route(`**${ENDPOINTS.listArchives.path}/*/thread`, (route) => route.fulfill({ json: { data: posts } }));
  await page.goto(`/post/${posts[1]._id}`);
  const thread = page.getByRole('list', { name: 'Thread' });
  const entries = thread.locator('> li');
  await expect(entries).toHaveCount(4);
  await expect(entries.nth(1)).toHaveAttribute('aria-current', 'true');
  await expect(entries.nth(1)).toContainText('This post');
  await expect(entries.nth(2)).toContainText('Deleted by its author');
  await expect(entries.nth(3)).toContainText('Part 3 of the night');
  await expect(page.getByText('3 kept, 1 not')).toBeVisible();
  const about = page.getByRole('complementary', { name: 'About this post' });
  await expect(about).toContainText('at the request of @ben');
  await expect(about).toContainText('edited by its author, seen 24 Nov 2026');
  await expect(about).toContainText('Signed by its author');
  await page.getByText('Another version of its words').click();
  await expect(page.getByText('Part of the evening')).toBeVisible();
  for (const width of [1400, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoViolations(page, 'thread');
  }
});

test('what its author deleted says so', async ({ page }) => {
  const message = 'Deleted by its author. Amber has not shown it since 9 March 2026.';
  await page.route(`**${ENDPOINTS.listArchives.path}/gone`, (route) =>
    route.fulfill({ status: 410, json: { status: 410, code: 'post_removed', message } }),
  );
  await page.goto('/post/gone');
  await expect(page.getByRole('heading', { name: 'Deleted by its author' })).toBeVisible();
  await expect(page.getByText('Amber has not shown it since 9 March 2026.', { exact: true })).toBeVisible();
});
