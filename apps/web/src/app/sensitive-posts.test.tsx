import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDPOINTS, type Post, type PostMedia, type User } from '@archive/contracts';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { KeptPost } from '../features/post/kept-post.tsx';
import { ReportDialog } from '../features/reports/report-dialog.tsx';
import { archivePage, archivePost, publicConfig, refusal } from '../testing/archive-page.ts';
import { settle } from '../testing/settle.ts';
import { QuotedPost } from '../ui/quoted-post.tsx';
import { resetWalletState, updateWalletState } from '../wallet/wallet-store.ts';
import { BlockPicture } from './admin/block-picture.tsx';
import { App } from './app.tsx';

const ADDRESS = 'A1iceA1iceA1iceA1iceA1iceA1iceA1iceA1iceA1ic';
const picture: PostMedia = {
  type: 'image',
  url: '/media/whole',
  preview: '/media/preview',
  sha256: 'a'.repeat(64),
  width: 4,
  height: 3,
  alt: null,
  durationMs: null,
  thumbhash: null,
  missing: false,
};
const sensitivePost = archivePost(1, {
  sensitive: true,
  media: [picture, { ...picture, type: 'video', sha256: 'b'.repeat(64) }],
  thread: { root: archivePost(1)._id, position: 1, length: 2 },
});

/** Answers every call with this post, wherever an answer contains posts. */
function answersWith(post: Post): Record<string, unknown> {
  const page = archivePage([post], { featured: { ...post, featured: true, featuredBy: 'team' } });
  const ofPost = (path: string) => path.replace(':id', post._id);
  const person = { author: post.author, username: post.authorUsername, avatar: null, count: 9 };
  return {
    [ENDPOINTS.config.path]: publicConfig,
    [ENDPOINTS.listArchives.path]: page,
    [ENDPOINTS.analytics.path]: { topAuthors: [], contentTrends: [], timeTrends: [] },
    [ENDPOINTS.timeline.path]: { bucket: 'month', counts: [{ from: '2026-10-01', count: 2 }] },
    [ofPost(ENDPOINTS.getArchive.path)]: post,
    [ofPost(ENDPOINTS.getThread.path)]: { data: [post, { ...post, _id: archivePost(2)._id, id: '2' }] },
    [ofPost(ENDPOINTS.getNeighbours.path)]: { before: { ...post, thread: null }, after: { ...post, thread: null } },
    [ENDPOINTS.random.path]: post,
    [ENDPOINTS.explore.path]: {
      total: 9,
      authors: 1,
      keptSince: post.savedAt,
      writtenSince: '2026-10',
      months: [],
      categories: [],
      uncategorized: 0,
      activeAuthors: [],
      newAuthors: [],
      languages: [],
      withoutLanguage: 0,
      week: { from: '2026-11-18', to: '2026-11-24', posts: [post] },
      onThisDay: { day: '2026-11-24', count: 1, years: [{ day: '2025-11-24', count: 1, post }] },
    },
    [ENDPOINTS.getAuthor.path.replace(':handle', post.authorUsername)]: {
      ...person,
      posts: 9,
      reactions: 9,
      first: post.timestamp,
      last: post.timestamp,
      platforms: [{ platform: 'x', count: 9 }],
      categories: [{ category: 'tech', count: 9 }],
    },
    [ENDPOINTS.getCollection.path.replace(':collection', 'c')]: {
      collection: { _id: 'c', name: 'Kept', isPublic: true, isOwn: false, posts: 1, cover: [] },
      data: [post],
      pagination: page.pagination,
    },
    [ENDPOINTS.userReactions.path]: [
      { archiveId: post._id, reactionType: 'heart', createdAt: post.savedAt, archive: post },
    ],
    [ENDPOINTS.adminMe.path]: { wallet: ADDRESS, role: 'admin' },
    [ENDPOINTS.getAdminPost.path.replace(':id', post._id)]: { post, state: 'shown', hiddenFor: null, author: null },
    [ENDPOINTS.listReports.path]: {
      data: [post, { ...post, _id: archivePost(2)._id }].map((one) => ({
        _id: one._id,
        state: 'open',
        round: 0,
        reason: 'illegal',
        counts: { illegal: 1 },
        networks: 1,
        firstAt: post.savedAt,
        isHiddenByReports: false,
        reports: [],
        post: one,
        postState: 'shown',
        hiddenFor: null,
        decision: null,
      })),
      total: 2,
      next: null,
    },
  };
}

let answers: Record<string, unknown>;

beforeEach(async () => {
  globalThis.fetch = jest.fn<typeof fetch>(async (input) => {
    const { pathname } = new URL(String(input), 'http://localhost');
    const answer = answers[pathname];
    return answer === undefined ? refusal(404, 'post_not_found') : Response.json(answer);
  });
  updateWalletState({
    token: 'the-token',
    user: {
      _id: 'alice',
      walletAddress: ADDRESS,
      profileSettings: { displayName: '', avatar: null, bio: '' },
      preferences: { notifications: true, theme: 'system' },
      activity: { interactions: [] },
    } as unknown as User,
  });
  // Loads the code of pictures first, so that they would be on the page if they were shown.
  await import('../features/post/media/media-frame.tsx');
});

afterEach(() => {
  act(() => {
    resetWalletState();
    localStorage.clear();
    sessionStorage.clear();
  });
  window.history.replaceState(null, '', '/');
});

async function draw(shown: string | ((post: Post) => ReactNode), post: Post) {
  answers = answersWith(post);
  if (typeof shown === 'string') window.history.replaceState(null, '', shown);
  render(
    <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0, shouldRetryOnError: false }}>
      {typeof shown === 'string' ? <App /> : shown(post)}
    </SWRConfig>,
  );
  await screen.findAllByText(post.content, { exact: false });
  return userEvent.setup();
}

/** How often a picture address appears on the page: as a source, a poster or a background. */
const pictures = () => document.documentElement.outerHTML.split('/media/').length - 1;

async function openPost(user: ReturnType<typeof userEvent.setup>) {
  await user.click(screen.getAllByRole('link', { name: sensitivePost.content }).at(-1) as HTMLElement);
  await within(await screen.findByRole('dialog', { name: 'Post' })).findByText(sensitivePost.content);
}

test.each<[string, string | ((post: Post) => ReactNode), number, number, typeof openPost?]>([
  ['a list, under the featured post', '/', 3, 1],
  ['a table, under the featured post', '/?view=table', 1, 0],
  ['a post over a table', '/?view=table', 3, 1, openPost],
  ['a thread', `/post/${sensitivePost._id}`, 4, 2],
  ['explore, with a random post', '/explore', 3, 1],
  ['an author, with what is best known of them', `/author/${sensitivePost.authorUsername}`, 4, 2],
  ['a collection', '/collection/c', 2, 1],
  ['a kept post', (post) => <KeptPost id={post._id} />, 1, 0],
])('%s shows pictures, but of a sensitive post none before a press', async (...[, shown, plain, covers, open]) => {
  const first = await draw(shown, { ...sensitivePost, sensitive: false });
  await open?.(first);
  await waitFor(() => expect(pictures()).toBe(plain));
  cleanup();

  const user = await draw(shown, sensitivePost);
  await open?.(user);
  const buttons = () => screen.queryAllByRole('button', { name: 'Show 2 sensitive pictures and videos' });
  await waitFor(() => expect(buttons()).toHaveLength(covers));
  await settle();
  expect(pictures()).toBe(0);
  for (const button of buttons()) await user.click(button);
  await waitFor(() => expect(pictures()).toBe(2 * covers));
});

test.each<[string, string | ((post: Post) => ReactNode)]>([
  ['a dashboard', '/dashboard'],
  ['what is to be launched or featured', (post) => <QuotedPost post={post} limit={100} />],
  ['a report', (post) => [post.content, <ReportDialog key="0" post={post} onClose={() => {}} />]],
  ['what is to be blocked', (post) => [post.content, <BlockPicture key="0" post={post} onClose={() => {}} />]],
])('%s shows no picture of any post', async (_place, shown) => {
  for (const sensitive of [false, true]) {
    await draw(shown, { ...sensitivePost, sensitive });
    await settle();
    expect(pictures()).toBe(0);
    cleanup();
  }
});

test('an operator sees the pictures of a reported post by a press, and those of the next by another', async () => {
  const user = await draw('/admin/reports', sensitivePost);
  await screen.findByText('Marked by their author.');
  await settle();
  expect(pictures()).toBe(0);
  await user.click(screen.getByRole('button', { name: /^Show/ }));
  await waitFor(() => expect(pictures()).toBe(2));
  await user.keyboard('j');
  await screen.findByText('Marked by their author.');
  expect(pictures()).toBe(0);
});

test('every component that draws pictures is known: a case above draws it, or a word says why none has to', () => {
  const source = join(__dirname, '..');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.tsx$/.test(file),
  );
  const drawing = files.filter((file) =>
    /<(Thumbnail|PostMedia|MediaFrame|MediaCell|PictureViewer|img)\b|poster=|backgroundImage/.test(
      readFileSync(join(source, file), 'utf8'),
    ),
  );
  expect(drawing.sort()).toEqual([
    'app/admin/reported-post-view.tsx',
    'app/pages/explore-page.tsx',
    // Collection covers: the server uses no sensitive post for them.
    'features/collections/collections-panel.tsx',
    'features/post/featured-slab.tsx',
    // A cell of a frame, the frame, and the viewer: all are rendered below the cover of `post-media`.
    'features/post/media/media-cell.tsx',
    'features/post/media/media-frame.tsx',
    'features/post/media/picture-viewer.tsx',
    'features/post/media/post-media.tsx',
    // Renders the picture it is given. The three places that use it are in this list.
    'features/post/media/thumbnail.tsx',
    'features/post/post-card.tsx',
    // For a quoted sensitive post the server sends no pictures; the component itself drops those of an archived post.
    'features/post/post-quote.tsx',
    'features/post/post-words.tsx',
    // A picture of a person, not of a post.
    'ui/avatar.tsx',
    // Icons of wallets.
    'wallet/wallet-dialog.tsx',
  ]);
});
