import { ENDPOINTS, type Explore } from '@archive/contracts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SWRConfig } from 'swr';
import { archivePost, publicConfig } from '../../testing/archive-page.ts';
import { ExplorePage } from './explore-page.tsx';

const months = Array.from({ length: 24 }, (_, at) => new Date(Date.UTC(2024, 11 + at)).toISOString().slice(0, 7));
const author = { author: 'Delta Harbour', username: 'delta', avatar: null, count: 10_247 };

const full: Explore = {
  total: 991_465,
  authors: 48_210,
  keptSince: '2021-03-04T05:06:07.000Z',
  writtenSince: '2012-02',
  months,
  categories: [
    { category: 'news', count: 24_110, months: months.map((_, at) => at * 10) },
    { category: 'crypto', count: 21_870, months: months.map(() => 7) },
  ],
  uncategorized: 868_617,
  activeAuthors: [author],
  newAuthors: [{ ...author, author: 'Noor', username: 'noor', platform: 'bluesky', since: '2026-11-01T00:00:00.000Z' }],
  languages: ['en', 'es', 'pt', 'ja', 'de', 'fr', 'nl', 'tr'].map((language, at) => ({ language, count: 8000 - at })),
  withoutLanguage: 46_758,
  week: { from: '2026-11-18', to: '2026-11-24', posts: [archivePost(5)] },
  onThisDay: {
    day: '2026-11-24',
    count: 212,
    years: [{ day: '2025-11-24', count: 12, post: archivePost(6) }],
  },
};

let answers: Record<string, () => unknown>;
let randoms: number;

beforeEach(() => {
  randoms = 0;
  answers = {
    [ENDPOINTS.config.path]: () => publicConfig,
    [ENDPOINTS.explore.path]: () => full,
    [ENDPOINTS.random.path]: () => archivePost(10 + randoms++),
  };
  globalThis.fetch = jest.fn<typeof fetch>(async (input) => {
    const answer = answers[new URL(String(input), 'http://localhost').pathname]?.();
    return answer instanceof Response ? answer : Response.json(answer ?? {}, { status: answer ? 200 : 404 });
  });
});

afterEach(() => {
  window.history.replaceState(null, '', '/');
});

function open() {
  const cache = new Map();
  render(
    <SWRConfig value={{ provider: () => cache, dedupingInterval: 0, shouldRetryOnError: false }}>
      <ExplorePage />
    </SWRConfig>,
  );
  return userEvent.setup();
}

const refusal = (status: number) =>
  Response.json({ status, code: status === 404 ? 'post_not_found' : 'internal_error', message: 'No.' }, { status });

function hrefOf(name: string | RegExp): string {
  return decodeURIComponent(screen.getByRole('link', { name }).getAttribute('href')?.replaceAll('+', ' ') ?? '');
}

describe('ways into the archive', () => {
  test('every figure leads to the posts it counts', async () => {
    open();
    expect(await screen.findByText('Ways through 991,465 posts, written since February 2012.')).toBeInTheDocument();
    expect(hrefOf('24,110 posts in news')).toBe('/?category=news');
    expect(hrefOf('crypto, Oct 2026: 7 posts')).toBe('/?category=crypto&startDate=2026-10-01&endDate=2026-10-31');
    expect(hrefOf('868,617 posts')).toMatch(/^\/\?q=-category:casual -category:crypto .*-category:troll$/);
    expect(hrefOf(/^Delta Harbour/)).toBe('/author/delta');
    expect(hrefOf(/^Noor/)).toBe('/author/noor');
    expect(hrefOf(/^Spanish/)).toBe('/?language=es');
    expect(hrefOf(/^None told/)).toBe('/?q=-lang:en -lang:es -lang:pt -lang:ja -lang:de -lang:fr -lang:nl -lang:tr');
    expect(hrefOf('12 posts of 24 November 2025')).toBe('/?startDate=2025-11-24&endDate=2025-11-24');
    expect(hrefOf('Show all')).toBe('/?startDate=2026-11-18&endDate=2026-11-24&q=reactions:>0&sortBy=reactions');
    expect(hrefOf('Posts of all 48,210 authors, by their names')).toBe('/?sortBy=author&sortOrder=asc');
  });

  test('other languages unfold into their own', async () => {
    const user = open();
    await user.click(await screen.findByRole('button', { name: /^2 others/ }));
    expect(hrefOf(/^Turkish/)).toBe('/?language=tr');
    expect(screen.queryByRole('button', { name: /others/ })).not.toBeInTheDocument();
  });

  test('the plot is one stop: arrows choose a month and a category, which readers are told', async () => {
    const user = open();
    const plot = await screen.findByRole('region', { name: /^Categories by month/ });
    const stops = () =>
      within(plot)
        .getAllByRole('link', { name: /^(news|crypto), / })
        .filter((link) => link.tabIndex === 0);
    expect(stops()).toHaveLength(1);
    const [stop] = stops() as [HTMLElement];
    // The last complete month.
    expect(stop).toHaveAccessibleName('news, Oct 2026: 220 posts');
    stop.focus();
    await user.keyboard('{ArrowLeft}{ArrowDown}');
    expect(stop).toHaveAccessibleName('crypto, Sept 2026: 7 posts');
    expect(within(plot).getByRole('status')).toHaveTextContent('crypto, Sept 2026: 7 posts');
    expect(stop).toHaveAttribute('href', '/?category=crypto&startDate=2026-09-01&endDate=2026-09-30');
    await user.keyboard('{Home}{ArrowLeft}{ArrowUp}{ArrowUp}');
    expect(stop).toHaveAccessibleName('news, Dec 2024: 0 posts');
    await user.keyboard('{End}');
    expect(stop).toHaveAccessibleName('news, Nov 2026: 230 posts');
  });

  test('shows the last 24 months that have posts, and earlier ones by the slider', async () => {
    const many = Array.from({ length: 30 }, (_, at) => new Date(Date.UTC(2010, at * 3)).toISOString().slice(0, 7));
    const ofNews = { category: 'news', count: 465, months: many.map((_, at) => at + 1) } as const;
    answers[ENDPOINTS.explore.path] = () => ({ ...full, months: many, categories: [ofNews] });
    open();
    const table = await screen.findByRole('table', { name: 'Posts of each category by month' });
    const names = () =>
      within(table)
        .getAllByRole('rowheader')
        .map(({ textContent }) => textContent);
    expect([names().length, names()[0], names().at(-1)]).toEqual([24, 'Jul 2011', 'Apr 2017']);
    const slider = screen.getByRole('slider', { name: 'Months shown, earlier to later' });
    expect(slider).toHaveAttribute('aria-valuetext', 'Jul 2011 to Apr 2017');
    fireEvent.change(slider, { target: { value: '0' } });
    expect([names().length, names()[0], names().at(-1)]).toEqual([24, 'Jan 2010', 'Oct 2015']);
    for (const link of screen.getAllByRole('link', { name: 'news, Oct 2015: 24 posts' }))
      expect(link).toHaveAttribute('href', '/?category=news&startDate=2015-10-01&endDate=2015-10-31');
  });

  test('shows a young archive with the empty months before it', async () => {
    const ofNews = { category: 'news', count: 3, months: [3] } as const;
    answers[ENDPOINTS.explore.path] = () => ({ ...full, months: ['2026-02'], categories: [ofNews] });
    open();
    const table = await screen.findByRole('table', { name: 'Posts of each category by month' });
    const names = within(table)
      .getAllByRole('rowheader')
      .map(({ textContent }) => textContent);
    expect([names.length, names[0], names.at(-1)]).toEqual([12, 'Mar 2025', 'Feb 2026']);
  });

  test('languages that fewer than one post in a hundred tells are left out', async () => {
    answers[ENDPOINTS.explore.path] = () => ({ ...full, languages: [{ language: 'en', count: 9_000 }] });
    open();
    expect(await screen.findByRole('heading', { name: 'New here' })).toBeInTheDocument();
    expect(screen.queryByRole('heading', { name: 'Languages' })).not.toBeInTheDocument();
  });

  test('a table says to readers what the plot shows', async () => {
    open();
    const table = await screen.findByRole('table', { name: 'Posts of each category by month' });
    expect(within(table).getAllByRole('row')).toHaveLength(25);
    const row = within(table).getByRole('row', { name: /^Dec 2025/ });
    expect(
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['120', '7']);
  });
});

describe('a random post', () => {
  test('stays until another one is asked for, and is never followed by itself', async () => {
    answers[ENDPOINTS.random.path] = () => archivePost([10, 10, 11][randoms++] ?? 12);
    const user = open();
    expect(await screen.findByText('Words of post 10')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Another one' }));
    expect(await screen.findByText('Words of post 11')).toBeInTheDocument();
    expect(randoms).toBe(3);
  });

  test('that cannot be had says so, and the rest of the page stands', async () => {
    answers[ENDPOINTS.random.path] = () => refusal(500);
    const user = open();
    expect(await screen.findByText('A post could not be picked.')).toBeInTheDocument();
    expect(await screen.findByRole('heading', { name: 'Languages' })).toBeInTheDocument();
    answers[ENDPOINTS.random.path] = () => archivePost(10);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Words of post 10')).toBeInTheDocument();
  });
});

describe('without figures', () => {
  test('an empty archive leads to its first post', async () => {
    answers[ENDPOINTS.explore.path] = () => ({ ...full, total: 0, categories: [], languages: [] });
    answers[ENDPOINTS.random.path] = () => refusal(404);
    open();
    expect(await screen.findByRole('heading', { name: 'Nothing to explore yet' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Save a post' })).toHaveAttribute('href', '/save');
  });

  test('a failure says what is safe, keeps the random post, and is tried again', async () => {
    answers[ENDPOINTS.explore.path] = () => refusal(400);
    const user = open();
    expect(await screen.findByText('The figures could not be loaded.')).toBeInTheDocument();
    expect(await screen.findByText('Words of post 10')).toBeInTheDocument();
    answers[ENDPOINTS.explore.path] = () => full;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'Languages' })).toBeInTheDocument();
  });

  test('a week and a day without posts say so and lead somewhere', async () => {
    answers[ENDPOINTS.explore.path] = () => ({
      ...full,
      categories: [],
      week: { ...full.week, posts: [] },
      onThisDay: { day: '2026-11-24', count: 0, years: [] },
    });
    open();
    expect(await screen.findByText(/Nobody has reacted to a post of the last seven days yet/)).toBeInTheDocument();
    expect(hrefOf('Most reacted of all')).toBe('/?sortBy=reactions');
    expect(screen.getByText(/No other year has a post of this day/)).toBeInTheDocument();
    expect(screen.queryByText(/Categories by month/)).not.toBeInTheDocument();
  });
});
