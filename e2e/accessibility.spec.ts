import { ENDPOINTS } from '@archive/contracts';
import { type Page, test } from '@playwright/test';
import { expectNoViolations } from './no-violations.ts';
import { FEATURED_ID } from './posts.ts';

interface State {
  name: string;
  path: string;
  reach?: (page: Page) => Promise<void>;
}

const listCalls = `**${ENDPOINTS.listArchives.path}?*`;
const article = (page: Page) => page.getByRole('article').first();

const STATES: State[] = [
  { name: 'list', path: '/', reach: (page) => article(page).waitFor() },
  { name: 'search', path: '/?search=lighthouse', reach: (page) => article(page).waitFor() },
  { name: 'table', path: '/?view=table', reach: (page) => page.getByRole('table', { name: 'Posts' }).waitFor() },
  {
    name: 'filters',
    path: '/?author=harbour&category=tech&startDate=2020-01-01',
    reach: async (page) => {
      await page.getByRole('button', { name: /^Filters/ }).click();
      await page.getByRole('form', { name: 'Filters' }).waitFor();
    },
  },
  {
    name: 'nothing found',
    path: '/?search=no-such-words',
    reach: (page) => page.getByRole('heading', { name: 'No tweets found' }).waitFor(),
  },
  { name: 'loading', path: '/', reach: (page) => page.getByRole('searchbox').waitFor() },
  {
    name: 'maintenance',
    path: '/',
    reach: (page) => page.getByRole('heading', { name: 'Server Maintenance' }).waitFor(),
  },
  { name: 'error', path: '/', reach: (page) => page.getByText('Failed to load data.').waitFor() },
  {
    name: 'dialog',
    path: '/?search=lighthouse',
    reach: async (page) => {
      await page.locator('[data-post-stop]').first().click();
      await page.getByRole('dialog').getByText('Tweet ID').waitFor();
    },
  },
  { name: 'post', path: `/post/${FEATURED_ID}`, reach: (page) => page.getByText('Tweet ID').waitFor() },
  { name: 'quotes', path: '/?search=harbour+master', reach: (page) => page.getByText('Replying to').waitFor() },
  { name: 'author', path: '/author/keeper1', reach: (page) => article(page).waitFor() },
  { name: 'dashboard', path: '/dashboard', reach: (page) => page.getByText('Please connect your wallet').waitFor() },
  { name: 'no such page', path: '/post/404404404', reach: (page) => page.getByText('No post here').waitFor() },
  {
    name: 'keys',
    path: '/',
    reach: async (page) => {
      await article(page).waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    },
  },
  {
    name: 'toast',
    path: '/?search=lighthouse',
    reach: async (page) => {
      // The toast disappears by itself after a while.
      await page.waitForLoadState('networkidle');
      await article(page)
        .getByRole('button', { name: /^Heart/ })
        .click();
      await page.getByText('A wallet is needed to react.').waitFor();
    },
  },
];

/** How the list call answers in the states that need it to fail or hang. */
const ANSWERS: Record<string, (page: Page) => Promise<unknown>> = {
  loading: (page) => page.route(listCalls, () => {}),
  maintenance: (page) => page.route(listCalls, (route) => route.fulfill({ status: 503, body: '' })),
  error: (page) => page.route(listCalls, (route) => route.fulfill({ status: 400, body: '{}' })),
};

for (const width of [1400, 360]) {
  test.describe(`${width} wide`, () => {
    test.use({ viewport: { width, height: 900 } });

    for (const state of STATES) {
      test(`axe finds nothing: ${state.name}`, async ({ page }) => {
        await ANSWERS[state.name]?.(page);
        await page.goto(state.path);
        await state.reach?.(page);
        await expectNoViolations(page, state.name === 'loading' ? undefined : state.name);
      });
    }
  });
}
