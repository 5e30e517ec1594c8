import { type Credit, ENDPOINTS, type User } from '@archive/contracts';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { AccountPanel } from '../features/account/account-panel.tsx';
import { DeleteDialog } from '../features/account/delete-dialog.tsx';
import { CollectionsPanel } from '../features/collections/collections-panel.tsx';
import { GivenReactions } from '../features/dashboard/given-reactions.tsx';
import { LaunchedTokens } from '../features/dashboard/launched-tokens.tsx';
import { CreditsPanel } from '../features/featuring/credits-panel.tsx';
import { FeatureButton } from '../features/featuring/feature-button.tsx';
import { PaidPanel } from '../features/featuring/paid-panel.tsx';
import { CONNECT_FIRST } from '../features/featuring/payment/feature-errors.ts';
import { SheetFoot } from '../features/featuring/sheet/sheet-foot.tsx';
import type { FeatureSheetActions, SheetView } from '../features/featuring/sheet/use-feature-sheet.ts';
import { LaunchButton } from '../features/launches/launch-button.tsx';
import { LaunchLink } from '../features/launches/launch-link.tsx';
import { LaunchHost } from '../features/launches/launch-opener.tsx';
import { CONNECT_TO_LAUNCH, SIGN_IN_TO_LAUNCH } from '../features/launches/launch-words.ts';
import { NoticesPanel } from '../features/notices/notices-panel.tsx';
import { ReactionBar } from '../features/reactions/reaction-bar.tsx';
import { SearchesPanel } from '../features/searches/searches-panel.tsx';
import { archivePost, publicConfig, refusal } from '../testing/archive-page.ts';
import { settle } from '../testing/settle.ts';
import { closeAllToasts, ToastHost } from '../ui/toasts.tsx';
import { saveSession } from '../wallet/session-storage.ts';
import { resetWalletState, updateWalletState, type WalletState, walletState } from '../wallet/wallet-store.ts';
import { MobileMenu } from './mobile-menu.tsx';
import { WalletMenu } from './wallet-menu.tsx';

const ADDRESS = 'A1iceA1iceA1iceA1iceA1iceA1iceA1iceA1iceA1ic';
const post = archivePost(1);
const user = {
  _id: 'alice',
  walletAddress: ADDRESS,
  profileSettings: { displayName: '', avatar: null, bio: '' },
  preferences: { notifications: true, theme: 'system' },
} as User;
const wallet = {
  name: 'Test',
  address: ADDRESS,
  signMessage: null,
  signTransaction: null,
  currentAddress: () => ADDRESS,
  disconnect: async () => {},
};
let answers: Record<string, () => unknown>;

beforeEach(() => {
  answers = { [ENDPOINTS.config.path]: () => publicConfig };
  globalThis.fetch = jest.fn<typeof fetch>(async (input) => {
    const answer = await answers[String(input)]?.();
    if (answer instanceof Response) return answer;
    return answer ? Response.json(answer) : refusal(404, 'not_found');
  });
  updateWalletState({ token: 'the-token', user });
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

function draw(part: ReactNode) {
  render(
    <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0, shouldRetryOnError: false }}>{part}</SWRConfig>,
  );
  return userEvent.setup();
}

const credit = (id: string, usable: boolean, usedOn: string | null): Credit => ({
  _id: id,
  transaction: 'none',
  baseUnits: '5',
  reason: 'too_little',
  createdAt: '2026-11-20T10:00:00.000Z',
  usable,
  usedOn,
});

/** An answer that resolves when the test says so. */
function later<Answer>() {
  let give: (answer: Answer) => void = () => {};
  let refuse: (error: Error) => void = () => {};
  const answer = new Promise<Answer>((resolve, reject) => {
    give = resolve;
    refuse = reject;
  });
  return { answer, give: (one: Answer) => give(one), refuse: (error: Error) => refuse(error) };
}

test('while a wallet is asked to delete its account the dialog stays; once it has declined, it closes again', async () => {
  saveSession({ token: 'the-token', user });
  const asked = later<Uint8Array>();
  const signMessage = jest.fn(() => asked.answer);
  updateWalletState({ wallet: { ...wallet, signMessage } });
  const onClose = jest.fn();
  const hand = draw(<DeleteDialog account={undefined} onClose={onClose} />);
  const sign = screen.getByRole('button', { name: 'Sign and delete' });
  await waitFor(() => expect(sign).toHaveAttribute('aria-disabled', 'false'));
  await hand.click(sign);
  await waitFor(() => expect(signMessage).toHaveBeenCalledTimes(1));
  const cancel = () => fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
  cancel();
  expect(screen.getByRole('button', { name: 'Close' })).toBeDisabled();
  expect(screen.getByRole('button', { name: 'Keep it' })).toBeDisabled();
  await act(async () => asked.refuse(new Error('User rejected the request.')));
  expect(await screen.findByText(/^You declined in your wallet\./)).toBeInTheDocument();
  expect(onClose).not.toHaveBeenCalled();
  expect(screen.getByRole('button', { name: 'Sign and delete' })).toHaveAttribute('aria-disabled', 'false');
  cancel();
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
});

test.each([
  ['come', () => Response.json([])],
  ['fail', () => refusal(500, 'internal_error')],
])('reactions cannot be pressed until those that were given %s', async (_how, answer) => {
  const given = later<unknown>();
  globalThis.fetch = jest.fn<typeof fetch>(async () => (await given.answer) as Response);
  draw(<ReactionBar post={post} />);
  const states = () => screen.getAllByRole('button').map((button) => (button as HTMLButtonElement).disabled);
  expect(states()).toEqual([true, true, true]);
  await act(async () => given.give(answer()));
  await waitFor(() => expect(states()).toEqual([false, false, false]));
});

test('reactions can be pressed by a visitor, not while a session is being restored', () => {
  updateWalletState({ token: null, user: null, restoring: { address: ADDRESS } });
  draw(<ReactionBar post={post} />);
  expect(screen.getByRole('button', { name: /^Heart/ })).toBeDisabled();
  act(() => updateWalletState({ restoring: null }));
  expect(screen.getByRole('button', { name: /^Heart/ })).toBeEnabled();
});

test('where launching is closed the button of an opened post is plain, and says so', async () => {
  answers[ENDPOINTS.config.path] = () => ({ ...publicConfig, launchPlatform: null });
  draw(<LaunchButton post={post} />);
  await waitFor(() => expect(screen.getByRole('button')).toHaveAttribute('title', 'Launching is not open now'));
});

test('a card has no way to a launch where the settings say that launching is closed, and has it until they have come', async () => {
  const config = later<unknown>();
  answers[ENDPOINTS.config.path] = () => config.answer;
  draw(<LaunchLink post={post} />);
  expect(screen.getByRole('button', { name: 'Launch' })).not.toHaveAttribute('title');
  await act(async () => config.give({ ...publicConfig, launchPlatform: null }));
  await waitFor(() => expect(screen.queryByRole('button')).not.toBeInTheDocument());
});

test.each<[string, Partial<WalletState>, boolean, string | null]>([
  ['a visitor', { token: null, user: null }, false, CONNECT_TO_LAUNCH],
  ['a visitor with a wallet', { token: null, user: null, wallet }, false, SIGN_IN_TO_LAUNCH],
  ['a person without a wallet', {}, false, CONNECT_TO_LAUNCH],
  ['a person with one', { wallet }, true, null],
  ['a person whose wallet is expected', { isWalletExpected: true }, true, null],
  ['who is being signed in', { token: null, user: null, restoring: { address: ADDRESS }, wallet }, true, null],
])('%s is told what is missing to launch and to feature, and let in where nothing is', async (...row) => {
  const [, state, isLetIn, words] = row;
  updateWalletState(state);
  const onOpen = jest.fn();
  const hand = draw([
    <ToastHost key="toasts" />,
    <FeatureButton key="feature" onOpen={onOpen} />,
    <LaunchLink key="launch" post={post} />,
    <LaunchHost key="host" />,
  ]);
  await hand.click(screen.getByRole('button', { name: 'Feature This Tweet' }));
  expect(onOpen).toHaveBeenCalledTimes(isLetIn ? 1 : 0);
  if (!isLetIn) expect(await screen.findByText(CONNECT_FIRST)).toBeInTheDocument();
  await hand.click(screen.getByRole('button', { name: 'Launch' }));
  if (words !== null) expect(await screen.findByText(words)).toBeInTheDocument();
  else {
    await hand.click(await screen.findByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  }
});

test('a credit says whether it was used, can be used, or can be once it is final', async () => {
  answers[ENDPOINTS.featureCredits.path] = () => [
    credit('open', true, null),
    credit('settling', false, null),
    credit('used', false, post._id),
  ];
  draw(<CreditsPanel />);
  await screen.findByRole('region', { name: 'Credits' });
  const words = ['Not used yet', 'Can be used once its payment is final', 'Used on this post'];
  const entries = screen.getAllByRole('listitem').map(({ textContent }) => textContent ?? '');
  expect(entries.map((entry) => words.filter((word) => entry.includes(word)))).toEqual(words.map((word) => [word]));
});

test('credits that could not be loaded are said to be safe; several are added up', async () => {
  answers[ENDPOINTS.featureCredits.path] = () => refusal(429, 'rate_limited');
  const hand = draw(<CreditsPanel />);
  expect(await screen.findByText('Your credits could not be loaded.')).toBeInTheDocument();
  answers[ENDPOINTS.featureCredits.path] = () => [credit('a', true, null), credit('b', true, null)];
  await hand.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: '10 base units is yours to use' })).toBeInTheDocument();
  expect(screen.getByText('Payments of yours could not be applied. Use them on a post.')).toBeInTheDocument();
});

const noFigures = {
  walletAddress: ADDRESS,
  createdAt: null,
  reactions: 0,
  savedSearches: 0,
  collections: 0,
  saves: 0,
  browsers: 0,
  sessions: 0,
  payments: 0,
  launches: 0,
};

/** Each part with the answer for a person who has nothing, and the text it then shows, if any. */
test.each<[keyof typeof ENDPOINTS, () => ReactNode, string, unknown, RegExp | null]>([
  ['getAccount', AccountPanel, 'It could not be counted. Nothing is lost.', noFigures, /^0$/],
  ['listSearches', SearchesPanel, 'Your searches could not be loaded. They are safe.', { data: [] }, /^None yet/],
  ['listCollections', CollectionsPanel, 'Your collections could not be loaded. They are safe.', { data: [] }, null],
  [
    'listNotices',
    NoticesPanel,
    'Your notices could not be loaded. Nothing of them is lost.',
    { data: [], unread: 0 },
    /^Nothing yet/,
  ],
  ['paidPosts', PaidPanel, 'What you have paid for could not be loaded. It is safe.', { data: [] }, null],
])('where %s does not answer, what it holds is said to be safe, not to be none', async (...row) => {
  const [name, Part, words, empty, none] = row;
  answers[ENDPOINTS[name].path] = () => refusal(429, 'rate_limited');
  draw(<Part />);
  expect(await screen.findByText(words)).toBeInTheDocument();
  if (none !== null) expect(screen.queryByText(none)).not.toBeInTheDocument();
  cleanup();
  answers[ENDPOINTS[name].path] = () => empty;
  draw(<Part />);
  if (none !== null) expect((await screen.findAllByText(none)).length).toBeGreaterThan(0);
  else await settle();
  expect(screen.queryByText(words)).not.toBeInTheDocument();
});

test.each<[string, (hasFailed: boolean) => ReactNode]>([
  ['reactions', (hasFailed) => <GivenReactions given={undefined} hasFailed={hasFailed} />],
  ['tokens', (hasFailed) => <LaunchedTokens launches={undefined} hasFailed={hasFailed} />],
])('%s that could not be loaded are said to be safe, not to be none, where they were said to load', (name, part) => {
  const { rerender } = render(part(false));
  const said = screen.getByText(`Loading ${name}...`);
  rerender(part(true));
  expect(screen.getByRole('status')).toBe(said);
  expect(said).toHaveTextContent(`Your ${name} could not be loaded. They are safe.`);
  expect(screen.queryByText(/^No /)).not.toBeInTheDocument();
});

test.each(['Logout', 'Sign out everywhere'])(
  '"%s" of the menu ends the session, and the menu is gone',
  async (name) => {
    answers[ENDPOINTS.logout.path] = () => ({});
    answers[ENDPOINTS.logoutEverywhere.path] = () => ({});
    const onClose = jest.fn();
    const hand = draw(<MobileMenu path="/" onClose={onClose} />);
    await hand.click(screen.getByRole('button', { name }));
    expect(onClose).toHaveBeenCalledTimes(1);
    await waitFor(() => expect(walletState().token).toBeNull());
  },
);

test('a menu is gone when the dialog of wallets opens', async () => {
  updateWalletState({ token: null, user: null });
  const onClose = jest.fn();
  const hand = draw(<MobileMenu path="/" onClose={onClose} />);
  await hand.click(screen.getByRole('button', { name: 'Connect wallet' }));
  expect(walletState().isDialogOpen).toBe(true);
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('a wallet is offered to be connected where none is there and none is expected', async () => {
  const onClose = jest.fn();
  updateWalletState({ isWalletExpected: true });
  const hand = draw(<WalletMenu address={ADDRESS} onClose={onClose} />);
  const offer = () => screen.queryByRole('button', { name: 'Connect wallet' });
  expect(offer()).not.toBeInTheDocument();
  act(() => updateWalletState({ isWalletExpected: false }));
  await hand.click(offer() as HTMLElement);
  expect(walletState().isDialogOpen).toBe(true);
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('the way from what was featured to the archive closes the sheet', async () => {
  window.history.replaceState(null, '', '/post/1');
  const onClose = jest.fn();
  const view = { kind: 'ended', outcome: { kind: 'featured', archive: post } } as SheetView;
  const hand = draw(<SheetFoot view={view} ticker="TEST" actions={{} as FeatureSheetActions} onClose={onClose} />);
  await hand.click(screen.getByRole('button', { name: 'See it on the archive' }));
  expect(onClose).toHaveBeenCalledTimes(1);
  expect(window.location.pathname).toBe('/');
});
