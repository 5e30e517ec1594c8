import { ENDPOINTS, type ErrorCode, type GivenReaction, type User } from '@archive/contracts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SWRConfig } from 'swr';
import { archivePage, archivePost, publicConfig, refusal, tokenLaunch } from '../testing/archive-page.ts';
import { settle } from '../testing/settle.ts';
import { closeAllToasts } from '../ui/toasts.tsx';
import { saveSession } from '../wallet/session-storage.ts';
import { resetWalletState, updateWalletState, walletState } from '../wallet/wallet-store.ts';
import { App } from './app.tsx';

type Answer = (url: URL) => unknown;

const LIST = ENDPOINTS.listArchives.path;
let answers: Record<string, Answer>;
let asked: string[];

beforeEach(() => {
  asked = [];
  answers = {
    [ENDPOINTS.config.path]: () => publicConfig,
    [ENDPOINTS.analytics.path]: () => ({ topAuthors: [], contentTrends: [], timeTrends: [] }),
    [ENDPOINTS.timeline.path]: () => ({ bucket: 'month', counts: [{ from: '2026-10-01', count: 2 }] }),
    [LIST]: () => archivePage([archivePost(1), archivePost(2)]),
  };
  globalThis.fetch = jest.fn<typeof fetch>(async (input) => {
    const url = new URL(String(input), 'http://localhost');
    asked.push(url.pathname + url.search);
    const answer = await answers[url.pathname]?.(url);
    if (answer instanceof Response) return answer;
    return answer === undefined ? refusal(404, 'not_found') : Response.json(answer);
  });
});

afterEach(() => {
  act(() => {
    closeAllToasts();
    localStorage.clear();
    sessionStorage.clear();
    resetWalletState();
  });
  window.history.replaceState(null, '', '/');
});

function open(address: string) {
  window.history.replaceState(null, '', address);
  const cache = new Map();
  render(
    <SWRConfig
      value={{ provider: () => cache, dedupingInterval: 0, shouldRetryOnError: false, revalidateOnFocus: false }}
    >
      <App />
    </SWRConfig>,
  );
  return userEvent.setup();
}

describe('the archive', () => {
  test('shows figures, posts and the way to keep one', async () => {
    open('/');
    expect(screen.getByText('Loading archive data...')).toBeInTheDocument();
    expect(await screen.findByText('Words of post 1')).toBeInTheDocument();
    expect(screen.getByText('Total Tweets').nextSibling).toHaveTextContent('3,083');
    expect(screen.getByText('Unique Authors').nextSibling).toHaveTextContent('1,204');
    expect(screen.getByText('Last 7 Days').nextSibling).toHaveTextContent('58');
    expect(screen.getByText('@keeper.example archive this')).toBeInTheDocument();
    expect(await screen.findByText('No author data available')).toBeInTheDocument();
    expect(screen.getAllByRole('button', { name: 'Heart: 1.3k' })).toHaveLength(2);
  });

  test('asks for the list with the names in its own address', async () => {
    open('/?search=kept&category=crypto&page=2&view=table');
    await waitFor(() => expect(asked).toContain(`${LIST}?q=kept+category%3Acrypto&page=2`));
  });

  test('asks for no saved searches of a visitor', async () => {
    await import('../features/searches/follow-line.tsx');
    open('/?q=kept&category=crypto');
    await waitFor(() => expect(screen.getAllByRole('button', { name: 'Save this search' })).toHaveLength(2));
    expect(asked).not.toContain(ENDPOINTS.listSearches.path);
  });

  test('shows the featured post on page 1 alone', async () => {
    answers[LIST] = (url) =>
      archivePage([archivePost(1)], {
        featured: url.searchParams.has('page') ? null : archivePost(9, { featured: true, featuredBy: 'team' }),
        pagination: { page: 1, limit: 12, total: 14, pages: 2, next: null },
      });
    const user = open('/');
    expect(await screen.findByText('Featured by the team')).toBeInTheDocument();
    await user.click(await screen.findByRole('link', { name: 'Page 2' }));
    await waitFor(() => expect(screen.queryByText('Featured by the team')).not.toBeInTheDocument());
    expect(window.location.search).toBe('?page=2');
  });

  test('says when nothing is found', async () => {
    answers[LIST] = () => archivePage([]);
    open('/?search=zz');
    expect(await screen.findByRole('heading', { name: 'No tweets found' })).toBeInTheDocument();
    expect(screen.getByText('Try adjusting your filters or search terms')).toBeInTheDocument();
  });

  test('has a way back from past its end: to the last page there is', async () => {
    answers[LIST] = (url) => {
      const page = Number(url.searchParams.get('page') ?? 1);
      const pagination = { page, limit: 12, total: 36, pages: 3, next: null };
      return archivePage(page > 3 ? [] : [archivePost(page)], { pagination });
    };
    const user = open('/?page=9');
    await user.click(await screen.findByRole('button', { name: 'Last page' }));
    expect(window.location.search).toBe('?page=3');
    expect(await screen.findByText('Words of post 3')).toBeInTheDocument();
  });

  test.each([
    ['', []],
    ['?search=zz', ['Clear the search']],
    ['?author=zz', ['Reset filters']],
  ])('that is empty at "%s" offers to take away what narrows it', async (query, names) => {
    answers[LIST] = () => archivePage([]);
    const user = open(`/${query}`);
    const blank = (await screen.findByRole('heading', { name: 'No tweets found' })).parentElement as HTMLElement;
    const buttons = within(blank).queryAllByRole('button');
    expect(buttons.map((button) => button.textContent)).toEqual(names);
    for (const button of buttons) await user.click(button);
    expect(window.location.search).toBe('');
  });

  test('has the focus in the search field once its words are cleared', async () => {
    const user = open('/?search=kept');
    await user.click(await screen.findByRole('button', { name: 'Clear search' }));
    expect(screen.getByRole('searchbox')).toHaveFocus();
    expect(window.location.search).toBe('');
  });

  test.each([500, 503])('is under maintenance when the server answers %i, and recovers', async (status) => {
    answers[LIST] = () => refusal(status, 'internal_error');
    const user = open('/');
    expect(await screen.findByRole('heading', { name: 'Server Maintenance' })).toBeInTheDocument();
    expect(screen.getByText('We are undergoing server maintenance. We will be back soon.')).toBeInTheDocument();
    answers[LIST] = () => archivePage([archivePost(1)]);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Words of post 1')).toBeInTheDocument();
  });

  test('is under maintenance when there is no server', async () => {
    answers[LIST] = () => {
      throw new TypeError('fetch failed');
    };
    open('/');
    expect(await screen.findByRole('heading', { name: 'Server Maintenance' })).toBeInTheDocument();
  });

  test.each([
    ['/', 'The archive is safe.'],
    ['/?search=kept', 'Your filters are kept.'],
  ])('says so when the list of %s fails otherwise, and what is not lost', async (address, words) => {
    answers[LIST] = () => refusal(429, 'rate_limited');
    open(address);
    expect(await screen.findByText('Failed to load data. Please try again later.')).toBeInTheDocument();
    expect(screen.getByText(words)).toBeInTheDocument();
  });

  test('a late answer never takes the place of a newer one', async () => {
    let answerFirst: (value: unknown) => void = () => {};
    answers[LIST] = (url) => {
      if (url.searchParams.get('search') === 'k') {
        return new Promise((resolve) => {
          answerFirst = resolve;
        });
      }
      return archivePage([archivePost(url.searchParams.has('search') ? 5 : 1)]);
    };
    const user = open('/');
    await screen.findByText('Words of post 1');
    await user.type(screen.getByRole('searchbox'), 'k');
    await waitFor(() => expect(asked.at(-1)).toContain('search=k'));
    await user.type(screen.getByRole('searchbox'), 'ept');
    expect(await screen.findByText('Words of post 5')).toBeInTheDocument();
    await act(async () => answerFirst(archivePage([archivePost(7)])));
    expect(screen.getByText('Words of post 5')).toBeInTheDocument();
    expect(screen.queryByText('Words of post 7')).not.toBeInTheDocument();
  });

  test('waits 300 ms before it searches, trims, and goes back to page 1', async () => {
    const user = open('/?page=3');
    await screen.findByText('Words of post 1');
    await user.type(screen.getByRole('searchbox'), '  kept ');
    expect(asked.filter((address) => address.includes('search='))).toEqual([]);
    await waitFor(() => expect(window.location.search).toBe('?search=kept'));
    expect(asked.filter((address) => address.startsWith(`${LIST}?search=`))).toEqual([`${LIST}?search=kept`]);
  });
});

describe('a post that answers or quotes another', () => {
  const kept = archivePost(7, { author: 'Kept Author', authorUsername: 'kept.example', content: 'What was quoted' });
  const { _id, id, content, author, authorUsername, authorAvatar, timestamp, url } = kept;
  const preview = { _id, id, content, author, authorUsername, authorAvatar, timestamp, url, media: [] };
  const gone = { platform: 'x', id: '9', url: 'https://x.com/ben/status/9', archiveId: null, post: null } as const;
  const whole = { ...gone, state: 'kept', archiveId: _id, post: preview } as const;

  test('shows the quoted post, which opens by itself, and whom it answers', async () => {
    const post = archivePost(1, { quoted: whole, replyTo: { ...gone, state: 'unknown' } });
    answers[LIST] = () => archivePage([post]);
    open('/');
    const card = within(await screen.findByRole('article', { name: '' }));
    expect(card.getByText('Kept Author').closest('blockquote')).not.toBeNull();
    expect(card.getByRole('link', { name: 'What was quoted' }).getAttribute('href')).toBe(`/post/${_id}`);
    expect(card.getByText('Replying to').textContent).toBe('Replying to @ben');
  });

  test.each([
    ['deleted', 'It quotes a post that its author deleted.', 0],
    ['protected', 'It quotes a post that only its author’s followers see.', 0],
    ['unknown', 'It quotes a post that is not kept here.', 1],
  ] as const)('says why a quoted post that is %s does not stand there', async (state, words, links) => {
    answers[LIST] = () => archivePage([archivePost(1, { quoted: { ...gone, state } })]);
    open('/');
    expect(await screen.findByText(words)).toBeTruthy();
    expect(screen.queryAllByRole('link', { name: /^View on X/ })).toHaveLength(links);
  });

  test('says where it was written, and at whose request it was saved', async () => {
    const post = archivePost(1, { platform: 'bluesky', savedBy: { via: 'mention', handle: 'ann.example' } });
    answers[LIST] = () => archivePage([post]);
    answers[`${LIST}/${post._id}`] = () => post;
    const user = open('/');
    await user.click(await screen.findByRole('link', { name: post.content }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('From').parentElement?.textContent).toBe('FromBlueskyBluesky');
    expect(dialog.getByText('Post ID')).toBeTruthy();
    expect(dialog.getByText(/^Saved on/).textContent).toBe('Saved on 20 Nov 2026 at the request of @ann.example');
  });
});

describe('filters', () => {
  test('apply together, show as chips, and reset', async () => {
    const user = open('/');
    await screen.findByText('Words of post 1');
    await user.click(screen.getByRole('button', { name: 'Filters' }));
    await user.type(await screen.findByLabelText('Author'), 'lou');
    await user.selectOptions(screen.getByLabelText('Category'), 'crypto');
    expect(window.location.search).toBe('');
    await user.click(screen.getByRole('button', { name: 'Apply filters' }));
    expect(window.location.search).toBe('?author=lou&q=category%3Acrypto');
    expect(screen.getByRole('searchbox')).toHaveValue('category:crypto');
    await user.click(await screen.findByRole('button', { name: 'Remove filter author lou' }));
    expect(window.location.search).toBe('?q=category%3Acrypto');
    await user.click(screen.getByRole('button', { name: 'Reset' }));
    expect(window.location.search).toBe('');
  });

  test('offer the categories in order', async () => {
    const user = open('/');
    await user.click(await screen.findByRole('button', { name: 'Filters' }));
    const options = within(await screen.findByLabelText('Category')).getAllByRole('option');
    expect(options.map((option) => option.textContent)).toEqual(
      'All Categories,political,crypto,news,market,tech,casual,meme,troll,other'.split(','),
    );
  });

  test('refuse a start after the end', async () => {
    const user = open('/');
    await user.click(await screen.findByRole('button', { name: 'Filters' }));
    await user.type(await screen.findByLabelText('From'), '2026-11-20');
    await user.type(screen.getByLabelText('To'), '2026-11-01');
    await user.click(screen.getByRole('button', { name: 'Apply filters' }));
    expect(screen.getByText('The start date must not be after the end date.')).toBeInTheDocument();
    expect(screen.getByLabelText('From')).toHaveFocus();
    expect(window.location.search).toBe('');
  });
});

describe('the table', () => {
  test('has its columns and turns its sort', async () => {
    answers[LIST] = () => archivePage([archivePost(1, { category: null })]);
    const user = open('/?view=table');
    const table = await screen.findByRole('table', { name: 'Posts' });
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map((head) => head.textContent),
    ).toEqual(['Author', 'Content', 'Media', 'Category', 'Date', 'Actions']);
    expect(within(table).getByText('Uncategorized')).toBeInTheDocument();
    expect(screen.getByRole('columnheader', { name: 'Date' })).toHaveAttribute('aria-sort', 'descending');
    await user.click(screen.getByRole('button', { name: 'Author' }));
    expect(window.location.search).toBe('?sortBy=author&sortOrder=asc&view=table');
    expect(await screen.findByRole('columnheader', { name: 'Author' })).toHaveAttribute('aria-sort', 'ascending');
    await user.click(screen.getByRole('button', { name: 'Author' }));
    expect(window.location.search).toBe('?sortBy=author&view=table');
  });
});

describe('a signed-out visitor', () => {
  test('is told what is missing, with the button that mends it, and can close that', async () => {
    const user = open('/');
    await screen.findByText('Words of post 1');
    const [launch] = screen.getAllByRole('button', { name: 'Launch' });
    expect(launch).toHaveAttribute('title', 'Sign in to launch token');
    await user.click(launch as HTMLElement);
    const message = 'Please connect your wallet and sign in to launch a token';
    expect(screen.getByText(message).closest('[role="status"]')).not.toBeNull();
    expect(screen.getByText(message).nextSibling).toHaveTextContent('Connect wallet');
    await user.click(screen.getByRole('button', { name: 'Close this message' }));
    expect(screen.queryByText(message)).not.toBeInTheDocument();
  });

  test('sees reactions as counts with a word on signing in', async () => {
    const user = open('/');
    await screen.findByText('Words of post 1');
    const [heart] = screen.getAllByRole('button', { name: 'Heart: 1.3k' });
    expect(heart).toHaveAttribute('title', 'Sign in to react');
    await user.click(heart as HTMLElement);
    expect(screen.getByText('A wallet is needed to react.')).toBeInTheDocument();
  });

  test('cannot launch a launched post again', async () => {
    answers[LIST] = () => archivePage([archivePost(1, { launched: true })]);
    open('/');
    const launched = await screen.findByRole('button', { name: 'Launched' });
    expect(launched).toBeDisabled();
    expect(launched).toHaveAttribute('title', 'This tweet has already been used for a token launch');
  });

  test('is asked for a wallet on the dashboard', async () => {
    open('/dashboard');
    expect(await screen.findByText('Please connect your wallet to view your dashboard')).toBeInTheDocument();
  });

  test('reads what a wallet is needed for', async () => {
    // Loads a large part early: a test waits for one second only.
    await import('../wallet/wallet-provider.tsx');
    const user = open('/');
    await user.click(await screen.findByRole('button', { name: 'Connect wallet' }));
    expect(
      await screen.findByRole('heading', { name: "You'll need a wallet on Solana to continue" }),
    ).toBeInTheDocument();
  });
});

describe('a signed-in person', () => {
  const address = 'A1iceA1iceA1iceA1iceA1iceA1iceA1iceA1iceA1ic';
  const given: GivenReaction = {
    archiveId: archivePost(2)._id,
    reactionType: 'heart',
    createdAt: '2026-11-20T10:00:00.000Z',
    archive: archivePost(2),
  };
  const hearts = (state: boolean) =>
    screen.findAllByRole('button', { name: /^Heart/, pressed: state }) as Promise<HTMLButtonElement[]>;

  beforeEach(() => {
    answers[ENDPOINTS.userReactions.path] = () => [given];
    updateWalletState({
      token: 'token-1',
      user: {
        _id: 'alice',
        walletAddress: address,
        profileSettings: { displayName: '', avatar: null, bio: '' },
        preferences: { notifications: true, theme: 'system' },
        activity: { interactions: [] },
        createdAt: '2026-11-20T10:00:00.000Z',
      },
      wallet: {
        name: 'Test',
        address,
        signMessage: async (message) => message,
        signTransaction: null,
        currentAddress: () => address,
        disconnect: async () => {},
      },
    });
  });

  test('sees what they have given, and takes it back without a word where the server fails', async () => {
    await import('../features/reactions/toggle-reaction.ts');
    let fail: (response: Response) => void = () => {};
    answers[`${LIST.replace('archives', 'reactions')}/${given.archiveId}/heart`] = () =>
      new Promise((resolve) => {
        fail = resolve;
      });
    answers[LIST] = () => archivePage([archivePost(2, { reactions: { heart: 1, thumbsUp: 0, thumbsDown: 0 } })]);
    const user = open('/');
    const [heart] = await hearts(true);
    expect(heart).toHaveAccessibleName('Heart: 1');
    expect(heart).not.toHaveAttribute('data-tip');
    await user.click(heart as HTMLElement);
    expect(heart).toHaveAccessibleName('Heart: 0');
    expect(heart).toHaveAttribute('aria-pressed', 'false');
    // This second click has no effect while the first call is pending.
    await user.click(heart as HTMLElement);
    expect(asked.filter((call) => call.endsWith('/heart'))).toHaveLength(1);
    await act(async () => fail(refusal(500, 'internal_error')));
    await waitFor(() => expect(heart).toHaveAccessibleName('Heart: 1'));
    expect(heart).toHaveAttribute('aria-pressed', 'true');
    expect(within(screen.getByRole('alert')).queryByText(/./)).not.toBeInTheDocument();
  });

  test('gives a reaction, and the page takes the count from the answer', async () => {
    await import('../features/reactions/toggle-reaction.ts');
    const post = archivePost(1);
    answers[`${LIST.replace('archives', 'reactions')}/${post._id}`] = () => ({
      heart: 1405,
      thumbsUp: 3,
      thumbsDown: 0,
      userReactions: ['heart'],
    });
    const user = open('/');
    await hearts(true);
    const [heart] = await hearts(false);
    await user.click(heart as HTMLElement);
    await waitFor(() => expect(heart).toHaveAccessibleName('Heart: 1.4k'));
    expect(heart).toHaveAttribute('aria-pressed', 'true');
    expect(screen.getByRole('button', { name: 'Thumbs up: 3' })).toBeInTheDocument();
  });

  test('gives the reaction that they connected a wallet for', async () => {
    await import('../features/reactions/toggle-reaction.ts');
    const { token, user: person, wallet } = walletState();
    updateWalletState({ token: null, user: null, wallet: null });
    const call = `${LIST.replace('archives', 'reactions')}/${archivePost(1)._id}`;
    answers[call] = () => ({ heart: 1405, thumbsUp: 0, thumbsDown: 0, userReactions: ['heart'] });
    const user = open('/');
    await screen.findByText('Words of post 1');
    const [heart] = screen.getAllByRole('button', { name: /^Heart/ });
    await user.click(heart as HTMLElement);
    const toast = screen.getByText('A wallet is needed to react.').parentElement as HTMLElement;
    expect(asked.filter((one) => one.startsWith(call))).toEqual([]);
    await user.click(within(toast).getByRole('button', { name: 'Connect wallet' }));
    await act(async () => updateWalletState({ token, user: person, wallet, isDialogOpen: false }));
    await waitFor(() => expect(heart).toHaveAttribute('aria-pressed', 'true'));
  });

  test('needs a wallet that can sign to react', async () => {
    await import('../features/reactions/toggle-reaction.ts');
    updateWalletState({ wallet: null });
    const user = open('/');
    await hearts(true);
    const [heart] = await hearts(false);
    await user.click(heart as HTMLElement);
    expect(await screen.findByText('Wallet not connected or does not support message signing')).toBeInTheDocument();
    expect(heart).toHaveAttribute('aria-pressed', 'false');
  });

  test('a saved search is called saved wherever it can be saved, and after a reload', async () => {
    await import('../features/searches/follow-line.tsx');
    const query = 'q=kept+category%3Acrypto';
    let calls = 0;
    const { path } = ENDPOINTS.listSearches;
    answers[path] = () => (calls++ === 0 ? { data: [] } : { name: 'kept', data: [{ _id: 's', name: 'kept', query }] });
    const user = open('/?q=kept&category=crypto');
    await waitFor(() => expect(screen.getAllByRole('button', { name: 'Save this search' })).toHaveLength(2));
    const [upper] = screen.getAllByRole('button', { name: 'Save this search' });
    await user.click(upper as HTMLElement);
    await waitFor(() => expect(screen.getAllByRole('button', { name: 'Search saved' })).toHaveLength(2));
    cleanup();
    open('/?q=kept&category=crypto');
    await waitFor(() => expect(screen.getAllByRole('button', { name: 'Search saved' })).toHaveLength(2));
  });

  describe('the operators’ pages', () => {
    beforeEach(() => {
      answers[ENDPOINTS.adminMe.path] = () => ({
        wallet: address,
        role: 'admin',
        freshUntil: '2026-11-20T00:00:00.000Z',
      });
    });

    test('are gone with the session of the operator, before it is known who the next one is', async () => {
      answers[ENDPOINTS.listSaves.path] = () => ({
        data: [],
        pagination: { page: 1, limit: 50, total: 0, pages: 0, next: null },
      });
      open('/admin/saves');
      await screen.findByRole('navigation', { name: 'Admin' });
      answers[ENDPOINTS.adminMe.path] = () => new Promise(() => {});
      const other = { ...(walletState().user as User), _id: 'bob', walletAddress: 'another' };
      await act(async () => updateWalletState({ token: 'token-2', user: other }));
      expect(screen.queryByRole('navigation', { name: 'Admin' })).not.toBeInTheDocument();
      await waitFor(() => expect(asked.filter((one) => one === ENDPOINTS.adminMe.path)).toHaveLength(2));
    });

    test('look again whether the log is whole where it is loaded anew', async () => {
      const { path } = ENDPOINTS.checkLog;
      answers[ENDPOINTS.listLog.path] = () => ({ data: [], next: null });
      answers[path] = () => {
        const entries = asked.filter((one) => one === path).length;
        return { entries, faults: [], checkedAt: '2026-11-20T10:00:00.000Z' };
      };
      const user = open('/admin/log');
      await screen.findByText(/^Whole: 1 entry/);
      await user.selectOptions(screen.getByRole('combobox', { name: 'Who' }), 'agent');
      await screen.findByText(/^Whole: 2 entries/);
    });

    test('say of the posts of a day that they came in, also where they are gone by now, and how the search cluster is', async () => {
      const hours = Array.from({ length: 24 }, () => ({ from: '', posts: 7, saves: 0, failedSaves: 0, payments: 0 }));
      answers[ENDPOINTS.adminToday.path] = () => ({
        reportsOpen: 0,
        hiddenByReports: { today: 0, atMost: 20, isOver: false },
        payments: { unsettled: 0, credits: 0 },
        launches: { unsettled: 0, today: 0 },
        indexBehindMs: 0,
        search: '2 of 3 nodes',
        agentsAway: [],
        disk: { freeBytes: 2, totalBytes: 3, floorBytes: 1 },
        hours,
      });
      for (const { path } of [ENDPOINTS.listSaves, ENDPOINTS.listPayments, ENDPOINTS.listLaunches, ENDPOINTS.listLog]) {
        answers[path] = () => ({ data: [], next: null });
      }
      open('/admin');
      const figure = await screen.findByRole('region', { name: 'Posts' });
      expect(figure).toHaveTextContent('168came in within 24 hours');
      expect(screen.getByText('Search: 2 of 3 nodes.')).toBeVisible();
    });

    test('call a state of a save by the words of the page that saves', async () => {
      const save = { _id: 's', url: 'https://x.com/a/status/1', state: 'received', via: 'save', archiveId: null };
      answers[ENDPOINTS.listSaves.path] = () => ({
        data: [{ ...save, createdAt: '2026-11-20T10:00:00.000Z' }],
        pagination: { page: 1, limit: 50, total: 1, pages: 1 },
      });
      open('/admin/saves');
      expect(await screen.findAllByRole('cell', { name: 'Being fetched' })).toHaveLength(2);
      expect(screen.queryByText('Asked for')).toBeNull();
    });
  });

  describe('launching a token', () => {
    const post = archivePost(1);
    const launch = tokenLaunch(post);
    const answerInfo = (mint: string | null) => () => ({
      ...post,
      launch_platform: mint && 'Token-2022',
      contract_address: mint,
    });

    beforeEach(async () => {
      await import('../features/launches/launch-sheet.tsx');
      saveSession({ token: 'token-1', user: walletState().user as User });
      answers[ENDPOINTS.config.path] = () => ({ ...publicConfig, launchInfoId: post._id });
      answers[`/launches/${post._id}`] = answerInfo(null);
      answers[ENDPOINTS.checkToken.path.replace(':id', post._id)] = () => ({ exists: false, tokenLaunch: null });
      answers[ENDPOINTS.userTokens.path] = () => [];
      answers[ENDPOINTS.launchToken.path] = () => {
        answers[`/launches/${post._id}`] = answerInfo(launch.mint);
        return { ...launch, tokenLaunch: launch };
      };
    });

    async function launchFirst() {
      const user = open('/');
      const [button] = await screen.findAllByRole('button', { name: 'Launch' });
      await user.click(button as HTMLElement);
      await screen.findByRole('dialog', { name: 'Launch a token from this post' });
      await user.click(screen.getByRole('button', { name: 'Sign and launch' }));
      await screen.findByRole('dialog', { name: 'KEPT is launched' });
      await user.click(screen.getByRole('button', { name: 'Done' }));
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    }

    test('marks the post at once, before the server has said so, and fills the launch panel', async () => {
      let wasListed = false;
      answers[LIST] = () => {
        if (wasListed) return new Promise(() => {});
        wasListed = true;
        return archivePage([post, archivePost(2)]);
      };
      await launchFirst();
      expect(screen.getByRole('button', { name: 'Launched' })).toBeDisabled();
      expect(screen.getAllByRole('button', { name: 'Launch' })).toHaveLength(1);
      expect(await screen.findByText('Token-2022')).toBeInTheDocument();
      expect(screen.getByRole('link', { name: 'Words of post 1' })).toHaveFocus();
    });

    test('keeps the mark only until the server says otherwise', async () => {
      answers[LIST] = () => archivePage([post, archivePost(2)]);
      await launchFirst();
      await waitFor(() => expect(screen.getAllByRole('button', { name: 'Launch' })).toHaveLength(2));
    });

    test('that fails leaves the post free', async () => {
      answers[ENDPOINTS.launchToken.path] = () => refusal(503, 'launch_failed');
      const user = open('/');
      const [button] = await screen.findAllByRole('button', { name: 'Launch' });
      await user.click(button as HTMLElement);
      await screen.findByRole('dialog', { name: 'Launch a token from this post' });
      await user.click(screen.getByRole('button', { name: 'Sign and launch' }));
      expect(await screen.findByText('No.')).toBeInTheDocument();
      await user.click(screen.getByRole('button', { name: 'Cancel' }));
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
      expect(screen.getAllByRole('button', { name: 'Launch' })).toHaveLength(2);
      expect(button).toHaveFocus();
    });
  });

  test('finds the focus on the first row that comes with more', async () => {
    answers[ENDPOINTS.userTokens.path] = () =>
      Array.from({ length: 7 }, (_, index) =>
        tokenLaunch(archivePost(index + 1), { mint: `mint-${index}`, symbol: `S${index}` }),
      );
    const user = open('/dashboard');
    const tokens = await screen.findByRole('region', { name: 'Launched tokens' });
    await waitFor(() => expect(within(tokens).getAllByRole('listitem')).toHaveLength(5));
    await user.click(within(tokens).getByRole('button', { name: 'Show more' }));
    expect(within(tokens).getAllByRole('listitem')).toHaveLength(7);
    expect(within(tokens).getByRole('link', { name: /^S5 Kept/ })).toHaveFocus();
    expect(within(tokens).queryByRole('button')).not.toBeInTheDocument();
  });

  test('has a dashboard with their figures, tokens and reactions', async () => {
    const launch = tokenLaunch(archivePost(3));
    answers[ENDPOINTS.userTokens.path] = () => [
      { ...launch, mint: null, status: 'claimed', symbol: 'SOON', author: 'Somebody' },
      { ...launch, author: 'Author 3' },
    ];
    open('/dashboard');
    expect(await screen.findByText('Reactions Given')).toBeInTheDocument();
    await waitFor(() => expect(screen.getByText('Reactions Given').nextSibling).toHaveTextContent('1'));
    await waitFor(() => expect(screen.getByText('Tokens Launched').nextSibling).toHaveTextContent('1'));
    expect(screen.getByText('Total Interactions').nextSibling).toHaveTextContent('2');
    const tokens = screen.getByRole('region', { name: 'Launched tokens' });
    const [soon, there] = within(tokens).getAllByRole('listitem');
    expect(soon).toHaveTextContent('Being launched · from a post by Somebody: “Words of post 3”');
    expect(there).toHaveTextContent('KEPT Kept Token20 Nov 2026 · from a post by Author 3: “Words of post 3”');
    // A launch that has not finished does not count.
    expect(tokens).toHaveTextContent(/^Launched tokens 1S/);
    expect(within(there as HTMLElement).getByRole('link', { name: /KEPT on solscan.io/ })).toHaveAttribute(
      'href',
      `https://solscan.io/token/${launch.mint}`,
    );
    const reactions = screen.getByRole('region', { name: 'Reactions given' });
    expect(within(reactions).getByRole('link')).toHaveAttribute('href', `/post/${given.archiveId}`);
    expect(screen.getByText('coming soon')).toBeInTheDocument();
  });
});

describe('an opened post', () => {
  const post = archivePost(1, {
    content: 'Whole\n\nwords',
    featured: true,
    featuredBy: 'payment',
    payee: `9WzDXw${'x'.repeat(34)}V2mN`,
  });

  beforeEach(() => {
    answers[`${LIST}/${post._id}`] = () => post;
    answers[LIST] = () => archivePage([post]);
  });

  test('lies over the list it was opened from, and closing leads back', async () => {
    const user = open('/?sortBy=author');
    await user.click(await screen.findByRole('link', { name: 'Whole words' }));
    expect(window.location.pathname).toBe(`/post/${post._id}`);
    const dialog = await screen.findByRole('dialog', { name: 'Post' });
    expect(await within(dialog).findByText('9WzDXw…V2mN')).toBeInTheDocument();
    expect(within(dialog).getByText(post.id)).toBeInTheDocument();
    expect(within(dialog).getByRole('link', { name: /View on X/ })).toHaveAttribute('rel', 'noopener noreferrer');
    expect(screen.getByRole('heading', { name: 'Posts' })).toBeInTheDocument();
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(window.location.search).toBe('?sortBy=author'));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  test('leads to the posts beside it, over the end of a page, and closing leads to the page it then lies over', async () => {
    const pages = { page: 1, limit: 2, total: 3, pages: 2, next: null };
    answers[LIST] = (url) =>
      url.searchParams.get('page') === '2'
        ? archivePage([archivePost(3)], { pagination: { ...pages, page: 2 } })
        : archivePage([archivePost(1), archivePost(2)], { pagination: pages });
    for (const number of [1, 2, 3]) answers[`${LIST}/${archivePost(number)._id}`] = () => archivePost(number);
    const user = open('/?search=words');
    await user.click(await screen.findByRole('link', { name: 'Words of post 1' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Post' }));
    expect(await dialog.findByText('1 of 3')).toBeInTheDocument();
    expect(dialog.getByText('Words', { selector: 'mark' })).toBeInTheDocument();
    await user.keyboard('{ArrowRight}');
    expect(await dialog.findByText('2 of 3')).toBeInTheDocument();
    await waitFor(() =>
      expect(dialog.getByRole('button', { name: 'Next post' })).toHaveAttribute('aria-disabled', 'false'),
    );
    await user.click(dialog.getByRole('button', { name: 'Next post' }));
    expect(await dialog.findByText('of post 3')).toBeInTheDocument();
    expect(dialog.getByRole('button', { name: 'Next post' })).toHaveAttribute('aria-disabled', 'true');
    await user.click(dialog.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(window.location.search).toBe('?search=words&page=2'));
    await waitFor(() => expect(screen.getByRole('link', { name: 'Words of post 3' })).toHaveFocus());
  });

  test('stands alone when its address is opened', async () => {
    open(`/post/${post._id}`);
    expect(await screen.findByText('9WzDXw…V2mN')).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    // A post page shows no list below, only other posts of its author beside it.
    expect(asked.some((address) => address.startsWith(`${LIST}?split`))).toBe(false);
  });

  test('from which a token is being launched says so, and by itself when it is there', async () => {
    const launch = tokenLaunch(post);
    let isThere = false;
    answers[ENDPOINTS.checkToken.path.replace(':id', post._id)] = () => ({
      exists: isThere,
      tokenLaunch: { ...launch, status: isThere ? 'confirmed' : 'sent' },
      failure: null,
    });
    answers[`${LIST}/${post._id}`] = () => ({ ...post, launched: isThere });
    jest.useFakeTimers();
    try {
      open(`/post/${post._id}`);
      await waitFor(() => expect(screen.getByRole('button', { name: 'Being launched' })).toBeDisabled());
      isThere = true;
      await act(() => jest.advanceTimersByTimeAsync(3_000));
      await waitFor(() => expect(screen.getByRole('button', { name: 'Already Launched' })).toBeDisabled());
      expect(screen.getByText('KEPT')).toBeInTheDocument();
    } finally {
      jest.useRealTimers();
    }
  });

  test('whose mark the server contradicts is not asked for without end', async () => {
    answers[ENDPOINTS.checkToken.path.replace(':id', post._id)] = () => ({
      exists: true,
      tokenLaunch: tokenLaunch(post),
      failure: null,
      refusal: null,
    });
    const checks = () => asked.filter((path) => path.includes('/token/check/')).length;
    open(`/post/${post._id}`);
    await screen.findByRole('button', { name: 'Already Launched' });
    await screen.findByRole('button', { name: 'Launch Token' });
    const before = checks();
    await settle();
    expect(checks()).toBe(before);
  });

  test('that is not there says so', async () => {
    answers[`${LIST}/none`] = () => refusal(404, 'post_not_found');
    open('/post/none');
    expect(await screen.findByRole('heading', { name: 'No post here' })).toBeInTheDocument();
  });

  test.each([
    ['Deleted by its author. Amber has not shown it since today.', 'Deleted by its author'],
    ['Its author shows it to some people only. Amber has not shown it since today.', 'Protected by its author'],
    ['This post was removed from the archive today.', 'This post was removed'],
  ])('that is gone since "%s" says so', async (message, title) => {
    answers[`${LIST}/gone`] = () => refusal(410, 'post_removed', message);
    open('/post/gone');
    expect(await screen.findByRole('heading', { name: title })).toBeInTheDocument();
    expect(screen.getByText(/today\.$/)).toBeInTheDocument();
  });

  test.each<[number, ErrorCode, string]>([
    [404, 'post_hidden', 'This post is hidden'],
    [451, 'post_withheld', 'Not shown for legal reasons'],
  ])('that is not shown, by a %i, says so, also over a list that showed it', async (status, code, title) => {
    const user = open('/');
    const link = await screen.findByRole('link', { name: 'Whole words' });
    answers[`${LIST}/${post._id}`] = () => refusal(status, code);
    await user.click(link);
    const dialog = within(await screen.findByRole('dialog', { name: 'Post' }));
    expect(await dialog.findByText(title)).toBeInTheDocument();
    expect(dialog.queryByText(/Whole/)).not.toBeInTheDocument();
    cleanup();
    open(`/post/${post._id}`);
    expect(await screen.findByRole('heading', { name: title })).toBeInTheDocument();
  });

  test('that a list showed stays where the server is away', async () => {
    const user = open('/');
    const link = await screen.findByRole('link', { name: 'Whole words' });
    answers[`${LIST}/${post._id}`] = () => refusal(503, 'internal_error');
    await user.click(link);
    const dialog = within(await screen.findByRole('dialog', { name: 'Post' }));
    await waitFor(() => expect(asked).toContain(`${LIST}/${post._id}`));
    await settle();
    expect(dialog.getByText(/Whole/)).toBeInTheDocument();
  });

  test('that could not be loaded can be asked for again', async () => {
    answers[`${LIST}/other`] = () => refusal(429, 'rate_limited');
    const user = open('/post/other');
    expect(await screen.findByText('Failed to load data. Please try again later.')).toBeInTheDocument();
    answers[`${LIST}/other`] = () => archivePost(8);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Words of post 8')).toBeInTheDocument();
  });

  test('has no link out where its address is a script', async () => {
    answers[`${LIST}/odd`] = () => archivePost(8, { url: 'javascript:alert(1)' });
    open('/post/odd');
    await screen.findByText('Words of post 8');
    expect(screen.queryByRole('link', { name: /View on/ })).not.toBeInTheDocument();
  });
});

test('an author has a page of exactly their posts', async () => {
  answers['/amber/authors/author_1'] = () => ({
    author: 'Author 1',
    username: 'author_1',
    avatar: null,
    posts: 2,
    reactions: 0,
    first: '2026-10-01T00:00:00.000Z',
    last: '2026-10-02T00:00:00.000Z',
    platforms: [{ platform: 'x', count: 2 }],
    categories: [{ category: 'tech', count: 2 }],
  });
  open('/author/author_1');
  expect(await screen.findByRole('heading', { level: 1, name: 'Author 1' })).toBeInTheDocument();
  expect(asked).toContain(`${LIST}?handle=author_1`);
});

test('an address without a page says so', async () => {
  open('/nowhere');
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeInTheDocument();
});

test('keys lead to search, from post to post, and list themselves', async () => {
  const user = open('/');
  await screen.findByText('Words of post 1');
  await user.keyboard('j');
  expect(screen.getByRole('link', { name: 'Words of post 1' })).toHaveFocus();
  await user.keyboard('j');
  expect(screen.getByRole('link', { name: 'Words of post 2' })).toHaveFocus();
  await user.keyboard('k');
  expect(screen.getByRole('link', { name: 'Words of post 1' })).toHaveFocus();
  await user.keyboard('/');
  expect(screen.getByRole('searchbox')).toHaveFocus();
  await user.keyboard('j?');
  expect(screen.getByRole('searchbox')).toHaveValue('j?');
  act(() => screen.getByRole('searchbox').blur());
  await user.keyboard('?');
  expect(await screen.findByRole('dialog', { name: 'Keys' })).toBeInTheDocument();
});
