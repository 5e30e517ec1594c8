import { type ArchivePage, ENDPOINTS, type Match } from '@archive/contracts';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import useSWR, { SWRConfig } from 'swr';
import { fetchJson } from '../../lib/api.ts';
import { archivePage, archivePost } from '../../testing/archive-page.ts';
import { settle } from '../../testing/settle.ts';
import { Arrivals } from './arrivals.tsx';
import { ExportPanel } from './export-panel.tsx';
import { SearchNotes } from './search-notes.tsx';
import { parseView } from './view-state.ts';

let asked: string[];
let total: number;
let behind: number;

beforeEach(() => {
  asked = [];
  total = 0;
  behind = 0;
  globalThis.fetch = jest.fn<typeof fetch>(async (input) => {
    if (String(input) === '/ready') return Response.json({ behind }, { status: Number.isNaN(behind) ? 503 : 200 });
    asked.push(String(input));
    return Response.json(found('any', total));
  });
});

afterEach(() => window.history.replaceState(null, '', '/'));

function found(match: Match, posts: number): ArchivePage {
  const pagination = { page: 1, limit: 12, total: posts, pages: 1, next: null };
  return archivePage([archivePost(1)], { match, pagination });
}

function draw(part: ReactNode) {
  return render(<SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0 }}>{part}</SWRConfig>);
}

function notes(match: Match, isAnswered: boolean) {
  const view = parseView('?search=kept+words');
  return (
    <SearchNotes view={view} handle={undefined} list={found(match, 2)} isAnswered={isAnswered} onMatch={() => {}} />
  );
}

const address = `${ENDPOINTS.listArchives.path}?sortBy=saved`;

/** Stands in for the list below. */
function Listed() {
  useSWR(address, fetchJson);
  return null;
}

test('wider matches are asked for once it is known what there is', async () => {
  const { rerender } = draw(notes('words', false));
  await settle();
  expect(asked).toEqual([]);
  rerender(<SWRConfig value={{ provider: () => new Map() }}>{notes('words', true)}</SWRConfig>);
  const wider = [`${ENDPOINTS.listArchives.path}?search=kept+words&match=any&limit=1`];
  await waitFor(() => expect(asked).toEqual(wider));
  await settle();
  expect(asked).toEqual(wider);
});

test.each([
  [2, 'true'],
  [3, 'false'],
])('where wider matches are %i posts instead of 2, the way to them is hidden: %s', async (posts, isHidden) => {
  total = posts;
  draw(notes('words', true));
  const button = await screen.findByRole('button', { name: `Posts with either word, ${posts}` });
  expect(button).toHaveAttribute('data-hidden', isHidden);
});

test('that other posts were found than were asked for is announced; the posts themselves are elsewhere', async () => {
  draw(notes('exact', true));
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
  draw(notes('words', true));
  expect(screen.getByRole('status')).toHaveTextContent('2 posts hold both words.');
  await settle();
});

test.each([
  ['', undefined, 'All posts. A search or filter makes it smaller.'],
  ['', 'ann.example', 'All posts of this list, on every page.'],
  ['?search=kept', undefined, 'All posts of this list, on every page.'],
])('an export of "%s" by %s says what it holds', (query, handle, words) => {
  draw(<ExportPanel view={parseView(query)} handle={handle} total={1} posts={[]} />);
  expect(screen.getByText(words)).toBeInTheDocument();
});

test('a press on what has come asks for the list also where the page stands at its address already', async () => {
  const streams: EventTarget[] = [];
  const known = globalThis.EventSource;
  globalThis.EventSource = class extends EventTarget {
    constructor() {
      super();
      streams.push(this);
    }
    close() {}
  } as unknown as typeof EventSource;
  window.history.replaceState(null, '', '/?sortBy=saved');
  const onOpen = jest.fn();
  try {
    const { unmount } = draw([<Listed key="list" />, <Arrivals key="come" layout="grid" onOpen={onOpen} isWhole />]);
    await waitFor(() => expect(streams).toHaveLength(1));
    act(() => void streams[0]?.dispatchEvent(new MessageEvent('posts', { data: '{"added":2}' })));
    expect(asked).toEqual([address]);
    fireEvent.click(screen.getByRole('button', { name: '2 new posts' }));
    await waitFor(() => expect(asked).toEqual([address, address]));
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
    expect(onOpen).toHaveBeenCalledTimes(1);
    unmount();
  } finally {
    globalThis.EventSource = known;
  }
});

test.each([
  [60, true],
  [61, false],
  [61, true],
])(
  'of an index that is %i s behind, a list says that posts are to come after more than a minute',
  async (seconds, isWhole) => {
    behind = seconds;
    draw(<Arrivals layout="grid" onOpen={() => {}} isWhole={isWhole} />);
    await settle();
    expect(screen.queryAllByText(/^Newer posts are still being indexed/)).toHaveLength(seconds > 60 ? 1 : 0);
  },
);

test('that posts are to come is said no longer than it is known, also after a failure', async () => {
  jest.useFakeTimers();
  try {
    behind = 61;
    draw(<Arrivals layout="grid" onOpen={() => {}} isWhole={false} />);
    await act(() => jest.advanceTimersByTimeAsync(1_000));
    expect(screen.getByText(/still being indexed/)).toBeInTheDocument();
    behind = Number.NaN;
    await act(() => jest.advanceTimersByTimeAsync(61_000));
    expect(screen.queryByText(/still being indexed/)).not.toBeInTheDocument();
    behind = 62;
    await act(() => jest.advanceTimersByTimeAsync(180_000));
    expect(screen.getByText(/still being indexed/)).toBeInTheDocument();
  } finally {
    jest.useRealTimers();
  }
});
