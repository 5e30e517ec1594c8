import { CATEGORIES, type Category } from '@archive/contracts';

export interface Post {
  id: string;
  content: string;
  author: string;
  authorUsername: string;
  category: Category | null;
  timestamp: string;
  url: string;
  metadata: Record<string, unknown>;
  language?: string;
  replyTo?: Reference;
  quoted?: Reference;
}

interface Reference {
  platform: 'x' | 'bluesky';
  id: string;
  url: string;
  state?: 'deleted';
}

const HOUR_MS = 3_600_000;
/** More than four pages of twelve posts. */
const FILLERS = 50;
const AUTHORS = ['Anwen Pryce', 'Bo Lindqvist', 'Cosima Wachter', 'Dilip Raman', 'Esra Yıldız'];

const chosen: { content: string; author: string; handle: string; category: Category | null; language?: string }[] = [
  {
    content: 'The lighthouse keeper counts the ships twice.',
    author: 'Anwen Pryce',
    handle: 'anwen',
    category: 'casual',
  },
  {
    content: `A long evening by the harbour. ${'The tide went out and came back. '.repeat(20)}Then a lighthouse.`,
    author: 'Bo Lindqvist',
    handle: 'bolind',
    category: 'news',
  },
  { content: 'البحر هادئ هذا المساء', author: 'نورة البحري', handle: 'noura_sea', category: 'other', language: 'ar' },
  {
    content: '<b>not bold</b> & "quoted" <script>alert(1)</script>',
    author: 'Cosima Wachter',
    handle: 'cosima',
    category: 'tech',
  },
  {
    content: 'Family trip 👨‍👩‍👧‍👦 and a flag 🇮🇸, nothing else.',
    author: 'Dilip Raman',
    handle: 'dilip',
    category: null,
  },
];

const BLUESKY_AUTHOR = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz';

/** Posts that answer and quote others, older than all fillers. */
const referring: Pick<Post, 'content' | 'author' | 'authorUsername' | 'url' | 'replyTo' | 'quoted'>[] = [
  {
    content: 'The harbour master quotes the keeper, who counts them twice.',
    author: 'Harbour Master',
    authorUsername: 'harbour.example.com',
    url: `https://bsky.app/profile/${BLUESKY_AUTHOR}/post/3l6oveex3ii2l`,
    quoted: { platform: 'x', id: '1900000000000000000', url: 'https://x.com/anwen/status/1900000000000000000' },
  },
  {
    content: 'The harbour master answers somebody, and quotes what is gone.',
    author: 'Harbour Master',
    authorUsername: 'harbour.example.com',
    url: `https://bsky.app/profile/${BLUESKY_AUTHOR}/post/3l6oveex3ii2m`,
    replyTo: { platform: 'x', id: '7', url: 'https://x.com/somebody/status/7' },
    quoted: { platform: 'x', id: '8', url: 'https://x.com/somebody/status/8', state: 'deleted' },
  },
];

/** One start time for the set-up and its workers: with another one, a post may fall on another day. */
const BEGAN = process.env['RUN_BEGAN'] ?? new Date().toISOString();
process.env['RUN_BEGAN'] = BEGAN;

/** The posts of every run: the newest an hour old, then one every ten hours, with the same texts each time. */
export function posts(): Post[] {
  const fillers = Array.from({ length: FILLERS }, (_, index) => ({
    content: `Note number ${index + 1} from the harbour log.`,
    author: AUTHORS[index % AUTHORS.length] ?? '',
    handle: `keeper${index % AUTHORS.length}`,
    category: index % 10 === 9 ? null : (CATEGORIES[index % CATEGORIES.length] ?? null),
  }));
  const plain = [...chosen, ...fillers].map(({ handle, ...post }, index) => {
    const id = String(1_900_000_000_000_000_000n + BigInt(index));
    return {
      ...post,
      id,
      authorUsername: handle,
      timestamp: new Date(Date.parse(BEGAN) - HOUR_MS - index * 10 * HOUR_MS).toISOString(),
      url: `https://x.com/${handle}/status/${id}`,
      metadata: {},
    };
  });
  const older = referring.map((post, index) => ({
    ...post,
    id: post.url.replace(/^.*did:plc:(\w+)\/post\/(\w+)$/, 'bsky-$1-$2'),
    category: null,
    timestamp: new Date(Date.parse(BEGAN) - (plain.length + index + 1) * 10 * HOUR_MS).toISOString(),
    metadata: {},
  }));
  return [...plain, ...older];
}

/** The featured post. It is not among the newest, so its place at the top comes from being featured. */
export const FEATURED_ID = '1900000000000000020';
