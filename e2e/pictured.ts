import { type ArchivePage, ENDPOINTS, type Post, type PostMedia, type Reference } from '@archive/contracts';
import type { Page } from '@playwright/test';

/** The ThumbHash of a picture with a few colours. */
const THUMBHASH = '1QcSHQRnh493V4dIh4eXh1h4kJUI';
const COLOURS = ['#1f4f63', '#b5652b', '#3d5a3a', '#7a3d5c', '#c9a24b'];

function hashOf(number: number): string {
  return number.toString(16).padStart(64, '0');
}

export function media(number: number, over: Partial<PostMedia> = {}): PostMedia {
  const sha256 = hashOf(number);
  return {
    type: 'image',
    url: `/media/${sha256}`,
    preview: `/media/${sha256}/preview`,
    sha256,
    width: 1200,
    height: 800,
    alt: null,
    durationMs: null,
    thumbhash: THUMBHASH,
    missing: false,
    ...over,
  };
}

export const missingMedia = (alt: string) =>
  media(0, { url: null, preview: null, sha256: null, thumbhash: null, missing: true, alt });

const ALT = 'A white ferry on flat water at first light, and the departures board with one line lit.';

/** The media of the first posts of a list: every kind, in turn. */
export const KINDS: Partial<Post>[] = [
  { media: [media(1, { alt: ALT })] },
  { media: [media(2, { alt: ALT }), media(3, { alt: 'The same, later.' })] },
  { media: [media(4), media(5), media(6)] },
  { media: [media(7), media(8), media(9), media(10, { alt: ALT })] },
  { media: [11, 12, 13, 14, 15, 16, 17].map((number) => media(number)) },
  { media: [media(18, { type: 'video', durationMs: 102_000, alt: 'A stage from the back row.' })] },
  { media: [media(19, { type: 'gif' })] },
  { media: [media(20), media(21)], sensitive: true },
  { media: [missingMedia('A library book open on a counter. Between its pages lie a pressed fern and a bus ticket.')] },
  { quoted: quoted() },
  {
    links: [{ start: 0, end: 0, url: 'https://harbour.example/timetable', title: 'The timetable of the night ferry' }],
  },
  { media: [media(22), missingMedia('What is missing.')] },
];

function quoted(): Reference {
  const url = 'https://bsky.app/profile/kofi.example/post/3lbmw7ra2k2dq';
  const post = {
    _id: '0'.repeat(24),
    id: 'bsky-ewvi7nxzyoun6zhxrhs64oiz-3lbmw7ra2k2dq',
    content:
      'Soak them while you argue. Cook them while you make up. Salt last, like an apology: late, but in the pot.',
    author: 'Kofi Mensah-Lindqvist',
    authorUsername: 'kofi.example',
    authorAvatar: null,
    timestamp: '2026-11-18T08:00:00.000Z',
    url,
    media: [media(23, { alt: 'A loaf.' })],
  };
  return { platform: 'bluesky', id: post.id, url, archiveId: post._id, state: 'kept', post };
}

/**
 * Adds pictures of all kinds to the posts of every list. Call it before the page opens. Returns the requested addresses
 * under `/media/`, in order.
 */
export async function showPictures(page: Page, { delayMs = 0 } = {}): Promise<string[]> {
  const asked: string[] = [];
  // By post id, because other tests add or remove posts and so shift the list.
  const kinds = new Map<string, Partial<Post>>();
  await page.route(`**${ENDPOINTS.listArchives.path}?*`, async (route) => {
    const response = await route.fetch();
    const list = (await response.json()) as ArchivePage;
    for (const { _id } of list.data) if (!kinds.has(_id)) kinds.set(_id, KINDS[kinds.size] ?? {});
    const data = list.data.map((post) => ({ ...post, ...kinds.get(post._id) }));
    const featured = list.featured && { ...list.featured, media: [media(24, { alt: 'Books in a drawer.' })] };
    await route.fulfill({ response, json: { ...list, data, featured } });
  });
  await servePictures(page, asked, delayMs);
  return asked;
}

/** Answers media requests with two-coloured pictures drawn by the browser. */
export async function servePictures(page: Page, asked: string[] = [], delayMs = 0): Promise<void> {
  await page.route('**/media/*{,/preview}', async (route) => {
    const { pathname } = new URL(route.request().url());
    asked.push(pathname);
    const number = Number.parseInt(pathname.split('/')[2] ?? '0', 16);
    const [ground, shape] = [COLOURS[number % COLOURS.length], COLOURS[(number * 3 + 1) % COLOURS.length]];
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    const body = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800"><rect width="1200" height="800" fill="${ground}"/><circle cx="${300 + number * 25}" cy="420" r="230" fill="${shape}"/></svg>`;
    await route.fulfill({ body, contentType: 'image/svg+xml' });
  });
}
