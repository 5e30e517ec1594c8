import { readFile } from 'node:fs/promises';
import { ENDPOINTS } from '@archive/contracts';
import { expect, type Page, type Route, test } from '@playwright/test';
import { complaintsOf } from './complaints.ts';
import { expectNoViolations } from './no-violations.ts';
import { FEATURED_ID, posts } from './posts.ts';

const ALL = posts();
const PAGE_SIZE = 12;

test('the first page shows the featured post, the figures, the top authors and twelve posts', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(cards(page)).toHaveCount(PAGE_SIZE);
  await expect(total(page)).toHaveText(`${ALL.length} posts`);
  await expect(page.getByText('Featured').first()).toBeVisible();
  const figures = page.getByRole('region', { name: 'About the archive' });
  await expect(figures.getByText('Total Tweets')).toBeVisible();
  await expect(figures.getByRole('definition').first()).toHaveText(String(ALL.length));
  await expect(figures.getByRole('heading', { name: 'Top Authors' })).toBeVisible();
  await expect(figures.getByRole('listitem')).toHaveCount(4);
});

test('search finds as one types, marks what it found, and lives in the address', async ({ page }) => {
  await page.goto('/');
  await search(page).fill('LIGHTHOUSE');
  await expect(page).toHaveURL(/[?&]search=LIGHTHOUSE/);
  await expect(total(page)).toHaveText('2 posts match');
  await expect(cards(page)).toHaveCount(2);
  await expect(cards(page).first().locator('mark')).toHaveText('lighthouse');
  await page.reload();
  await expect(search(page)).toHaveValue('LIGHTHOUSE');
  await expect(cards(page)).toHaveCount(2);
  await page.goBack();
  await expect(search(page)).toHaveValue('');
  await expect(total(page)).toHaveText(`${ALL.length} posts`);
});

test('what was entered stays behind when something else is typed, and a search with operators can be cleared', async ({
  page,
}) => {
  await page.goto('/');
  await search(page).pressSequentially('lighthouse');
  await search(page).press('Enter');
  await expect(total(page)).toHaveText('2 posts match');
  await search(page).selectText();
  await search(page).pressSequentially('category:tech');
  await search(page).press('Enter');
  await expect(page).toHaveURL(/category%3Atech/);
  await expect(total(page)).toHaveText(/\d+ posts? match/);
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(page).toHaveURL('/');
  await expect(search(page)).toHaveValue('');
  await search(page).pressSequentially('LIGHT');
  await expect(page).toHaveURL('/?search=LIGHT');
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(/category%3Atech/);
  await page.goBack();
  await expect(page).toHaveURL('/?search=lighthouse');
  await expect(search(page)).toHaveValue('lighthouse');
});

test('a handle in an address is whose posts are shown, with its sign or without', async ({ page }) => {
  const { data } = await (await page.request.get(`${ENDPOINTS.listArchives.path}?limit=1`)).json();
  const { authorUsername } = data[0];
  await page.goto(`/?handle=${authorUsername}`);
  await expect(search(page)).toHaveValue(new RegExp(`^from:${authorUsername}`));
  await page.goto(`/author/@${authorUsername}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(data[0].author);
});

test('search takes right-to-left text, and shows posts in their own direction', async ({ page }) => {
  await page.goto(`/?search=${encodeURIComponent('هادئ')}`);
  await expect(cards(page)).toHaveCount(1);
  const words = page.getByText('البحر هادئ هذا المساء');
  expect(await words.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
});

test('a search without matches says so and offers the way back', async ({ page }) => {
  await page.goto('/?search=no-such-words');
  await expect(page.getByRole('heading', { name: 'No tweets found' })).toBeVisible();
  await expect(page.getByText('Try adjusting your filters or search terms')).toBeVisible();
  await page.getByRole('button', { name: 'Clear the search' }).click();
  await expect(cards(page)).toHaveCount(PAGE_SIZE);
});

test('an older answer never overtakes a newer one', async ({ page }) => {
  await page.goto('/');
  await expect(cards(page)).toHaveCount(PAGE_SIZE);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**${ENDPOINTS.listArchives.path}?*search=harbour*`, async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  await search(page).fill('harbour');
  await expect(page).toHaveURL(/search=harbour/);
  await search(page).fill('lighthouse');
  await expect(total(page)).toHaveText('2 posts match');
  release();
  await page.waitForLoadState('networkidle');
  await expect(total(page)).toHaveText('2 posts match');
});

test('filters apply together, show as chips, and are reset', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: /^Filters/ }).click();
  const form = page.getByRole('form', { name: 'Filters' });
  await form.getByLabel('Author').fill('cosima');
  await form.getByLabel('Category').selectOption('tech');
  await form.getByRole('button', { name: 'Apply filters' }).click();
  await expect(page).toHaveURL(/author=cosima/);
  await expect(page).toHaveURL(/q=category%3Atech/);
  await expect(search(page)).toHaveValue('category:tech');
  const expected = ALL.filter((post) => post.author === 'Cosima Wachter' && post.category === 'tech').length;
  await expect(total(page)).toHaveText(`${expected} ${expected === 1 ? 'post matches' : 'posts match'}`);
  const chips = page.getByRole('list', { name: 'Active filters' });
  await expect(chips.getByRole('listitem')).toHaveCount(2);
  await chips.getByRole('button', { name: 'Remove filter category tech' }).click();
  await expect(page).not.toHaveURL(/category/);
  await form.getByRole('button', { name: 'Reset' }).click();
  await expect(total(page)).toHaveText(`${ALL.length} posts`);
});

test('on a phone, filters that are applied make room for the posts', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/');
  await page.getByRole('button', { name: /^Filters/ }).click();
  const form = page.getByRole('form', { name: 'Filters' });
  await form.getByLabel('Category').selectOption('tech');
  await form.getByRole('button', { name: 'Apply filters' }).click();
  await expect(form).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Posts', exact: true })).toBeFocused();
  await expect(cards(page).first()).toBeInViewport();
});

test('media, platform and language filter too, and posts are sorted by when they were saved', async ({ page }) => {
  const bluesky = ALL.filter((post) => post.url.startsWith('https://bsky.app/'));
  await page.goto('/');
  await page.getByRole('button', { name: /^Filters/ }).click();
  const form = page.getByRole('form', { name: 'Filters' });
  await form.getByRole('radio', { name: 'Bluesky' }).check();
  await form.getByRole('radio', { name: 'None' }).check();
  await form.getByRole('button', { name: 'Apply filters' }).click();
  await expect(page).toHaveURL(/q=platform%3Abluesky\+-has%3Amedia/);
  await expect(total(page)).toHaveText(`${bluesky.length} posts match`);
  const chips = page.getByRole('list', { name: 'Active filters' });
  await expect(chips.getByRole('listitem')).toHaveText(['on Bluesky', 'without media']);
  await chips.getByRole('button', { name: 'Remove filter on Bluesky' }).click();
  await expect(total(page)).toHaveText(`${ALL.length} posts match`);
  await form.getByLabel('Language').selectOption('Arabic');
  await form.getByRole('button', { name: 'Apply filters' }).click();
  await expect(chips.getByRole('listitem')).toHaveText(['in Arabic', 'without media']);
  await expect(total(page)).toHaveText('1 post matches');
  await form.getByRole('button', { name: 'Reset' }).click();
  await page.getByLabel('Sort').selectOption('Saved, newest first');
  await expect(page).toHaveURL(/\?sortBy=saved$/);
  await expect(total(page)).toHaveText(`${ALL.length} posts`);
  await page.reload();
  await expect(page.getByLabel('Sort')).toHaveValue('saved desc');
});

test('words that no post holds together are found apart, and said to be', async ({ page }) => {
  await page.goto('/');
  await search(page).fill('twice lighthouse');
  const note = page.getByText('1 post holds both words.', { exact: true });
  await expect(note).toBeVisible();
  await expect(cards(page).first().locator('mark')).toHaveText(['lighthouse', 'twice']);
  await page.getByRole('button', { name: /^Posts with either word, / }).click();
  await expect(page).toHaveURL(/search=twice\+lighthouse&match=any/);
  await expect(page.getByText(/hold either word/)).toBeVisible();
});

for (const width of [360, 768, 1400]) {
  test(`what is found takes the place of what was there, ${width} wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(`**${ENDPOINTS.listArchives.path}?*search=twice*lighthouse*`, async (route) => {
      await held;
      await route.continue();
    });
    const asked = page.waitForRequest(/search=twice(\+|%20)lighthouse/);
    await search(page).fill('twice lighthouse');
    await asked;
    const top = () =>
      cards(page)
        .first()
        .evaluate((card) => card.getBoundingClientRect().top + window.scrollY);
    await expect(page.locator('[data-stale="true"]')).toBeVisible();
    const before = await top();
    // A note about an earlier list must not appear for these words.
    await expect(page.getByText(/hold both words/)).toBeHidden();
    release();
    await expect(page.getByText('1 post holds both words.', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: /^Posts with either word, [1-9]/ })).toBeVisible();
    expect(await top()).toBe(before);
  });
}

test('one word too many, or mistyped, does not keep a post from being found', async ({ page }) => {
  await page.goto('/');
  await search(page).fill('twice lighthouse wayze');
  const note = page.getByText('No post holds all. 1 post holds all but one of its words.');
  await expect(note).toBeVisible();
  await expect(cards(page)).toHaveCount(1);
  await expect(cards(page).first().locator('mark')).toHaveText(['lighthouse', 'twice']);
  await page.getByRole('button', { name: /^Posts with any of the words, / }).click();
  await expect(page).toHaveURL(/search=twice\+lighthouse\+wayze&match=any/);
});

test('suggests authors after from:, taken by keys, and says what is no operator', async ({ page }) => {
  await page.goto('/');
  await search(page).fill('note from:keep');
  const options = page.getByRole('listbox').getByRole('option');
  await expect(options.first()).toContainText('@keeper');
  await search(page).press('ArrowDown');
  // Enter takes the suggestion that is announced, from the first one on.
  for (const at of [0, 1]) {
    await expect(options.nth(at)).toHaveAttribute('aria-selected', 'true');
    await expect(search(page)).toHaveAttribute(
      'aria-activedescendant',
      (await options.nth(at).getAttribute('id')) ?? '-',
    );
    await search(page).press(at === 0 ? 'ArrowDown' : 'ArrowUp');
  }
  await search(page).press('Tab');
  await expect(search(page)).toHaveValue(/^note from:keeper\d $/);
  await expect(page).toHaveURL(/q=from%3Akeeper\d\+note$/);
  await expect(page.getByRole('list', { name: 'Active filters' }).getByRole('listitem')).toHaveText([
    /^from @keeper\d$/,
    'note',
  ]);
  await search(page).fill('colour:red');
  await expect(page.getByText('“colour:red” is not understood, so it is looked for as text.')).toBeVisible();
  await expect(page).toHaveURL(/search=colour%3Ared/);
});

test('takes no suggestion that moved below a pointer standing still', async ({ page }) => {
  // The page scrolls to the results at once, and only once.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/');
  await search(page).fill('not');
  const option = page.getByRole('listbox').getByRole('option').first();
  await expect(option).toBeVisible();
  await expect(total(page)).toContainText('match');
  const drawn = () =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await drawn();
  const { x, y } = (await option.boundingBox()) ?? { x: 0, y: 0 };
  await page.mouse.move(x + 6, y - 30 + 6);
  await page.evaluate(() => scrollBy({ top: 30, behavior: 'instant' }));
  await drawn();
  expect((await option.boundingBox())?.y).toBe(y - 30);
  await drawn();
  await expect(option).toHaveAttribute('aria-selected', 'false');
  await page.mouse.move(x + 8, y - 30 + 8);
  await expect(option).toHaveAttribute('aria-selected', 'true');
});

test('dates filter by whole days in UTC, and a start after the end is refused in words', async ({ page }) => {
  const day = ALL[4]?.timestamp.slice(0, 10) ?? '';
  await page.goto('/');
  await page.getByRole('button', { name: /^Filters/ }).click();
  const form = page.getByRole('form', { name: 'Filters' });
  await form.getByLabel('From', { exact: true }).fill('2031-02-02');
  await form.getByLabel('To', { exact: true }).fill('2031-02-01');
  await form.getByRole('button', { name: 'Apply filters' }).click();
  await expect(form.getByRole('alert')).toHaveText('The start date must not be after the end date.');
  await form.getByLabel('From', { exact: true }).fill(day);
  await form.getByLabel('To', { exact: true }).fill(day);
  await form.getByRole('button', { name: 'Apply filters' }).click();
  const expected = ALL.filter((post) => post.timestamp.startsWith(day)).length;
  await expect(total(page)).toHaveText(`${expected} ${expected === 1 ? 'post matches' : 'posts match'}`);
});

test('the table sorts by its headings and keeps its order through a reload', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Table' }).click();
  await expect(page).toHaveURL(/view=table/);
  const table = page.getByRole('table', { name: 'Posts' });
  await expect(table.getByRole('columnheader')).toHaveText([
    'Author',
    'Content',
    'Media',
    'Category',
    'Date',
    'Actions',
  ]);
  await expect(table.getByRole('columnheader', { name: 'Date' })).toHaveAttribute('aria-sort', 'descending');
  await table.getByRole('button', { name: 'Author' }).click();
  await expect(page).toHaveURL(/sortBy=author/);
  await expect(table.getByRole('columnheader', { name: 'Author' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(table.getByRole('row').nth(1)).toContainText('Anwen Pryce');
  await table.getByRole('button', { name: 'Author' }).click();
  await expect(table.getByRole('columnheader', { name: 'Author' })).toHaveAttribute('aria-sort', 'descending');
  await expect(table.getByRole('row').nth(1)).toContainText('نورة البحري');
  await page.reload();
  await expect(table.getByRole('row').nth(1)).toContainText('نورة البحري');
});

test('every post is on exactly one page', async ({ page }) => {
  const seen: string[] = [];
  await page.goto('/?sortBy=category&view=table');
  const table = page.getByRole('table', { name: 'Posts' });
  const pages = Math.ceil((ALL.length - 1) / PAGE_SIZE);
  for (let number = 1; ; number++) {
    const current = page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: `Page ${number}`, exact: true });
    await expect(current).toHaveAttribute('aria-current', 'page');
    await expect(page.getByRole('status').filter({ hasText: `page ${number} of ${pages}` })).toBeAttached();
    seen.push(
      ...(await table
        .locator('[data-post-stop]')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))),
    );
    const next = page.getByRole('link', { name: 'Next' });
    if ((await next.count()) === 0) break;
    await next.click();
  }
  expect(seen).toHaveLength(ALL.length - 1);
  expect(new Set(seen).size).toBe(seen.length);
});

test('a post opens over the list, has an address of its own, and closing leads back', async ({ page }) => {
  await page.goto('/?search=lighthouse');
  await cards(page).first().locator('[data-post-stop]').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('The lighthouse keeper counts the ships twice.');
  await expect(dialog).toContainText(ALL[0]?.id ?? '');
  await expect(page).toHaveURL(/\/post\/[0-9a-f]{24}$/);
  const address = page.url();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(/\?search=lighthouse$/);
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Post');
  await expect(page.getByText('The lighthouse keeper counts the ships twice.')).toBeVisible();
});

test('words of a card are selected without opening it, and lead to authors and searches', async ({ page }) => {
  await page.route(/\/amber\/archives\?/, async (route) => {
    const answer = await (await route.fetch()).json();
    for (const post of answer.data) post.content = 'Ask @anwen about the #harbour, see https://a.example/b.';
    await route.fulfill({ json: answer });
  });
  await page.goto('/?search=lighthouse');
  const words = cards(page).first().locator('[data-script]').first();
  const box = await words.boundingBox();
  if (box === null) throw new Error('The words are not drawn.');
  await page.mouse.move(box.x + 2, box.y + 12);
  await page.mouse.down();
  await page.mouse.move(box.x + 190, box.y + 12, { steps: 5 });
  await page.mouse.up();
  expect(await page.evaluate(() => String(window.getSelection()))).toMatch(/^Ask @anwen/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(words.getByRole('link', { name: 'https://a.example/b' })).toHaveAttribute('rel', 'noopener noreferrer');
  await words.getByRole('link', { name: '#harbour' }).click();
  await expect(page).toHaveURL(/\/\?search=%23harbour$/);
  await page.goBack();
  await words.getByRole('link', { name: '@anwen' }).click();
  await expect(page).toHaveURL(/\/author\/anwen$/);
  // A list call of the author's page may still be pending.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test("a post's address may name the platform's id, and one that names nothing says so", async ({ page }) => {
  await page.goto(`/post/${FEATURED_ID}`);
  await expect(page.getByText('Note number 16 from the harbour log.')).toBeVisible();
  await expect(page.getByText('by the team')).toBeVisible();
  await page.goto('/post/404404404');
  await expect(page.getByRole('heading', { name: 'No post here' })).toBeVisible();
});

test('what people wrote stays text', async ({ page }) => {
  await page.goto(`/?search=${encodeURIComponent('<b>not bold</b>')}`);
  await expect(cards(page)).toHaveCount(1);
  await expect(cards(page)).toContainText('<b>not bold</b> & "quoted" <script>alert(1)</script>');
});

test("an author's page lists that author alone", async ({ page }) => {
  await page.goto('/author/KEEPER1');
  const expected = ALL.filter((post) => post.authorUsername === 'keeper1').length;
  await expect(page.getByRole('status').filter({ hasText: `${expected} posts` })).toBeAttached();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bo Lindqvist');
});

test("an author's page tells figures, feeds and how to have posts removed", async ({ page }) => {
  await page.goto('/author/keeper1');
  const own = ALL.filter((post) => post.authorUsername === 'keeper1');
  await expect(page.getByText('Posts kept').locator('..')).toContainText(String(own.length));
  await expect(page.getByRole('region', { name: /^Is this you\?/ })).toContainText('Ask for removal here');
  await page.getByRole('button', { name: 'Ask for removal' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ask for removal' });
  await expect(dialog.getByLabel('I wrote this, and want it removed')).toBeChecked();
  await expectNoViolations(page, 'ask for removal');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('link', { name: 'JSON Feed' })).toHaveAttribute('href', '/feed.json?handle=keeper1');
  await expect(page.getByRole('link', { name: 'Profile on X' })).toHaveAttribute('href', 'https://x.com/keeper1');
  await page.goto('/author/nobody-at-all');
  await expect(page.getByRole('heading', { name: 'No posts by @nobody-at-all' })).toBeVisible();
});

test('dates are chosen in the timeline by pointer and by keys, stand in the words, and nothing moves', async ({
  page,
}) => {
  await page.goto('/');
  await expect(cards(page)).toHaveCount(PAGE_SIZE);
  const plot = page.getByRole('slider', { name: 'Dates' });
  await expect(
    page
      .getByRole('table', { name: /^Timeline by/ })
      .getByRole('row')
      .nth(1),
  ).toBeAttached();
  await expectNoViolations(page);
  const box = await plot.boundingBox();
  if (!box) throw new Error('there is no plot');
  await page.mouse.move(box.x + box.width * 0.5, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.9, box.y + 40, { steps: 4 });
  await page.mouse.up();
  await expect(page).toHaveURL(/q=since%3A\d{4}-\d\d-\d\d\+until%3A\d{4}-\d\d-\d\d$/);
  const asked = new URL(page.url()).searchParams.get('q') ?? '';
  const [since, until] = asked.split(' ').map((word) => word.slice(6)) as [string, string];
  const within = ALL.filter(({ timestamp }) => timestamp.slice(0, 10) >= since && timestamp.slice(0, 10) <= until);
  await expect(total(page)).toHaveText(`${within.length} posts match`);
  await expect(search(page)).toHaveValue(asked);

  // An arrow moves the later edge by a day; Escape removes both dates.
  const next = new Date(Date.parse(until) - 86_400_000).toISOString().slice(0, 10);
  await plot.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(page).toHaveURL(new RegExp(`until%3A${next}$`));
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/$/);
  await expect(total(page)).toHaveText(`${ALL.length} posts`);
});

test('the timeline shifts no post as it comes', async ({ page }) => {
  await page.addInitScript(() => {
    const shifted: string[] = [];
    Object.assign(window, { shifted });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { sources: { node: Node | null }[] })[]) {
        for (const { node } of entry.sources) {
          const element = node instanceof Element ? node : node?.parentElement;
          if (element?.closest('section[aria-label="Timeline"], article'))
            shifted.push(element.outerHTML.slice(0, 200));
        }
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto('/?search=harbour');
  await expect(page.getByRole('table', { name: /^Timeline by/ })).toBeAttached();
  await expect(cards(page).first()).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as { shifted: string[] }).shifted)).toEqual([]);
});

test('the export downloads all matches in the order shown', async ({ page }) => {
  await page.goto('/?search=harbour&sortOrder=asc');
  await expect(cards(page).first()).toBeVisible();
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /^CSV/ }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^[a-z]+-\d{4}-\d{2}-\d{2}\.csv$/);
  const text = await readFile(await download.path(), 'utf8');
  expect(text.startsWith('\uFEFF')).toBe(true);
  const matches = ALL.filter((post) => post.content.toLowerCase().includes('harbour'));
  const ids = [...text.matchAll(/^(19\d{17}|bsky-[a-z0-9-]+),/gm)].map(([, id]) => id);
  expect([...new Set(ids)]).toEqual(matches.map((post) => post.id).reverse());
});

test('what is found comes into sight once, and the page goes back where the words are cleared', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto('/');
  await expect(cards(page)).toHaveCount(PAGE_SIZE);
  const fieldTop = () => page.locator('main search').evaluate((field) => Math.round(field.getBoundingClientRect().top));
  const at = () => page.evaluate(() => window.scrollY);
  await search(page).focus();
  const before = await at();
  await search(page).pressSequentially('lighthouse');
  await expect(total(page)).toHaveText('2 posts match');
  await expect.poll(fieldTop).toBe(16);
  await expect(cards(page).first()).toBeInViewport({ ratio: 0.5 });
  // After the visitor scrolls, further words do not scroll the page.
  await page.mouse.wheel(0, -40);
  await expect.poll(fieldTop).toBe(56);
  await search(page).pressSequentially(' keeper');
  await expect(page).toHaveURL(/lighthouse\+keeper/);
  await expect(cards(page)).toHaveCount(1);
  expect(await fieldTop()).toBe(56);
  await search(page).press('Enter');
  await expect(page.getByRole('heading', { name: 'Posts', exact: true })).toBeFocused();
  await page.keyboard.press('/');
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect.poll(at).toBe(before);
});

test('the first hit is in sight where Enter is pressed before the answer is there', async ({ page }) => {
  await page.goto('/');
  await expect(cards(page)).toHaveCount(PAGE_SIZE);
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/search=ferry/, async (route) => {
    await isReleased;
    await route.continue();
  });
  // The note moves the first card below the bottom of this window, which showed it before.
  const { y } = (await cards(page).first().boundingBox()) ?? { y: 0 };
  await page.setViewportSize({ width: 1400, height: Math.round(y) + 165 });
  await search(page).pressSequentially('ferry lighthouse');
  await search(page).press('Enter');
  await expect(page.getByRole('heading', { name: 'Posts', exact: true })).toBeFocused();
  release();
  await expect(total(page)).toHaveText(/match/);
  await expect.poll(() => search(page).evaluate((field) => field.getBoundingClientRect().top)).toBeLessThan(100);
  await expect(cards(page).first()).toBeInViewport({ ratio: 0.9 });
});

test('on a phone the field moves to the top when it gets the focus, each time', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/');
  await expect(cards(page)).toHaveCount(PAGE_SIZE);
  const fieldTop = () => page.locator('main search').evaluate((field) => Math.round(field.getBoundingClientRect().top));
  for (let time = 0; time < 2; time++) {
    await page.evaluate(() => window.scrollTo(0, 0));
    await search(page).evaluate((field: HTMLElement) => {
      field.blur();
      field.focus({ preventScroll: true });
    });
    await expect.poll(fieldTop).toBe(16);
  }
  // Without the focus in the search field, the first card is within the top 800 px.
  await search(page).blur();
  await page.evaluate(() => window.scrollTo(0, 0));
  expect(
    await page
      .getByRole('article')
      .nth(1)
      .evaluate((card) => card.getBoundingClientRect().top),
  ).toBeLessThan(800);
});

test('a search goes along to the page of a post, which marks it, leads on in it and back to it', async ({ page }) => {
  // No post contains all of these words.
  await page.goto('/?search=lighthouse+keeper+sardines');
  await expect(cards(page).first().locator('mark').first()).toBeVisible();
  await cards(page).first().locator('[data-post-stop]').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator('mark').first()).toBeVisible();
  await dialog.getByRole('link', { name: 'All about this post' }).click();
  await expect(page.getByRole('complementary', { name: 'About this post' })).toBeVisible();
  await expect(page.locator('article mark').first()).toBeVisible();
  await page.getByRole('link', { name: 'Back to “lighthouse keeper sardines”' }).click();
  await expect(search(page)).toHaveValue('lighthouse keeper sardines');

  await page.goto('/?search=lighthouse');
  await expect(cards(page)).toHaveCount(2);
  const [first, second] = await cards(page)
    .locator('[data-post-stop]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  await page.goto(`${first}?search=lighthouse`);
  await page.getByRole('navigation', { name: 'Posts found' }).getByRole('link', { name: 'Next' }).click();
  await expect(page).toHaveURL(`${second}?search=lighthouse`);
});

test('the bar of a page without a search field has one', async ({ page }) => {
  await page.goto('/explore');
  // The heading is in the server's HTML. The field appears with the script that handles keys.
  await expect(page.locator('#search')).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('lighthouse');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/\?search=lighthouse$/);
  await expect(total(page)).toHaveText('2 posts match');
});

test('below the footer there is nothing', async ({ page }) => {
  await page.goto('/');
  await expect(cards(page)).toHaveCount(PAGE_SIZE);
  await expect(page.getByRole('table', { name: /^Timeline by/ })).toBeAttached();
  const below = await page.evaluate(() => {
    const footer = [...document.querySelectorAll('footer')].at(-1) as HTMLElement;
    const end = footer.getBoundingClientRect().bottom + window.scrollY;
    return document.documentElement.scrollHeight - Math.max(end, window.innerHeight);
  });
  expect(Math.abs(Math.round(below))).toBe(0);
});

test('the keyboard reaches everything', async ({ page }) => {
  await page.goto('/');
  await expect(cards(page)).toHaveCount(PAGE_SIZE);
  await page.keyboard.press('/');
  await expect(search(page)).toBeFocused();
  await search(page).fill('lighthouse');
  await expect(cards(page)).toHaveCount(2);
  await search(page).blur();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toContainText('The lighthouse keeper');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
});

test('the theme is chosen, kept, and there from the first paint', async ({ page }) => {
  await page.addInitScript(() => {
    requestAnimationFrame(function look() {
      if (!document.body) requestAnimationFrame(look);
      else document.documentElement.dataset['firstPaint'] = getComputedStyle(document.documentElement).backgroundColor;
    });
  });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/');
  const light = await background(page);
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('radio', { name: 'Dark' }).check();
  await expect.poll(() => background(page)).not.toBe(light);
  const dark = await background(page);
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-first-paint', dark);
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('radio', { name: 'System' }).check();
  await expect.poll(() => background(page)).toBe(light);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => background(page)).toBe(dark);
});

/** Holds all answers until the press, because the page may also retry by itself. */
async function tryAgain(page: Page): Promise<void> {
  const lists = `**${ENDPOINTS.listArchives.path}*`;
  const held: Route[] = [];
  let isPressed = false;
  await page.unroute(lists);
  await page.route(lists, (route) => (isPressed ? route.continue() : void held.push(route)));
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => held.length).toBeGreaterThan(0);
  isPressed = true;
  for (const route of held) await route.continue();
}

test('a server that is down shows the maintenance page, and trying again brings the archive back', async ({ page }) => {
  await page.route(`**${ENDPOINTS.listArchives.path}*`, (route) => route.fulfill({ status: 503, body: '' }));
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Server Maintenance' })).toBeVisible();
  await tryAgain(page);
  await expect(cards(page)).toHaveCount(PAGE_SIZE);
});

test('a search that cannot be asked keeps the field and what was typed', async ({ page }) => {
  await page.goto('/');
  await expect(cards(page)).toHaveCount(PAGE_SIZE);
  await page.route(`**${ENDPOINTS.listArchives.path}*`, (route) => route.abort());
  await search(page).pressSequentially('lighthouse', { delay: 30 });
  await expect(page.getByText('Failed to load data. Please try again later.')).toBeVisible();
  await expect(search(page)).toHaveValue('lighthouse');
  await expect(search(page)).toBeFocused();
  await tryAgain(page);
  await expect(cards(page).first()).toBeVisible();
});

test('another failure says so and keeps the page', async ({ page }) => {
  await page.route(`**${ENDPOINTS.listArchives.path}*`, (route) => route.fulfill({ status: 400, body: '{}' }));
  await page.goto('/');
  await expect(page.getByText('Failed to load data. Please try again later.')).toBeVisible();
});

test('a visitor is told to sign in', async ({ page }) => {
  await page.goto('/?search=lighthouse');
  await cards(page)
    .first()
    .getByRole('button', { name: /^Launch/ })
    .click();
  await expect(page.getByText('Please connect your wallet and sign in to launch a token')).toBeVisible();
});

test('nothing is loaded from elsewhere, refused by the policy, or complained about', async ({ page, baseURL }) => {
  const complaints = complaintsOf(page);
  page.on('request', (request) => {
    if (!request.url().startsWith(baseURL ?? '') && !request.url().startsWith('data:')) complaints.push(request.url());
  });
  for (const path of ['/', '/?view=table', `/post/${FEATURED_ID}`, '/author/anwen', '/dashboard']) {
    await page.goto(path);
    await page.waitForLoadState('networkidle');
  }
  expect(complaints).toEqual([]);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('the menu slides in and nothing is wider than the screen', async ({ page }) => {
    await page.goto('/');
    await expect(cards(page)).toHaveCount(PAGE_SIZE);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await page.getByRole('button', { name: 'Menu' }).click();
    const menu = page.getByRole('dialog');
    await menu.getByRole('link', { name: 'Dashboard' }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(page.getByText('Please connect your wallet to view your dashboard')).toBeVisible();
  });
});

function cards(page: Page) {
  return page.getByRole('region', { name: 'Posts' }).getByRole('article');
}

function search(page: Page) {
  return page.getByRole('searchbox', { name: 'Search posts, authors or handles' });
}

function total(page: Page) {
  return page
    .getByRole('region', { name: 'Posts' })
    .getByText(/^[\d,]+ posts?( match(es)?)?$/)
    .first();
}

function background(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
}
