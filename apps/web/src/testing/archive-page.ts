import {
  type ArchivePage,
  type Collection,
  type ErrorCode,
  NO_REACTIONS,
  type Post,
  type PublicConfig,
  type Save,
  type TokenLaunch,
} from '@archive/contracts';

export function archivePost(number: number, over: Partial<Post> = {}): Post {
  return {
    _id: number.toString(16).padStart(24, '0'),
    id: `18592038475629035${number}`,
    content: `Words of post ${number}`,
    author: `Author ${number}`,
    authorUsername: `author_${number}`,
    authorAvatar: null,
    category: 'tech',
    timestamp: '2026-11-20T09:41:00.000Z',
    url: `https://x.com/author_${number}/status/${number}`,
    featured: false,
    featuredAt: null,
    featuredBy: null,
    payee: null,
    launched: false,
    reactions: { ...NO_REACTIONS, heart: 1300 },
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
    savedAt: '2026-11-20T09:42:00.000Z',
    savedBy: { via: 'ingest' },
    capture: { method: 'ingest', complete: true, signed: false },
    ...over,
  };
}

export function archivePage(data: Post[], over: Partial<ArchivePage> = {}): ArchivePage {
  return {
    data,
    stats: { total: 3083, authors: 1204, recent: 58 },
    pagination: { page: 1, limit: 12, total: data.length, pages: data.length === 0 ? 0 : 1, next: null },
    featured: null,
    match: 'exact',
    lastLaunch: null,
    ...over,
  };
}

/** The page of a collection that has no posts. */
export function collectionPage(collection: Collection) {
  const { data, pagination } = archivePage([]);
  return { collection, data, pagination };
}

/** An error answer of the API. */
export function refusal(status: number, code: ErrorCode, message = 'No.'): Response {
  return Response.json({ status, code, message }, { status });
}

export function tokenLaunch(post: Post, over: Partial<TokenLaunch> = {}): TokenLaunch {
  const mint = 'KeptMint1111111111111111111111111111111111';
  return {
    amberId: post._id,
    name: 'Kept Token',
    symbol: 'KEPT',
    description: post.content,
    mint,
    transaction: 'KeptTransaction',
    pumpfunUrl: null,
    solscanUrl: 'https://solscan.io/tx/KeptTransaction',
    solscanTokenUrl: `https://solscan.io/token/${mint}`,
    createdAt: '2026-11-20T10:00:00.000Z',
    status: 'confirmed',
    ...over,
  };
}

export const publicConfig: PublicConfig = {
  name: 'Test',
  network: 'mainnet-beta',
  rpcUrl: null,
  agentHandle: 'keeper',
  agents: [{ platform: 'bluesky', handle: 'keeper.example' }],
  readable: ['x', 'bluesky'],
  tokenTicker: 'TEST',
  launchInfoId: null,
  launchPlatform: 'token-2022',
  avatarHosts: ['pbs.twimg.com'],
  pushKey: null,
  domain: 'localhost',
};

/** A save request in its first state. */
export const receivedSave: Save = {
  _id: 's',
  platform: 'bluesky',
  url: 'https://bsky.app/profile/noor/post/1',
  via: 'save',
  state: 'received',
  reason: null,
  archiveId: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  endsAt: '2026-11-21T10:00:00.000Z',
};
