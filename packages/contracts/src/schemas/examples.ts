/** The docs' example of a post as an agent sends it. */
export const EXAMPLE_POST = {
  id: '1234567890123456789',
  content: 'The first post saved by an agent.',
  author: 'Ada Example',
  authorUsername: 'ada_example',
  category: 'tech',
  timestamp: '2026-01-15T09:30:00.000Z',
  url: 'https://x.com/ada_example/status/1234567890123456789',
} as const;

/** The same post as the server answers it. */
export const EXAMPLE_ARCHIVE = {
  ...EXAMPLE_POST,
  _id: '65a4fbd8c2f1a0b3d4e5f607',
  authorAvatar: null,
  featured: false,
  featuredAt: null,
  featuredBy: null,
  payee: null,
  launched: false,
  reactions: { heart: 3, thumbsUp: 1, thumbsDown: 0 },
  metadata: {},
  platform: 'x',
  authorId: null,
  language: null,
  links: [],
  sensitive: false,
  media: [],
  replyTo: null,
  quoted: null,
  thread: null,
  source: { state: 'unknown', checkedAt: null },
  versions: [],
  savedAt: '2026-01-15T09:31:12.345Z',
  savedBy: { via: 'ingest' },
  capture: { method: 'ingest', complete: true, signed: false },
} as const;

export const EXAMPLE_WALLET = 'GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB';

export const EXAMPLE_LAUNCH = {
  amberId: EXAMPLE_ARCHIVE._id,
  name: 'Ada Example Token',
  symbol: 'ADAE',
  description: EXAMPLE_POST.content,
  mint: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
  transaction: '5h6xBEauJ3PK6SWCZ1PGjBvj8vDdWG3KpwATGy1ARAXFSDwt8GFXM7W5Ncn16wmqokgpiKRLuS83KUxyZyv2sUYv',
  pumpfunUrl: null,
  solscanUrl: null,
  solscanTokenUrl: null,
  createdAt: '2026-01-15T10:00:00.000Z',
  status: 'confirmed',
} as const;

export const EXAMPLE_PROBLEM = {
  type: 'about:blank',
  title: 'Bad Request',
  status: 400,
  detail: 'The parameter limit must be a whole number from 1 to 1000.',
  message: 'The parameter limit must be a whole number from 1 to 1000.',
  code: 'invalid_request',
  requestId: '0b6c9f52-7a1e-4f0c-9d59-0b2f8c8f3c11',
  errors: [{ path: 'limit', message: 'must be a whole number from 1 to 1000' }],
} as const;
