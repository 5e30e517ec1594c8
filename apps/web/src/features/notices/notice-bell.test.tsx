import { ENDPOINTS, type Notice, type SavedSearch } from '@archive/contracts';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { closeAllToasts, ToastHost } from '../../ui/toasts.tsx';
import { resetWalletState, updateWalletState } from '../../wallet/wallet-store.ts';
import { SearchesPanel } from '../searches/searches-panel.tsx';
import { NoticeBell } from './notice-bell.tsx';
import { NoticesPanel } from './notices-panel.tsx';

const AT = '2026-11-20T10:00:00.000Z';
let notices: Notice[];
let searches: SavedSearch[];
let asked: string[];
let refused: boolean;

beforeEach(async () => {
  await import('../../ui/toast-note.tsx');
  jest.useFakeTimers({ now: Date.parse(AT) });
  asked = [];
  refused = false;
  notices = [notice('first', 1)];
  searches = [saved('new', 3), saved('old', 0)];
  globalThis.fetch = jest.fn<typeof fetch>(async (input, init) => {
    const call = `${init?.method ?? 'GET'} ${String(input)} ${init?.body ?? ''}`.trim();
    asked.push(call);
    if (call === `GET ${ENDPOINTS.listNotices.path}`) {
      return Response.json({ data: notices, unread: notices.filter(({ isNew }) => isNew).length });
    }
    if (call === `GET ${ENDPOINTS.listSearches.path}`) return Response.json({ data: searches });
    return refused ? new Response(null, { status: 500 }) : Response.json({});
  });
  updateWalletState({ token: 'the-token' });
});

afterEach(() => {
  act(() => {
    closeAllToasts();
    resetWalletState();
  });
  jest.useRealTimers();
  window.history.replaceState(null, '', '/');
});

function notice(id: string, newPosts: number, over: Partial<Notice> = {}): Notice {
  const search = { _id: id, name: id, query: `q=${id}`, newPosts };
  return { _id: id, kind: 'search', at: AT, isNew: true, search, post: null, token: null, reason: null, ...over };
}

function saved(name: string, newPosts: number): SavedSearch {
  return { _id: name, name, query: `q=${name}`, newPosts, createdAt: AT, seenAt: AT };
}

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
const toasts = () => [...screen.getAllByRole('status')].flatMap((host) => [...host.querySelectorAll('p')]);
/** The calls since the last use, without the calls for the account. */
const askedNow = () => asked.splice(0).filter((call) => !call.endsWith(ENDPOINTS.getAccount.path));

async function open() {
  render(
    <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0, shouldRetryOnError: false }}>
      <NoticeBell />
      <NoticesPanel />
      <SearchesPanel />
      <ToastHost />
    </SWRConfig>,
  );
  await pass(100);
  asked = [];
}

test('what comes while the page is open is said once; what there was, and what is read, is not', async () => {
  await open();
  expect(toasts()).toHaveLength(0);
  notices = [notice('read', 1, { isNew: false }), notice('second', 1), ...notices];
  await pass(60_000);
  expect(toasts()).toHaveLength(1);
  expect(toasts()[0]).toHaveTextContent('second');
  notices = [notice('third', 1), ...notices];
  await pass(60_000);
  expect(toasts()).toHaveLength(1);
  expect(toasts()[0]).toHaveTextContent('third');
  // Further posts of the same search count as news again.
  notices = [notice('first', 2)];
  await pass(60_000);
  expect(toasts()).toHaveLength(1);
  expect(toasts()[0]).toHaveTextContent('first');
});

test('all are marked as read, and asked for again', async () => {
  await open();
  notices = [notice('first', 1, { isNew: false })];
  fireEvent.click(screen.getByRole('button', { name: 'Mark all as read' }));
  await pass(100);
  expect(askedNow()).toEqual([
    `${ENDPOINTS.readNotices.method} ${ENDPOINTS.readNotices.path}`,
    `GET ${ENDPOINTS.listNotices.path}`,
  ]);
  expect(screen.queryByRole('button', { name: 'Mark all as read' })).not.toBeInTheDocument();
});

test('where they could not be marked, that is said and nothing is asked for', async () => {
  await open();
  refused = true;
  fireEvent.click(screen.getByRole('button', { name: 'Mark all as read' }));
  await pass(100);
  expect(askedNow()).toHaveLength(1);
  expect(screen.getByText('The notices could not be marked. Please try again.')).toBeInTheDocument();
});

test('a search with new posts leads to those that were saved last, and they are new no longer', async () => {
  await open();
  const panel = within(screen.getByRole('region', { name: /^Saved searches/ }));
  const [withNew, without] = panel.getAllByRole('link').filter((link) => !link.getAttribute('href')?.includes('feed'));
  expect(withNew).toHaveAttribute('href', '/?q=new&sortBy=saved');
  expect(without).toHaveAttribute('href', '/?q=old');
  fireEvent.click(without as HTMLElement);
  await pass(100);
  expect(askedNow()).toEqual([]);
  fireEvent.click(withNew as HTMLElement);
  await pass(100);
  expect(askedNow()).toEqual([
    `${ENDPOINTS.changeSearch.method} ${ENDPOINTS.changeSearch.path.replace(':savedSearch', 'new')} {"seen":true}`,
    `GET ${ENDPOINTS.listSearches.path}`,
    `GET ${ENDPOINTS.listNotices.path}`,
  ]);
});

test('a notice of a search that is opened is new no longer, and the notices are asked for again', async () => {
  await open();
  fireEvent.click(within(screen.getByRole('region', { name: /^Notices/ })).getByRole('link'));
  await pass(100);
  expect(askedNow()).toEqual([
    `${ENDPOINTS.changeSearch.method} ${ENDPOINTS.changeSearch.path.replace(':savedSearch', 'first')} {"seen":true}`,
    `GET ${ENDPOINTS.listNotices.path}`,
  ]);
});

test.each([
  ['another name', 'other', 'Enter', ['{"name":"other"}']],
  ['spaces around it', ' other ', 'Enter', ['{"name":"other"}']],
  ['the same name', 'new', 'Enter', []],
  ['no name', ' ', 'Enter', []],
  ['another name, left by Escape', 'other', 'Escape', []],
])('renamed with %s', async (_what, name, key, expected) => {
  await open();
  fireEvent.click(screen.getByRole('button', { name: 'Rename new' }));
  const field = screen.getByRole('textbox', { name: 'Name of the search' });
  fireEvent.change(field, { target: { value: name } });
  if (key === 'Escape') fireEvent.keyDown(field, { key });
  else fireEvent.submit(field);
  await pass(100);
  expect(askedNow().flatMap((call) => call.match(/\{.*\}/)?.[0] ?? [])).toEqual(expected);
  expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
});

test('a search that could not be renamed keeps its name, and that is said', async () => {
  await open();
  refused = true;
  fireEvent.click(screen.getByRole('button', { name: 'Rename new' }));
  const field = screen.getByRole('textbox', { name: 'Name of the search' });
  fireEvent.change(field, { target: { value: 'other' } });
  fireEvent.submit(field);
  await pass(100);
  expect(screen.getByText('The search could not be changed. Please try again.')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Rename new' })).toBeInTheDocument();
});

test('a deleted search is asked for no longer; where it could not be, that is said', async () => {
  await open();
  fireEvent.click(screen.getByRole('button', { name: 'Delete new' }));
  await pass(100);
  expect(askedNow()).toEqual([
    `${ENDPOINTS.dropSearch.method} ${ENDPOINTS.dropSearch.path.replace(':savedSearch', 'new')}`,
    `GET ${ENDPOINTS.listSearches.path}`,
  ]);
  refused = true;
  fireEvent.click(screen.getByRole('button', { name: 'Delete old' }));
  await pass(100);
  expect(screen.getByText('The search could not be deleted. Please try again.')).toBeInTheDocument();
});
