import { type Collection, ENDPOINTS, REPORT_WORDS_LENGTH, type User } from '@archive/contracts';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { SWRConfig } from 'swr';
import { AddToCollection } from '../features/collections/add-to-collection.tsx';
import { CollectionForm } from '../features/collections/collection-form.tsx';
import { CollectionsPanel } from '../features/collections/collections-panel.tsx';
import { ProfileSettings } from '../features/dashboard/profile-settings.tsx';
import { NoticeSwitches } from '../features/notices/notice-switches.tsx';
import { ReportDialog } from '../features/reports/report-dialog.tsx';
import { archivePost, publicConfig } from '../testing/archive-page.ts';
import { closeAllToasts } from '../ui/toasts.tsx';
import { resetWalletState, updateWalletState } from '../wallet/wallet-store.ts';

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
    return Response.json(answer ?? { status: 404, code: 'not_found', message: 'No.' }, { status: answer ? 200 : 404 });
  });
  updateWalletState({ token: 'the-token', user });
});

afterEach(() => {
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

/** What was sent that changes something, and what was asked for after it. */
const sentFrom = (method: string) => sent.slice(sent.findIndex((call) => call.startsWith(method)));
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
const listed = `GET ${ENDPOINTS.listCollections.path}`;

test('a new collection is asked for, the lists of them anew, and the form closes', async () => {
  const { method, path } = ENDPOINTS.createCollection;
  answers[`${method} ${path}`] = () => collection;
  const user = open((close) => <CollectionForm onClose={close} />, <CollectionsPanel />);
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Kept');
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

test('a collection that could not be saved keeps the form and what was written', async () => {
  answers[`${ENDPOINTS.createCollection.method} ${ENDPOINTS.createCollection.path}`] = () =>
    Response.json({ status: 400, code: 'too_many', message: 'Too many.' }, { status: 400 });
  const user = open((close) => <CollectionForm onClose={close} />);
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Kept{Enter}');
  expect(await screen.findByText('Too many.')).toBeInTheDocument();
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Kept');
});

test('a post is put into a collection, whose figures are asked for anew', async () => {
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
  // A letter of two units is one character.
  fireEvent.change(words, { target: { value: '🙂'.repeat(REPORT_WORDS_LENGTH + 1) } });
  await user.click(screen.getByRole('button', { name: 'Send report' }));
  expect(problem()).toMatch(/^Please say it in/);
  expect(sent).toEqual([]);
  fireEvent.change(words, { target: { value: '🙂'.repeat(REPORT_WORDS_LENGTH) } });
  await user.click(screen.getByRole('button', { name: 'Send report' }));
  expect(await screen.findByRole('link')).toHaveAttribute('href', '/report/secret');
  expect(sent).toHaveLength(1);
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
