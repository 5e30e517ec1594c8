import { type Collection, ENDPOINTS, type ErrorCode, REPORT_WORDS_LENGTH, type User } from '@archive/contracts';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { SWRConfig } from 'swr';
import { AccountPanel } from '../features/account/account-panel.tsx';
import { AddToCollection } from '../features/collections/add-to-collection.tsx';
import { CollectionForm } from '../features/collections/collection-form.tsx';
import { CollectionsPanel } from '../features/collections/collections-panel.tsx';
import { ProfileSettings } from '../features/dashboard/profile-settings.tsx';
import { NoticeSwitches } from '../features/notices/notice-switches.tsx';
import { ReportDialog } from '../features/reports/report-dialog.tsx';
import { OwnSaves } from '../features/saves/own-saves.tsx';
import { SaveSearchButton } from '../features/searches/save-search-button.tsx';
import { archivePost, collectionPage, publicConfig, receivedSave, refusal } from '../testing/archive-page.ts';
import { closeAllToasts, ToastHost } from '../ui/toasts.tsx';
import { resetWalletState, updateWalletState, walletState } from '../wallet/wallet-store.ts';
import { CollectionPage } from './pages/collection-page.tsx';
import { ReportPage } from './pages/report-page.tsx';
import { SavesPage } from './pages/saves-page.tsx';

const post = archivePost(1);
const collection = {
  _id: 'c',
  name: 'Kept',
  isPublic: true,
  isOwn: true,
  posts: 2,
  cover: [],
} as unknown as Collection;
const user = {
  _id: 'user',
  walletAddress: 'A1ice',
  profileSettings: { displayName: 'Ines', avatar: null, bio: '' },
  preferences: { notifications: true, theme: 'system' },
} as User;
let sent: string[];
let answers: Record<string, () => unknown>;

beforeEach(() => {
  sent = [];
  answers = {
    [`GET ${ENDPOINTS.config.path}`]: () => publicConfig,
    [`GET ${ENDPOINTS.listCollections.path}`]: () => ({ data: [collection] }),
    [`GET ${ENDPOINTS.noticeSettings.path}`]: () => ({ page: ['search', 'save'], push: [], browsers: [] }),
  };
  globalThis.fetch = jest.fn<typeof fetch>(async (input, init) => {
    const call = `${init?.method ?? 'GET'} ${String(input)}`;
    sent.push(`${call} ${init?.body ?? ''}`.trim());
    const answer = await answers[call]?.();
    if (answer instanceof Response) return answer;
    return answer ? Response.json(answer) : refusal(404, 'not_found');
  });
  updateWalletState({ token: 'the-token', user });
});

afterEach(() => {
  jest.restoreAllMocks();
  act(() => {
    closeAllToasts();
    resetWalletState();
  });
});

function Closable({ children }: { children: (close: () => void) => ReactNode }) {
  const [isOpen, setIsOpen] = useState(true);
  return isOpen ? children(() => setIsOpen(false)) : null;
}

function open(part: (close: () => void) => ReactNode, beside: ReactNode = null) {
  render(
    <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0, shouldRetryOnError: false }}>
      {beside}
      <Closable>{part}</Closable>
    </SWRConfig>,
  );
  return userEvent.setup();
}

/** The first call of a method that changes data, and all calls after it. */
const sentFrom = (method: string) => sent.slice(sent.findIndex((call) => call.startsWith(method)));
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
const listed = `GET ${ENDPOINTS.listCollections.path}`;

test('a new collection is asked for, the lists of them once more, and the form closes', async () => {
  const { method, path } = ENDPOINTS.createCollection;
  answers[`${method} ${path}`] = () => collection;
  const user = open((close) => <CollectionForm onClose={close} />, <CollectionsPanel />);
  // The field has the focus as soon as the dialog opens.
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveFocus();
  await user.keyboard('Kept');
  await user.click(screen.getByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: 'Make collection' }));
  await isClosed();
  expect(sentFrom(method)).toEqual([`${method} ${path} {"name":"Kept","isPublic":true}`, listed]);
});

test('a collection that is changed begins as it is, and changes itself alone', async () => {
  const { method, path } = ENDPOINTS.changeCollection;
  const call = `${method} ${path.replace(':collection', 'c')}`;
  answers[call] = () => collection;
  const user = open((close) => <CollectionForm collection={collection} onClose={close} />);
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Kept');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await isClosed();
  expect(sentFrom(method)).toEqual([`${call} {"name":"Kept","isPublic":true}`]);
});

test('a collection that could not be saved keeps the form and what was written, and can be sent again', async () => {
  answers[`${ENDPOINTS.createCollection.method} ${ENDPOINTS.createCollection.path}`] = () =>
    refusal(409, 'too_many', 'Too many.');
  const user = open((close) => <CollectionForm onClose={close} />);
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Kept{Enter}');
  expect(await screen.findByText('Too many.')).toBeInTheDocument();
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Kept');
  let give: (answer: unknown) => void = () => {};
  answers[`${ENDPOINTS.createCollection.method} ${ENDPOINTS.createCollection.path}`] = () =>
    new Promise((resolve) => (give = resolve));
  await user.click(screen.getByRole('button', { name: 'Make collection' }));
  expect(screen.queryByText('Too many.')).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Close' })).toBeDisabled();
  await act(async () => give(collection));
  await isClosed();
});

test('a post is put into a collection, whose figures are asked for once more', async () => {
  const { method, path } = ENDPOINTS.addToCollection;
  const call = `${method} ${path.replace(':collection', 'c').replace(':id', post._id)}`;
  answers[call] = () => collection;
  const user = open((close) => <AddToCollection post={post} onClose={close} />, <CollectionsPanel />);
  await user.click(await screen.findByRole('button', { name: /^Kept/ }));
  await isClosed();
  expect(sentFrom(method)).toEqual([call, listed]);
});

test('a report names its reason and has words up to the limit, and says so before it is sent', async () => {
  const { method, path } = ENDPOINTS.createReport;
  answers[`${method} ${path}`] = () => ({ id: 'R-1', statusPath: '/report/secret' });
  const user = open((close) => <ReportDialog post={post} onClose={close} />);
  const words = screen.getByRole('textbox', { name: /^What should we know/ });
  const problem = () =>
    screen
      .getAllByRole('alert')
      .map((host) => host.textContent)
      .join('');
  await user.click(screen.getByRole('button', { name: 'Send report' }));
  expect(problem()).toBe('Choose what is wrong with it.');
  await user.click(screen.getAllByRole('radio')[0] as HTMLElement);
  expect(problem()).toBe('');
  // An emoji of two UTF-16 units counts as one character.
  fireEvent.change(words, { target: { value: '🙂'.repeat(REPORT_WORDS_LENGTH + 1) } });
  await user.click(screen.getByRole('button', { name: 'Send report' }));
  expect(problem()).toMatch(/^Please say it in/);
  expect(sent.filter((call) => call.startsWith(method))).toEqual([]);
  fireEvent.change(words, { target: { value: '🙂'.repeat(REPORT_WORDS_LENGTH) } });
  await user.click(screen.getByRole('button', { name: 'Send report' }));
  expect(await screen.findByRole('link')).toHaveAttribute('href', '/report/secret');
  expect(sent.filter((call) => call.startsWith(method))).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Done' }));
  await isClosed();
});

test.each([
  ['New posts in saved searches', false, ['save']],
  ['Featured, credit, token confirmed', true, ['search', 'save', 'featured', 'credit', 'token']],
])('the switch "%s" changes its own kinds of notices alone', async (name, isOn, kinds) => {
  const { method, path } = ENDPOINTS.changeNoticeSettings;
  answers[`${method} ${path}`] = () => ({ page: kinds, push: kinds, browsers: [] });
  const user = open(() => <NoticeSwitches />);
  const button = await screen.findByRole('checkbox', { name });
  await waitFor(() => expect(button).toBeEnabled());
  expect((button as HTMLInputElement).checked).toBe(!isOn);
  await user.click(button);
  await waitFor(() => expect((button as HTMLInputElement).checked).toBe(isOn));
  const body = JSON.parse(sentFrom(method)[0]?.split(' ').slice(2).join(' ') ?? '');
  expect([[...body.page].sort(), [...body.push].sort()]).toEqual([[...kinds].sort(), [...kinds].sort()]);
});

test('a second switch turned before the first has its answer keeps what the first one chose', async () => {
  const { method, path } = ENDPOINTS.changeNoticeSettings;
  let kept: string[] = ['search', 'save'];
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  answers[`${method} ${path}`] = async () => {
    const { page } = JSON.parse(sentFrom(method).at(-1)?.split(' ').slice(2).join(' ') ?? '');
    kept = page;
    await isReleased;
    return { page, push: page, browsers: [] };
  };
  const user = open(() => <NoticeSwitches />);
  const [searches, saves] = await Promise.all(
    ['New posts in saved searches', 'A save is done'].map((name) => screen.findByRole('checkbox', { name })),
  );
  await waitFor(() => expect(searches).toBeEnabled());
  await user.click(searches as HTMLElement);
  await user.click(saves as HTMLElement);
  await act(async () => release());
  await waitFor(() => expect(kept).toEqual([]));
  for (const button of [searches, saves]) await waitFor(() => expect(button).not.toBeChecked());
});

test('a profile is sent once, however often it is pressed, and kinds of notices stand where notices are on', async () => {
  const { method, path } = ENDPOINTS.updateProfile;
  answers[`${method} ${path}`] = () => ({ ...user, user });
  const off = { ...user, preferences: { ...user.preferences, notifications: false } };
  open(() => [
    <ProfileSettings key="on" user={user} notices={<p>Kinds</p>} />,
    <ProfileSettings key="off" user={off} notices={<p>None</p>} />,
  ]);
  expect([screen.queryByText('Kinds'), screen.queryByText('None')].map((one) => one !== null)).toEqual([true, false]);
  const [form] = screen.getAllByRole('form', { name: 'Profile Settings' });
  fireEvent.submit(form as HTMLElement);
  fireEvent.submit(form as HTMLElement);
  await waitFor(() => expect(sent).toEqual([`${method} ${path} {"displayName":"Ines","bio":""}`]));
});

test('a collection is deleted after a yes alone; where it could not be, that is said', async () => {
  const { method, path } = ENDPOINTS.dropCollection;
  answers[`GET ${ENDPOINTS.getCollection.path.replace(':collection', 'c')}?page=1`] = () => collectionPage(collection);
  jest.spyOn(window, 'confirm').mockReturnValueOnce(false).mockReturnValueOnce(true);
  const user = open(() => <CollectionPage id="c" search="" />, <ToastHost />);
  const button = await screen.findByRole('button', { name: 'Delete' });
  await user.click(button);
  expect(sent.some((call) => call.startsWith(method))).toBe(false);
  await user.click(button);
  expect(await screen.findByText('The collection could not be deleted. Please try again.')).toBeInTheDocument();
  expect(sentFrom(method)[0]).toBe(`${method} ${path.replace(':collection', 'c')}`);
});

test('a collection of another person can be neither changed nor deleted', async () => {
  answers[`GET ${ENDPOINTS.getCollection.path.replace(':collection', 'c')}?page=1`] = () =>
    collectionPage({ ...collection, isOwn: false });
  open(() => <CollectionPage id="c" search="" />);
  await screen.findByRole('heading', { name: 'Kept' });
  expect(screen.queryByRole('button', { name: /^(Change|Delete)$/ })).not.toBeInTheDocument();
});

test('what one session was shown of a collection is not there for the next', async () => {
  const call = `GET ${ENDPOINTS.getCollection.path.replace(':collection', 'c')}?page=1`;
  answers[call] = () => collectionPage({ ...collection, isPublic: false });
  open(() => <CollectionPage id="c" search="" />);
  await screen.findByRole('heading', { name: 'Kept' });
  answers[call] = () => new Promise(() => {});
  act(() => updateWalletState({ token: 'another', user: { ...user, _id: 'other' } }));
  await waitFor(() => expect(sent.filter((one) => one === call)).toHaveLength(2));
  expect(screen.queryByText('Kept')).not.toBeInTheDocument();
});

test('a file of the account that could not be had is told, and may be asked for again', async () => {
  const { method, path } = ENDPOINTS.exportAccount;
  const user = open(() => <AccountPanel />, <ToastHost />);
  const button = screen.getByRole('button', { name: 'Download' });
  await user.click(button);
  expect(await screen.findByText('The file could not be made. Please try again.')).toBeInTheDocument();
  await user.click(button);
  await waitFor(() => expect(sent.filter((call) => call === `${method} ${path}`)).toHaveLength(2));
});

test('a visitor who saves a search is asked to sign in, and then it is saved', async () => {
  const session = { token: walletState().token, user: walletState().user };
  updateWalletState({ token: null, user: null });
  const user = open(() => <SaveSearchButton query="q=kept" />);
  await user.click(screen.getByRole('button', { name: 'Save this search' }));
  expect(walletState().isDialogOpen).toBe(true);
  expect(sent).toEqual([]);
  act(() => updateWalletState(session));
  const { method, path } = ENDPOINTS.saveSearch;
  await waitFor(() => expect(sent).toContain(`${method} ${path} {"query":"q=kept"}`));
});

test.each<[number, ErrorCode, string, string]>([
  [409, 'too_many', 'Fifty are the most.', 'Fifty are the most.'],
  [400, 'invalid_request', 'No.', 'The search could not be saved. Please try again.'],
])('a search that is refused by a %i, %s, is told why where that helps', async (status, code, message, words) => {
  const { method, path } = ENDPOINTS.saveSearch;
  answers[`${method} ${path}`] = () => refusal(status, code, message);
  const user = open(() => <SaveSearchButton query="q=kept" />, <ToastHost />);
  await user.click(screen.getByRole('button', { name: 'Save this search' }));
  expect(await screen.findByText(words)).toBeInTheDocument();
});

test('a collection is made once, however often it is pressed, also while its form closes', async () => {
  const { method, path } = ENDPOINTS.createCollection;
  let give: (answer: unknown) => void = () => {};
  answers[`${method} ${path}`] = () => new Promise((resolve) => (give = resolve));
  const onClose = jest.fn();
  const user = open(() => <CollectionForm onClose={onClose} />);
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Kept{Enter}{Enter}');
  await act(async () => give(collection));
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  await user.click(screen.getByRole('button', { name: 'Make collection' }));
  expect(sent).toEqual([`${method} ${path} {"name":"Kept","isPublic":false}`]);
});

test.each<[number, ErrorCode, string, string]>([
  [409, 'too_many', 'It is full.', 'It is full.'],
  [500, 'internal_error', 'No.', 'It could not be put there. Please try again.'],
])('a post that could not be put into a collection, by a %i, is told, and the dialog stays', async (...row) => {
  const [status, code, message, words] = row;
  const { method, path } = ENDPOINTS.addToCollection;
  answers[`${method} ${path.replace(':collection', 'c').replace(':id', post._id)}`] = () =>
    refusal(status, code, message);
  const user = open((close) => <AddToCollection post={post} onClose={close} />);
  await user.click(await screen.findByRole('button', { name: /^Kept/ }));
  expect(await screen.findByText(words)).toBeInTheDocument();
  expect(screen.getByRole('button', { name: /^Kept/ })).toBeInTheDocument();
});

test.each<[number, ErrorCode, string]>([
  [500, 'internal_error', 'It could not be sent. What you wrote is still here; please try again.'],
  [429, 'rate_limited', 'That is many reports in a short time. Please try again in an hour.'],
  [410, 'post_removed', 'No.'],
])('a report that is answered with %i is told why, keeps its words, and can be sent again', async (...row) => {
  const [status, code, words] = row;
  const { method, path } = ENDPOINTS.createReport;
  answers[`${method} ${path}`] = () => refusal(status, code);
  const user = open((close) => <ReportDialog post={post} preset="mine" begun="All of mine" onClose={close} />);
  await user.click(screen.getByRole('button', { name: 'Send report' }));
  expect(await screen.findByText(words)).toBeInTheDocument();
  expect(screen.getByRole('textbox', { name: /^Only this post/ })).toHaveValue('All of mine');
  await user.click(screen.getByRole('button', { name: 'Send report' }));
  await waitFor(() => expect(sentFrom(method)).toHaveLength(2));
});

test('a choice of notices that could not be saved is told, and the switch goes back', async () => {
  const user = open(() => <NoticeSwitches />, <ToastHost />);
  const button = await screen.findByRole('checkbox', { name: 'A save is done' });
  await waitFor(() => expect(button).toBeEnabled());
  await user.click(button);
  expect(await screen.findByText('Your choice could not be saved. Please try again.')).toBeInTheDocument();
  expect(button).toBeChecked();
});

test('a failure to turn notices off is said, and they stay on', async () => {
  const hand = open(() => <ProfileSettings user={user} notices={null} />, <ToastHost />);
  const button = screen.getByRole('checkbox', { name: 'Notifications' });
  await hand.click(button);
  expect(await screen.findByText('Failed to save your preferences. Please try again.')).toBeInTheDocument();
  expect(button).toBeChecked();
});

test.each([
  ['done', () => ({}), 'Your request is taken back. Nothing is saved.'],
  ['refused as too late', () => refusal(409, 'save_refused', 'It is being fetched.'), 'It is being fetched.'],
  ['not to be had', () => refusal(500, 'internal_error'), 'It could not be taken back. Please try again.'],
])('taking a request back that is %s is told, and the requests are asked for once more', async (...row) => {
  const [, answer, words] = row;
  const { method, path } = ENDPOINTS.takeBackSave;
  const call = `${method} ${path.replace(':save', 's')}`;
  const list = `GET ${ENDPOINTS.listSaves.path}?page=1&mine=true`;
  // A visible page polls every few seconds, which would hide a missing refresh.
  jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  answers[call] = answer;
  answers[list] = () => ({ data: [receivedSave], pagination: { page: 1, limit: 20, total: 1, pages: 1, next: null } });
  const user = open(() => <SavesPage search="?mine=true" />, <ToastHost />);
  await user.click(await screen.findByRole('button', { name: 'Take back' }));
  expect(await screen.findByText(words)).toBeInTheDocument();
  await waitFor(() => expect(sentFrom(method)).toEqual([call, list]));
});

test('a request is taken back where it was made', async () => {
  const { method, path } = ENDPOINTS.takeBackSave;
  const call = `${method} ${path.replace(':save', 's')}`;
  answers[call] = () => ({});
  answers[`GET ${ENDPOINTS.listSaves.path}?mine=true&limit=3`] = () => ({
    data: [receivedSave],
    pagination: { page: 1, limit: 3, total: 1, pages: 1, next: null },
  });
  const user = open(() => <OwnSaves />, <ToastHost />);
  await user.click(await screen.findByRole('button', { name: 'Take back' }));
  expect(await screen.findByText('Your request is taken back. Nothing is saved.')).toBeInTheDocument();
  expect(sent).toContain(call);
});

test('an author is told the faster way, where an agent is at work on the network of the post', async () => {
  const agents = [{ platform: 'bluesky' as const, handle: 'keeper.test' }];
  answers[`GET ${ENDPOINTS.config.path}`] = () => ({ ...publicConfig, agents });
  open(() => <ReportDialog post={{ ...post, platform: 'bluesky' }} preset="mine" onClose={() => {}} />);
  expect(await screen.findByText(/answer your post with/)).toHaveTextContent('“@keeper.test remove”');
  cleanup();
  open(() => <ReportDialog post={{ ...post, platform: 'x' }} preset="mine" onClose={() => {}} />);
  await act(async () => {});
  expect(screen.queryByText(/answer your post with/)).not.toBeInTheDocument();
});

test.each([
  ['collection', <CollectionPage key="0" id="c" search="" />, 'No such collection'],
  ['report', <ReportPage key="0" secret="secret" />, 'No report here'],
])('a %s that is not there says so; one that could not be loaded can be asked for again', async (name, page, title) => {
  const { getCollection, getReport } = ENDPOINTS;
  const calls = [
    `GET ${getCollection.path.replace(':collection', 'c')}?page=1`,
    `GET ${getReport.path.replace(':secret', 'secret')}`,
  ];
  for (const call of calls) answers[call] = () => refusal(429, 'rate_limited');
  const user = open(() => page);
  expect(await screen.findByText(`The ${name} could not be loaded.`)).toBeInTheDocument();
  for (const call of calls) answers[call] = () => refusal(404, 'not_found');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: title })).toBeInTheDocument();
});
