import { ENDPOINTS, type Post, type PostMedia, type User } from '@archive/contracts';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { AccountPanel } from '../features/account/account-panel.tsx';
import { Pagination } from '../features/archive/pagination.tsx';
import { AddToCollection } from '../features/collections/add-to-collection.tsx';
import { CollectionForm } from '../features/collections/collection-form.tsx';
import { CollectionsPanel } from '../features/collections/collections-panel.tsx';
import { GivenReactions } from '../features/dashboard/given-reactions.tsx';
import { LaunchedTokens } from '../features/dashboard/launched-tokens.tsx';
import { RandomPost } from '../features/explore/random-post.tsx';
import { CostLines } from '../features/featuring/sheet/cost-lines.tsx';
import { PaymentSteps } from '../features/featuring/sheet/payment-steps.tsx';
import { NoticeBell } from '../features/notices/notice-bell.tsx';
import { NoticesPanel } from '../features/notices/notices-panel.tsx';
import { LinkCards } from '../features/post/link-cards.tsx';
import { MediaCell } from '../features/post/media/media-cell.tsx';
import { MediaCount } from '../features/post/media/media-count.tsx';
import { PictureViewer } from '../features/post/media/picture-viewer.tsx';
import { OpenedPost } from '../features/post/opened-post.tsx';
import { SavedLine } from '../features/post/origin.tsx';
import { OriginalLink } from '../features/post/original-link.tsx';
import { StepButtons } from '../features/post/post-steps.tsx';
import { PostTable } from '../features/post/post-table.tsx';
import { ShareButtons } from '../features/post/share-buttons.tsx';
import { Thread } from '../features/post/thread.tsx';
import { ReactionBar } from '../features/reactions/reaction-bar.tsx';
import { ReportDialog } from '../features/reports/report-dialog.tsx';
import { SaveForm } from '../features/saves/save-form.tsx';
import { SaveList } from '../features/saves/save-list.tsx';
import { SearchesPanel } from '../features/searches/searches-panel.tsx';
import { archivePage, archivePost, publicConfig, receivedSave } from '../testing/archive-page.ts';
import { heardIn, labelsIn } from '../testing/heard.ts';
import { ChainValue } from '../ui/chain-value.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Notice } from '../ui/notice.tsx';
import { ThemeChoice } from '../ui/theme-choice.tsx';
import { ToastHost } from '../ui/toasts.tsx';
import { resetWalletState, updateWalletState } from '../wallet/wallet-store.ts';
import { RemovalPreview } from './admin/act-dialog.tsx';
import { AdminList } from './admin/admin-list.tsx';
import { AdminPage } from './admin/admin-page.tsx';
import { BlockPicture } from './admin/block-picture.tsx';
import { App } from './app.tsx';
import { Maintenance } from './maintenance.tsx';
import { MobileMenu } from './mobile-menu.tsx';
import { Navbar } from './navbar.tsx';
import { DashboardPage } from './pages/dashboard-page.tsx';
import { ExplorePage } from './pages/explore-page.tsx';
import { ReportPage } from './pages/report-page.tsx';
import { SavesPage } from './pages/saves-page.tsx';
import { WalletButton } from './wallet-button.tsx';

const ADDRESS = 'A1iceA1iceA1iceA1iceA1iceA1iceA1iceA1iceA1ic';
const never = () => undefined;
let answers: Record<string, unknown>;

beforeEach(() => {
  answers = { [ENDPOINTS.config.path]: publicConfig };
  // A call without an answer here stays pending.
  globalThis.fetch = jest.fn<typeof fetch>(async (input) => {
    const answer = answers[new URL(String(input), 'http://localhost').pathname];
    return answer === undefined ? new Promise<Response>(never) : Response.json(answer);
  });
});

afterEach(() => {
  act(() => {
    resetWalletState();
    localStorage.clear();
  });
  window.history.replaceState(null, '', '/');
});

function open(part: ReactNode) {
  const user = userEvent.setup();
  render(
    <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0, shouldRetryOnError: false }}>{part}</SWRConfig>,
  );
  return user;
}

function signIn() {
  updateWalletState({
    token: 'the-token',
    user: {
      _id: 'alice',
      walletAddress: ADDRESS,
      profileSettings: { displayName: '', avatar: null, bio: '' },
      preferences: { notifications: true, theme: 'system' },
    } as User,
  });
}

async function expectHeard(expected: readonly string[]) {
  await waitFor(() => expect(heardIn(document.body)).toEqual(expected));
  expect(labelsIn(document.body)).toMatchSnapshot();
}

const post = archivePost(1);
const picture: PostMedia = {
  type: 'image',
  url: '/media/a',
  preview: '/media/b',
  sha256: 'a'.repeat(64),
  width: 4,
  height: 3,
  alt: 'A harbour',
  durationMs: null,
  thumbhash: null,
  missing: false,
};
const video: PostMedia = { ...picture, type: 'video', durationMs: 61_000 };
const pictured: Post = { ...post, timestamp: '2020-11-20T09:41:00.000Z', media: [picture, { ...picture, alt: null }] };
const entry = {
  signature: 'KeptSignature',
  transaction: '',
  lastValidBlockHeight: 1,
  postId: post._id,
  wallet: ADDRESS,
  network: 'mainnet-beta',
  amount: '100',
  createdAt: '2026-11-20T10:00:00.000Z',
};
const offer = {
  terms: { decimals: 0, baseUnits: 100n },
  summary: { amount: '100', receiver: ADDRESS, networkFeeLamports: 1n, rentLamports: 0n, createsAccount: false },
  network: 'mainnet-beta',
  balance: 300n,
} as unknown as Parameters<typeof CostLines>[0]['offer'];
const queue = { rows: null, hasFailed: false, reload: never, more: never };
const table = { name: 'Rows', columns: [{ name: 'Id', of: String }], idOf: String, empty: 'None.' };
const slots = { reactions: () => null, actions: () => null, collect: () => null, report: () => null, own: () => null };

test.each<[string, ReactNode, string[]]>([
  ['a notice', <Notice key="0" title="It failed." />, ['alert: It failed.']],
  [
    'a value of the chain',
    <ChainValue key="0" value={ADDRESS} href="https://solscan.io/" copyLabel="Copy" />,
    ['unseen: , on Solscan in a new tab', 'status: '],
  ],
  ['themes', <ThemeChoice key="0" />, ['unseen: Theme']],
  ['a place for messages', <ToastHost key="0" />, ['status: ', 'alert: ']],
  [
    'a server that is away',
    <Maintenance key="0" onRetry={never} />,
    ['alert: Server MaintenanceWe are undergoing server maintenance. We will be back soon.Try again'],
  ],
  ['the bar', <Navbar key="0" path="/explore" />, ['current page: Explore', 'expanded false: Theme']],
  [
    'the menu',
    <MobileMenu key="0" path="/explore" onClose={never} />,
    ['labelledby: Amber menu', 'unseen: menu', 'current page: Explore', 'unseen: Theme', 'status: ', 'alert: '],
  ],
  [
    'pages of a list',
    <Pagination key="0" page={2} pages={3} hrefOf={String} onPage={never} />,
    ['unseen: Page', 'current page: Page 2', 'unseen: Page', 'unseen: Page'],
  ],
  [
    'steps from post to post',
    <StepButtons key="0" steps={{ place: '1 of 3', previous: null, next: never }} />,
    ['status: 1 of 3', 'disabled true: Previous post', 'disabled false: Next post'],
  ],
  [
    'who asked for a post',
    <SavedLine key="0" post={{ ...post, savedBy: { via: 'mention', handle: 'noor', url: 'https://x.com/noor' } }} />,
    ['unseen: , their post in a new tab'],
  ],
  [
    'a link of a post',
    <LinkCards
      key="0"
      post={{ ...post, links: [{ url: 'https://amber.example/', title: 'Kept', start: 0, end: 0 }] }}
    />,
    ['unseen: , in a new tab'],
  ],
  [
    'the way to the original',
    <OriginalLink key="0" address={post.url} author={post.author} className="" />,
    ['unseen: the original post by Author 1, in a new tab'],
  ],
  [
    'a viewer of pictures',
    <PictureViewer key="0" post={pictured} first={0} onClose={never} />,
    [
      'labelledby: Picture 1 of 2, by AAuthor 1X@author_1·20 Nov 2020',
      'unseen: Picture 1 of 2, by',
      'unseen: X',
      'unseen: , in a new tab',
      'disabled true: Previous picture',
      'disabled false: Next picture',
      'polite: Described by its authorA harbour',
      'current true: Picture 1',
      'current false: Picture 2',
      'status: ',
      'alert: ',
    ],
  ],
  [
    'a video',
    <MediaCell key="0" media={video} post={post} place="1 of 1" more={2} onOpen={never} />,
    ['unseen: Length', 'unseen: more'],
  ],
  ['how many pictures', <MediaCount key="0" media={[video]} />, ['unseen: 1 video, 1:01']],
  [
    'a thread',
    <Thread
      key="0"
      entries={[
        { post, missing: null },
        { post: archivePost(2), missing: null },
      ]}
      post={post}
      terms={[]}
      reactions={null}
    />,
    [
      'current true: This postWords of post 11 of 2 · 20 November 2026, 09:41 UTCView on X the original post by Author 1, in a new tab',
      'unseen: the original post by Author 1, in a new tab',
    ],
  ],
  [
    'a table',
    <PostTable
      key="0"
      posts={[]}
      terms={{ author: [], content: [] }}
      sort={{ sortBy: 'author', sortOrder: 'asc' }}
      onSort={never}
      launch={() => null}
    />,
    ['unseen: Posts', 'sort ascending: Author'],
  ],
  [
    'a post on its way',
    <OpenedPost key="0" id="none" launchedNote={() => null} {...slots} />,
    ['unseen: Post', 'status: Loading post...'],
  ],
  [
    'the lines of a price',
    <CostLines key="0" offer={offer} ticker="TEST" />,
    ['unseen: , on Solscan in a new tab', 'unseen: will be'],
  ],
  [
    'a payment under way',
    <PaymentSteps key="0" progress={{ entry, phase: 'sent', outcome: null }} ticker="TEST" />,
    ['current step: Waiting for Solana', 'unseen: , not yet', 'unseen: , on Solscan in a new tab', 'status: '],
  ],
  [
    'requests to save',
    <SaveList key="0" saves={[{ ...receivedSave, archiveId: post._id, state: 'stored' }]} />,
    ['unseen: Requests to save', 'unseen: Bluesky', 'unseen: , in a new tab', 'unseen: the kept post'],
  ],
  [
    'a random post on its way',
    <RandomPost key="0" words={() => null} picture={() => null} author={() => null} />,
    [
      'busy true: A random postPicking a post...Another one',
      'labelledby: A random post',
      'polite: Picking a post...Another one',
      'status: Picking a post...',
    ],
  ],
  [
    'explore on its way',
    <ExplorePage key="0" />,
    [
      'busy true: A random postPicking a post...Another one',
      'labelledby: A random post',
      'polite: Picking a post...Another one',
      'status: Picking a post...',
      'status: Loading figures...',
    ],
  ],
  ['a report on its way', <ReportPage key="0" secret="secret" />, ['status: Loading the report...']],
  [
    'requests on their way',
    <SavesPage key="0" search="?state=failed" />,
    ['current true: Failed', 'status: Loading requests...'],
  ],
  ['what a removal takes, on its way', <RemovalPreview key="0" preview={null} />, ['status: Counting...']],
  [
    'what a removal takes',
    <RemovalPreview key="0" preview={{ count: 2, aliases: 0, featured: 0, launched: 0, sample: [] } as never} />,
    ['status: 2 posts'],
  ],
  ['rows on their way', <AdminList key="0" {...table} list={queue} />, ['status: Loading...']],
  ['no rows', <AdminList key="0" {...table} list={{ ...queue, rows: { data: [], next: null } }} />, ['status: None.']],
  [
    'rows with acts',
    <AdminList key="0" {...table} list={{ ...queue, rows: { data: ['a'], next: null } }} acts={() => null} />,
    ['unseen: What can be done'],
  ],
  [
    'no picture to block',
    <BlockPicture key="0" post={post} onClose={never} />,
    ['labelledby: Block one picture for good', 'status: None of its pictures is kept here.', 'status: ', 'alert: '],
  ],
])('%s: what is only heard', async (_what, part, expected) => {
  open(part);
  await expectHeard(expected);
});

test.each<[string, ReactNode, string[]]>([
  ['account', <AccountPanel key="0" />, ['status: Counting...', 'disabled false: Download']],
  ['collections', <CollectionsPanel key="0" />, ['status: Loading collections...']],
  ['reactions', <GivenReactions key="0" given={undefined} hasFailed={false} />, ['status: Loading reactions...']],
  ['tokens', <LaunchedTokens key="0" launches={undefined} hasFailed={false} />, ['status: Loading tokens...']],
  ['notices', <NoticesPanel key="0" />, ['status: Loading notices...']],
  ['searches', <SearchesPanel key="0" />, ['status: Loading searches...']],
  [
    'collections to put a post into',
    <AddToCollection key="0" post={post} onClose={never} />,
    ['labelledby: Put into a collection', 'status: Loading collections...', 'status: ', 'alert: '],
  ],
  ['operator', <AdminPage key="0" name="" />, ['status: Loading...']],
  [
    'reactions of a post',
    <ReactionBar key="0" post={post} />,
    [
      'pressed false: Heart: 1.3k',
      'unseen: Heart:',
      'pressed false: Thumbs up: 0',
      'unseen: Thumbs up: 0',
      'pressed false: Thumbs down: 0',
      'unseen: Thumbs down: 0',
    ],
  ],
  ['wallet', <WalletButton key="0" />, ['expanded false: AWallet A1iceA…A1ic', 'unseen: Wallet']],
])('%s of a signed-in person: what is only heard before the answer', async (_what, part, expected) => {
  signIn();
  open(part);
  await expectHeard(expected);
});

test('new notices and new posts of a search are told in words', async () => {
  const search = { _id: 'q', name: 'kept', query: 'q=kept', newPosts: 3 };
  const dates = { createdAt: receivedSave.createdAt, seenAt: receivedSave.createdAt };
  const notice = {
    _id: 'n',
    kind: 'search',
    at: receivedSave.createdAt,
    isNew: true,
    search,
    post: null,
    token: null,
    reason: null,
  };
  answers[ENDPOINTS.listNotices.path] = { data: [notice], unread: 1 };
  answers[ENDPOINTS.listSearches.path] = { data: [{ ...search, ...dates }] };
  signIn();
  const user = open([<NoticeBell key="bell" />, <NoticesPanel key="notices" />, <SearchesPanel key="searches" />]);
  await expectHeard(['unseen: Notices,', 'unseen: new', 'unseen: new', 'unseen: new']);
  await user.click(screen.getByRole('button', { name: 'Rename kept' }));
  expect(screen.getByRole('textbox', { name: 'Name of the search' })).toHaveFocus();
});

test.each<[string, Partial<PostMedia>]>([
  ['video', {}],
  ['video', { alt: null }],
  ['gif', { type: 'gif', alt: null }],
])('a %s that plays has a name', async (_type, more) => {
  const user = open(<MediaCell media={{ ...video, ...more }} post={post} place="1 of 1" more={0} onOpen={never} />);
  await user.click(screen.getByRole('button'));
  await expectHeard([]);
});

test('a session on its way: the dashboard is told to load', async () => {
  updateWalletState({ restoring: { address: ADDRESS } as never });
  open(<DashboardPage />);
  await expectHeard(['status: Loading your dashboard...']);
});

test.each([
  ['Copy', <CopyButton key="0" text="words" label="Copy" />, 'Copied'],
  ['Copy link', <ShareButtons key="0" post={post} className="" isLong />, 'Link copied'],
])('%s: said when it is done', async (name, part, said) => {
  const user = open(part);
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
  await user.click(screen.getByRole('button', { name }));
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent(said));
});

test('what is wrong in a form is said, and stands at its field', async () => {
  signIn();
  const user = open([
    <SaveForm key="save" link="" keptPost={() => null} />,
    <CollectionForm key="collection" onClose={never} />,
    <ReportDialog key="report" post={post} onClose={never} />,
  ]);
  for (const name of ['Save', 'Make collection', 'Send report']) await user.click(screen.getByRole('button', { name }));
  await expectHeard([
    'invalid true: input',
    'describedby: Paste the link of a post first.',
    'labelledby: New collection',
    'invalid true: input',
    'alert: A collection needs a name.',
    'disabled false: Make collection',
    'status: ',
    'alert: ',
    'labelledby: Report this post',
    'unseen: What is wrong with it?',
    'alert: Choose what is wrong with it.',
    'status: ',
    'alert: ',
    'disabled false: Send report',
  ]);
});

test('a request to save is followed aloud', async () => {
  answers[ENDPOINTS.createSave.path] = receivedSave;
  signIn();
  const user = open(<SaveForm link={receivedSave.url} keptPost={() => null} />);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await expectHeard(['current step: Being fetched', 'unseen: , not yet', 'unseen: , not yet', 'status: Being fetched']);
});

test('a list: what is only heard of it, of its tools and of its filters', async () => {
  answers[ENDPOINTS.listArchives.path] = archivePage([post]);
  answers[ENDPOINTS.analytics.path] = { topAuthors: [], contentTrends: [], timeTrends: [] };
  answers[ENDPOINTS.timeline.path] = { bucket: 'month', counts: [{ from: '2026-10-01', count: 2 }] };
  window.history.replaceState(null, '', '/?q=since:2026-02-03+until:2026-02-01');
  const user = open(<App />);
  const loading = heardIn(document.body);
  expect(loading).toContain('status: Loading archive data...');
  expect(loading.filter((one) => one.startsWith('busy'))).toEqual(['busy true: div']);
  await screen.findByRole('slider');
  await user.click(screen.getByRole('button', { name: /^Filters/ }));
  await user.click(await screen.findByRole('button', { name: 'Apply filters' }));
  const heard = new Set(heardIn(document.querySelector('main') as Element));
  expect([...heard].filter((one) => !/^busy/.test(one))).toEqual([
    'unseen: Posts, kept in amber.',
    'labelledby: Posts',
    'expanded true: Filters1 active',
    'unseen: active',
    'unseen: Layout',
    'pressed true: Card grid',
    'pressed false: Table',
    'expanded false: Export',
    'invalid true: input',
    'describedby: The start date must not be after the end date.',
    'labelledby: Media',
    'labelledby: Platform',
    'alert: The start date must not be after the end date.',
    'unseen: Posts',
    'status: ',
    'describedby: Arrow keys move an edge of the dates, with Shift ten times as far; Enter changes the edge, Page Up and Page Down take a whole year or month, Escape takes all dates.',
    'unseen: Arrow keys move an edge of the dates, with Shift ten times as far; Enter changes the edge, Page Up and Page Down take a whole year or month, Escape takes all dates.',
    'unseen: Timeline by monthWhenPostsOct 20262',
    'unseen: Sort',
    'status: 1 post, page 1 of 1',
    'unseen: X',
    'labelledby: Words of post 1',
    'unseen: Heart:',
    'unseen: Thumbs up: 0',
    'unseen: Thumbs down: 0',
    'unseen: the original post by Author 1, in a new tab',
  ]);
});

test('a word being typed: suggestions are counted, and the chosen one is marked', async () => {
  answers[ENDPOINTS.listArchives.path] = archivePage([post]);
  answers[ENDPOINTS.suggest.path] = { authors: [], words: ['harbour', 'harbours'] };
  window.history.replaceState(null, '', '/');
  const user = open(<App />);
  await user.type(screen.getByRole('searchbox'), 'harb');
  const list = await screen.findByRole('listbox');
  await user.keyboard('{ArrowDown}');
  expect(heardIn(list.parentElement as Element)).toEqual([
    'status: 2 suggestions, by the arrow keys',
    'unseen: Words that begin with “harb”',
    'labelledby: Words that begin with “harb”',
    'selected true: harbour',
    'selected false: harbours',
  ]);
});
