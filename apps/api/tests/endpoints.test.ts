import { buildLaunchMessage, ENDPOINTS, type EndpointName, LEGACY_PATHS } from '@archive/contracts';
import { type LocalSolana, openLocalSolana } from '@archive/local-solana';
import { featureEnv, Payer, TestWallet } from '@archive/testing';
import { aPicture } from '@archive/testing/media';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Response } from 'supertest';
import { ledgerFolder } from '../src/ledger/ledger.ts';
import { readLedger } from '../src/ledger/read-ledger.ts';
import { createLog } from '../src/log.ts';
import { Metrics } from '../src/metrics/metrics.ts';
import { newPushKeys } from '../src/push-keys.ts';
import { createReport } from '../src/reports/create-report.ts';
import { payBack } from './_pay-back.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const text = expect.any(String);
const number = expect.any(Number);
const hexId = expect.stringMatching(/^[0-9a-f]{24}$/);
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
const counts = { heart: number, thumbsUp: number, thumbsDown: number };
const archive = {
  _id: hexId,
  id: text,
  content: text,
  author: text,
  authorUsername: text,
  authorAvatar: null,
  category: 'tech',
  timestamp: instant,
  url: text,
  featured: false,
  featuredAt: null,
  featuredBy: null,
  payee: null,
  launched: false,
  reactions: counts,
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
  savedAt: instant,
  savedBy: { via: 'import' },
  capture: { method: 'import', complete: true, signed: false },
};
const paidArchive = { ...archive, featured: true, featuredAt: instant, featuredBy: 'payment', payee: text };
const decision = { by: text, at: instant, reason: 'sold as news', answer: null };
const reportedPost = {
  _id: hexId,
  state: 'done',
  round: 1,
  reason: 'spam',
  counts: { spam: 1 },
  networks: 1,
  firstAt: instant,
  isHiddenByReports: false,
  reports: [{ name: text, reason: 'spam', words: '', contact: '', createdAt: instant }],
  post: archive,
  postState: 'shown',
  hiddenFor: null,
};
const adminPost = { post: archive, author: { shown: number, hidden: number } };
const user = {
  _id: hexId,
  walletAddress: text,
  profileSettings: { displayName: text, avatar: null, bio: text },
  preferences: { notifications: true, theme: 'system' },
  activity: { interactions: expect.any(Array) },
  createdAt: instant,
};
const account = {
  walletAddress: text,
  createdAt: instant,
  reactions: number,
  savedSearches: number,
  collections: number,
  saves: number,
  browsers: number,
  sessions: number,
  payments: number,
  launches: number,
};
const tokenLaunch = {
  amberId: hexId,
  name: 'Shape Token',
  symbol: 'SHAPE',
  description: text,
  mint: text,
  transaction: text,
  pumpfunUrl: null,
  solscanUrl: null,
  solscanTokenUrl: null,
  createdAt: instant,
  status: 'confirmed',
};
const blueskyUrl = 'https://bsky.app/profile/did:plc:abcdefghijklmnopqrstuvwx/post/3lbxyzabcde2f';
const save = {
  _id: hexId,
  platform: 'bluesky',
  url: blueskyUrl,
  via: 'save',
  state: 'received',
  reason: null,
  archiveId: hexId,
  createdAt: instant,
  endsAt: instant,
};
const savedSearch = {
  _id: hexId,
  name: text,
  query: 'search=night',
  createdAt: instant,
  seenAt: instant,
  newPosts: number,
};
const noticeSettings = {
  page: expect.any(Array),
  push: ['search', 'save', 'featured', 'credit', 'token'],
  browsers: expect.any(Array),
};
const collection = {
  _id: hexId,
  name: 'Night',
  isPublic: true,
  isOwn: true,
  posts: number,
  cover: [],
  createdAt: instant,
  changedAt: instant,
};
const adminPayment = {
  _id: text,
  state: 'credit',
  payer: text,
  mint: text,
  baseUnits: '1000000',
  reason: 'already_featured',
  archiveId: hexId,
  usedOn: null,
  isFinal: true,
  createdAt: instant,
  refund: null,
};
const adminKey = {
  _id: text,
  name: text,
  scopes: ['ingest'],
  postsPerMinute: null,
  createdAt: instant,
  expiresAt: null,
  revokedAt: null,
};
const removal = { _id: hexId, state: 'done', total: 1, done: 1, createdAt: instant, endedAt: instant };
const postReactions = { ...counts, userReactions: expect.any(Array) };
const reporter = { words: 'words of somebody who is afraid', contact: 'afraid@private.example' };
const clientAddress = '203.0.113.77';
const jwtSecret = 'q8Zr3TnV5xLw0KpYb7HdJm2sUcEg9fAi';
/** The fields that carry secrets of one person. */
const SECRET_FIELDS = ['signature', 'challenge', 'token', 'words', 'contact', 'statusPath', 'auth'];

/**
 * For each group of calls: Cache-Control, whether other sites may read the answer (`open`), and whether it has an ETag.
 * All other answers are `no-store`.
 */
const KEPT_BY_OTHERS: Record<string, string> = {
  'no-cache; etag': 'analytics explore getAuthor getNeighbours listArchives suggest timeline',
  'no-cache; open; etag': 'feedAtom feedJson feedRss',
  'no-store, no-transform': 'exportAccount exportArchives exportCollection exportLog',
  'public, max-age=30; open': 'tokenMetadata',
  'public, max-age=3600': 'llms robots',
  'public, max-age=60': 'embed sitemap sitemapPart',
  'public, max-age=60; etag': 'sharePicture',
  'public, max-age=60; open': 'oembed',
  'public, max-age=86400, s-maxage=60; etag': 'mediaFile mediaPreview',
  'public, max-age=86400; open': 'tokenImage',
  unsaid: `
    challenge config createReport featureWallet getArchive getReactions getSave getThread health launchInfo
    listReactions live openApi ready securityTxt verify
  `,
};

describe('every call answers in its documented shape, under its current path and its legacy ones', () => {
  let api: TestApi;
  let wallet: TestWallet;
  let token: string;
  let otherToken: string;
  let key: string;
  const admin = new TestWallet();
  const suspended = new TestWallet();
  let adminToken: string;
  let clock = Date.now();
  let solana: LocalSolana;
  let payer: Payer;
  let metrics: Metrics;
  const logged: string[] = [];
  const headers = new Map<EndpointName, Record<string, string>>();
  const secrets = new Set([clientAddress, jwtSecret]);
  const keepSecrets = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner === 'string' && inner !== '' && SECRET_FIELDS.includes(name))
        secrets.add(inner.replace(/^\/report\//, ''));
      else keepSecrets(inner);
    }
  };

  beforeAll(async () => {
    solana = await openLocalSolana({ slotMs: 0 });
    const { publicKey: VAPID_PUBLIC_KEY, privateKey: VAPID_PRIVATE_KEY } = newPushKeys();
    secrets.add(VAPID_PRIVATE_KEY);
    const env = { RATE_LIMITS: 'off', SECURITY_CONTACT: 'mailto:security@example.org', VAPID_PUBLIC_KEY };
    const ofCallers = { ADMIN_WALLETS: admin.address, JWT_SECRET: jwtSecret, TRUSTED_PROXIES: '1' };
    api = await startTestApi({
      env: { ...env, VAPID_PRIVATE_KEY, ...featureEnv(solana), ...ofCallers },
      overrides: {
        launchTiming: { waitMs: 0 },
        log: createLog('debug', { write: (line) => void logged.push(line) }),
      },
    });
    metrics = new Metrics(api.context, { port: 0, host: '127.0.0.1' }, { keptMs: 0 });
    await metrics.start();
    await api.context.launches.offer.start();
    await solana.control.advance(1);
    await api.add(...['shape', 'paid', 'credited', 'launched', 'removable'].map((id) => newPost({ id })));
    const ofBluesky = { id: 'bsky-abcdefghijklmnopqrstuvwx-3lbxyzabcde2f', url: blueskyUrl };
    await api.add(newPost(ofBluesky));
    wallet = new TestWallet();
    payer = await Payer.open(solana, wallet);
    token = (await wallet.signIn(api)).token;
    otherToken = (await wallet.signIn(api)).token;
    adminToken = (await admin.signIn(api)).token;
    key = (await api.context.accounts.agentKeys.create('shape')).key;
  });

  afterAll(async () => {
    await metrics.stop();
    await api.close();
    await solana.close();
  });

  const signed = (action: 'add' | 'remove') =>
    wallet.signedReaction({ action, reactionType: 'heart', archiveId: 'shape', timestamp: clock++ });
  const challenge = async () =>
    (await request(api.app).post('/amber/auth/challenge').send({ walletAddress: wallet.address })).body
      .challenge as string;

  let payment: Promise<string> | undefined;
  /** Pays for one post twice. The second payment becomes a credit, which is final when it is read. */
  const payOnce = () => {
    payment ??= (async () => {
      const post = (await request(api.app).get('/amber/archives/paid')).body._id as string;
      const signature = await payer.pay(post);
      await payer.verify(api, token, post, signature);
      await payer.verify(api, token, post, await payer.pay(post));
      await solana.control.advance(40);
      await api.context.featuring.watcher?.look();
      return signature;
    })();
    return payment;
  };

  let launched: Promise<{ body: object; mint: string }> | undefined;
  /** Launches one token. Later calls return the same launch. */
  const launchOnce = () => {
    launched ??= (async () => {
      const terms = { name: 'Shape Token', symbol: 'SHAPE' };
      const transaction = wallet.sign(buildLaunchMessage({ ...terms, id: 'launched' }));
      secrets.add(transaction);
      const body = { amberId: 'launched', ...terms, transaction };
      const { body: answer } = await request(api.app)
        .post('/amber/token')
        .set('Authorization', `Bearer ${token}`)
        .send(body);
      await solana.control.advance(1);
      return { body, mint: answer.mint as string };
    })();
    return launched;
  };

  const anOpenCredit = async () => {
    await payOnce();
    const [credit] = await api.context.featuring.payments.creditsOf(wallet.address);
    return { payment: credit?._id ?? '' };
  };
  /** A second credit, which is held. */
  const aHeldCredit = async () => {
    const post = (await request(api.app).get('/amber/archives/paid')).body._id as string;
    const credit = await payer.pay(post);
    await payer.verify(api, token, post, credit);
    await solana.control.advance(40);
    await api.context.featuring.watcher?.look();
    await request(api.app)
      .put(`/amber/admin/payments/${credit}/hold`)
      .set('Authorization', `Bearer ${adminToken}`)
      .send({});
    return { payment: credit };
  };
  const payBackOnce = async () => {
    const signature = await payBack(solana, wallet.address);
    await solana.control.advance(40);
    return signature;
  };

  const idOf = async (list: 'searches' | 'collections') => {
    const { body } = await request(api.app).get(`/amber/${list}`).set('Authorization', `Bearer ${token}`);
    return body.data[0]._id as string;
  };

  const keepPicture = async () => {
    const kept = await api.context.media.keep(await aPicture());
    return { sha256: 'sha256' in kept ? kept.sha256 : '' };
  };

  const oneMore = async () => {
    const post = newPost();
    await api.add(post);
    return post['id'] as string;
  };
  const report = (postId: string) =>
    createReport(api.context, { postId, reason: 'spam', words: '', contact: '' }, '203.0.113.0/24');
  const reported = async () => {
    const id = await oneMore();
    await report(id);
    return { post: (await api.context.posts.store.find(id))?._id.toHexString() ?? '' };
  };

  type Case = {
    body?: () => object | Promise<object>;
    auth?: () => string;
    status?: number;
    shape: unknown;
    params?: () => Promise<Record<string, string>>;
    query?: string;
    /** Whether the answer is a stream without an end. */
    isHead?: boolean;
  };
  const cases: Record<EndpointName, Case> = {
    health: { shape: { status: 'ok' } },
    ready: {
      shape: {
        status: 'ready',
        done: number,
        total: number,
        behind: number,
        waiting: number,
        noRoom: null,
        search: null,
        agentsAway: [],
      },
    },
    openApi: { shape: expect.objectContaining({ openapi: '3.1.0' }) },
    securityTxt: { shape: {} },
    robots: { shape: {} },
    llms: { shape: {} },
    sitemap: { shape: {} },
    sitemapPart: { params: async () => ({ part: `${'0'.repeat(24)}.xml` }), shape: {} },
    feedAtom: { shape: {} },
    feedRss: { shape: {} },
    feedJson: { shape: expect.objectContaining({ version: text, items: expect.any(Array) }) },
    oembed: {
      query: 'url=http%3A%2F%2Flocalhost%3A4000%2Fpost%2Fshape',
      shape: expect.objectContaining({ version: '1.0', type: 'rich', html: text }),
    },
    embed: { shape: {} },
    sharePicture: { shape: expect.any(Buffer) },
    config: {
      shape: expect.objectContaining({ network: text, agentHandle: text, tokenTicker: text, launchInfoId: null }),
    },
    listArchives: {
      shape: {
        data: expect.arrayContaining([archive]),
        stats: { total: number, authors: number, recent: number },
        pagination: { page: 1, limit: 12, total: number, pages: number, next: null },
        featured: paidArchive,
        match: 'exact',
        lastLaunch: { ...tokenLaunch, author: text },
      },
    },
    exportArchives: { shape: {} },
    ingestArchives: {
      auth: () => key,
      body: () => newPost(),
      status: 201,
      shape: { created: 1, duplicates: 0, invalid: 0, results: [{ index: 0, id: text, status: 'created' }] },
    },
    getArchive: { shape: archive },
    getThread: { shape: { data: [archive] } },
    // The oldest post has no predecessor.
    getNeighbours: { shape: { before: null, after: expect.objectContaining({ _id: hexId }) } },
    createSave: { auth: () => token, body: () => ({ url: blueskyUrl }), shape: save },
    listSaves: { shape: { data: [save], pagination: { page: 1, limit: 20, total: 1, pages: 1 } } },
    takeBackSave: {
      auth: () => token,
      params: async () => ({ save: (await request(api.app).get('/amber/saves')).body.data[0]._id as string }),
      shape: { ...save, state: 'failed', reason: 'taken_back' },
    },
    getSave: {
      params: async () => ({ save: (await request(api.app).get('/amber/saves')).body.data[0]._id as string }),
      shape: save,
    },
    live: { isHead: true, shape: {} },
    suggest: { shape: { authors: [], words: [] } },
    timeline: { shape: { bucket: 'day', counts: expect.arrayContaining([{ from: text, count: number }]) } },
    getAuthor: {
      params: async () => ({
        handle: (await request(api.app).get('/amber/archives')).body.data[0].authorUsername as string,
      }),
      shape: {
        author: text,
        username: text,
        avatar: null,
        posts: number,
        reactions: number,
        first: instant,
        last: instant,
        platforms: expect.arrayContaining([{ platform: 'x', count: number }]),
        categories: expect.arrayContaining([{ category: 'tech', count: number }]),
      },
    },
    analytics: {
      shape: {
        topAuthors: [{ author: text, username: text, avatar: null, count: number }],
        contentTrends: [{ category: 'tech', count: number }],
        timeTrends: expect.arrayContaining([{ date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), count: number }]),
      },
    },
    explore: {
      shape: {
        total: number,
        authors: number,
        keptSince: instant,
        writtenSince: expect.stringMatching(/^\d{4}-\d\d$/),
        months: expect.arrayContaining([expect.stringMatching(/^\d{4}-\d\d$/)]),
        categories: [{ category: 'tech', count: number, months: expect.arrayContaining([number]) }],
        uncategorized: number,
        activeAuthors: [{ author: text, username: text, avatar: null, count: number }],
        newAuthors: [{ author: text, username: text, avatar: null, count: number, platform: text, since: instant }],
        languages: [],
        withoutLanguage: number,
        week: { from: day, to: day, posts: expect.any(Array) },
        onThisDay: { day, count: number, years: expect.any(Array) },
      },
    },
    random: { shape: expect.objectContaining({ _id: hexId, content: text, reactions: counts }) },
    launchInfo: { shape: { ...archive, launch_platform: null, contract_address: null } },
    challenge: { body: () => ({ walletAddress: wallet.address }), shape: { challenge: text } },
    verify: {
      body: async () => {
        const message = await challenge();
        return { walletAddress: wallet.address, message, signature: wallet.sign(message) };
      },
      shape: { token: text, user },
    },
    me: { auth: () => token, shape: { ...user, user, isOperator: expect.any(Boolean) } },
    logout: { auth: () => otherToken, status: 204, shape: {} },
    logoutEverywhere: { auth: () => token, status: 204, shape: {} },
    updateProfile: { auth: () => token, body: () => ({ bio: 'hello' }), shape: { ...user, user } },
    updateProfileSigned: {
      body: () => wallet.signedProfile({ profileData: { displayName: 'Shape' }, timestamp: clock++ }),
      shape: { ...user, user },
    },
    updatePreferences: {
      auth: () => token,
      body: () => ({ notifications: true }),
      shape: { preferences: { notifications: true, theme: 'system' } },
    },
    getAccount: { auth: () => token, shape: account },
    exportAccount: { auth: () => token, shape: expect.objectContaining({ walletAddress: text }) },
    deleteAccount: {
      body: () => new TestWallet().signedDeletion({ timestamp: clock++, domain: api.context.config.publicUrl.host }),
      status: 204,
      shape: {},
    },
    userReactions: {
      auth: () => token,
      shape: expect.arrayContaining([{ archiveId: hexId, reactionType: 'heart', createdAt: instant, archive }]),
    },
    getReactions: { shape: postReactions },
    listReactions: { shape: { data: expect.any(Array), next: null } },
    addReaction: { auth: () => token, body: () => ({ reactionType: 'heart' }), shape: postReactions },
    removeReaction: { auth: () => token, shape: postReactions },
    addReactionSigned: { body: () => ({ ...signed('add'), reactionType: 'heart' }), shape: postReactions },
    removeReactionSigned: { body: () => signed('remove'), shape: postReactions },
    launchToken: {
      auth: () => token,
      body: async () => (await launchOnce()).body,
      status: 201,
      shape: { ...tokenLaunch, tokenLaunch },
    },
    checkToken: {
      params: async () => ({ id: 'launched' }),
      shape: { exists: true, tokenLaunch, failure: null, refusal: null },
    },
    userTokens: { auth: () => token, shape: [{ ...tokenLaunch, author: text }] },
    tokenMetadata: {
      params: async () => ({ mint: (await launchOnce()).mint }),
      shape: expect.objectContaining({ name: 'Shape Token', symbol: 'SHAPE', description: text, image: text }),
    },
    tokenImage: { params: async () => ({ mint: (await launchOnce()).mint }), shape: expect.any(Buffer) },
    listSearches: { auth: () => token, shape: { data: [savedSearch] } },
    saveSearch: {
      auth: () => token,
      body: () => ({ query: 'search=night&sortBy=saved' }),
      status: 201,
      shape: savedSearch,
    },
    changeSearch: {
      auth: () => token,
      params: async () => ({ savedSearch: await idOf('searches') }),
      body: () => ({ seen: true, name: 'Night' }),
      shape: savedSearch,
    },
    dropSearch: {
      auth: () => token,
      params: async () => ({ savedSearch: await idOf('searches') }),
      status: 204,
      shape: {},
    },
    listNotices: {
      auth: () => token,
      shape: {
        data: expect.arrayContaining([
          {
            _id: text,
            kind: 'token',
            at: instant,
            isNew: true,
            search: null,
            post: { _id: hexId, content: text },
            token: { name: 'Shape Token', symbol: 'SHAPE' },
            reason: null,
          },
        ]),
        unread: number,
      },
    },
    readNotices: { auth: () => token, status: 204, shape: {} },
    noticeSettings: { auth: () => token, shape: noticeSettings },
    changeNoticeSettings: { auth: () => token, body: () => ({ page: ['search', 'token'] }), shape: noticeSettings },
    addBrowser: {
      auth: () => token,
      body: () => ({
        endpoint: 'https://push.example/send/1',
        keys: { p256dh: newPushKeys().publicKey, auth: 'BTBZMqHH6r4Tts7J_aSIgg' },
      }),
      shape: { _id: text },
    },
    dropBrowser: { auth: () => token, params: async () => ({ browser: 'a' }), status: 204, shape: {} },
    listCollections: { auth: () => token, shape: { data: [collection] } },
    createCollection: {
      auth: () => token,
      body: () => ({ name: ' Night ', isPublic: true }),
      status: 201,
      shape: { ...collection, posts: 0 },
    },
    getCollection: {
      params: async () => ({ collection: await idOf('collections') }),
      shape: {
        collection: { ...collection, isOwn: false },
        data: [archive],
        pagination: { page: 1, limit: 24, total: 1, pages: 1 },
      },
    },
    changeCollection: {
      auth: () => token,
      params: async () => ({ collection: await idOf('collections') }),
      body: () => ({ isPublic: true }),
      shape: collection,
    },
    exportCollection: { params: async () => ({ collection: await idOf('collections') }), shape: {} },
    addToCollection: {
      auth: () => token,
      params: async () => ({ collection: await idOf('collections') }),
      status: 204,
      shape: {},
    },
    dropFromCollection: {
      auth: () => token,
      params: async () => ({ collection: await idOf('collections') }),
      status: 204,
      shape: {},
    },
    dropCollection: {
      auth: () => token,
      params: async () => ({ collection: await idOf('collections') }),
      status: 204,
      shape: {},
    },
    paidPosts: {
      auth: () => token,
      shape: {
        data: expect.arrayContaining([
          {
            transaction: text,
            baseUnits: '1000000',
            mint: text,
            at: instant,
            archiveId: hexId,
            content: text,
            state: 'featured',
          },
        ]),
      },
    },
    featureWallet: {
      shape: {
        wallet: text,
        mintAddress: text,
        featurePrice: '1',
        decimals: 6,
        network: 'localnet',
        enabled: true,
        stopped: false,
      },
    },
    verifyFeature: {
      auth: () => token,
      body: async () => ({ amberId: 'paid', transaction: await payOnce() }),
      shape: { success: true, archive: paidArchive },
    },
    featureCredits: {
      auth: () => token,
      shape: expect.arrayContaining([
        {
          _id: text,
          baseUnits: '1000000',
          reason: 'already_featured',
          transaction: text,
          createdAt: instant,
          usedOn: null,
          usable: true,
        },
      ]),
    },
    useFeatureCredits: {
      auth: () => token,
      body: () => ({ amberId: 'credited' }),
      shape: { success: true, archive: paidArchive },
    },
    mediaFile: { params: keepPicture, shape: expect.any(Buffer) },
    mediaPreview: { params: keepPicture, shape: expect.any(Buffer) },
    adminMe: { auth: () => adminToken, shape: { wallet: admin.address, role: 'admin', freshUntil: instant } },
    listOperators: {
      auth: () => adminToken,
      shape: { data: [{ wallet: admin.address, role: 'admin', madeBy: null, createdAt: null }] },
    },
    makeModerator: {
      auth: () => adminToken,
      params: async () => ({ wallet: wallet.address }),
      body: () => ({ reason: 'tends the reports' }),
      shape: { wallet: text, role: 'moderator', madeBy: admin.address, createdAt: instant },
    },
    unmakeModerator: {
      auth: () => adminToken,
      params: async () => ({ wallet: wallet.address }),
      status: 204,
      shape: {},
    },
    listLog: {
      auth: () => adminToken,
      query: 'act=make+moderator',
      shape: {
        data: [
          {
            seq: number,
            at: instant,
            actor: { kind: 'wallet', id: admin.address },
            act: 'make moderator',
            subject: { kind: 'wallet', id: text },
            before: { role: null },
            after: { role: 'moderator' },
            reason: 'tends the reports',
            requestId: text,
            previous: expect.any(String),
          },
        ],
        next: null,
      },
    },
    createReport: {
      body: () => ({ postId: 'shape', reason: 'spam', ...reporter }),
      status: 201,
      shape: { id: expect.stringMatching(/^R-\d+$/), statusPath: expect.stringMatching(/^\/report\/[\w-]{22}$/) },
    },
    getReport: {
      params: async () => {
        const secret = (await report(await oneMore())).statusPath.slice('/report/'.length);
        secrets.add(secret);
        return { secret };
      },
      shape: { id: text, state: 'open', createdAt: instant, decidedAt: null, answer: null },
    },
    listReports: {
      auth: () => adminToken,
      query: 'state=done',
      shape: { data: expect.any(Array), total: number, next: null },
    },
    decideReport: {
      auth: () => adminToken,
      params: reported,
      body: () => ({ act: 'hide', seen: 0, reason: 'sold as news' }),
      shape: { ...reportedPost, postState: 'hidden', hiddenFor: 'rules', decision: { ...decision, act: 'hide' } },
    },
    removeReported: {
      auth: () => adminToken,
      params: reported,
      body: () => ({ seen: 0, answer: 'It is gone.' }),
      shape: {
        ...reportedPost,
        post: null,
        postState: 'removed',
        decision: { ...decision, act: 'remove', reason: null, answer: 'It is gone.' },
      },
    },
    reopenReport: {
      auth: () => adminToken,
      params: async () => {
        const { post } = await reported();
        await request(api.app)
          .post(`/amber/admin/reports/${post}/decide`)
          .set('Authorization', `Bearer ${adminToken}`)
          .send({ act: 'dismiss', seen: 0 });
        return { post };
      },
      body: () => ({ seen: 1 }),
      shape: { ...reportedPost, state: 'open', round: 2, decision: null },
    },
    getAdminPost: { auth: () => adminToken, shape: { ...adminPost, state: 'shown', hiddenFor: null } },
    hidePost: {
      auth: () => adminToken,
      params: async () => ({ id: await oneMore() }),
      body: () => ({ for: 'law' }),
      shape: { ...adminPost, state: 'hidden', hiddenFor: 'law' },
    },
    unhidePost: {
      auth: () => adminToken,
      params: async () => ({ id: await oneMore() }),
      body: () => ({}),
      shape: { ...adminPost, state: 'shown', hiddenFor: null },
    },
    blockMedia: {
      auth: () => adminToken,
      params: async () => ({ sha256: 'e'.repeat(64) }),
      body: () => ({ reason: 'nobody may see it' }),
      status: 204,
      shape: {},
    },
    adminToday: {
      auth: () => adminToken,
      shape: {
        reportsOpen: number,
        hiddenByReports: { today: 0, atMost: 20, isOver: false },
        payments: { unsettled: number, credits: number },
        launches: { unsettled: number, today: number },
        indexBehindMs: number,
        search: null,
        agentsAway: [],
        disk: { freeBytes: number, totalBytes: number, floorBytes: number },
        hours: expect.arrayContaining([
          { from: instant, posts: number, saves: number, failedSaves: number, payments: number },
        ]),
      },
    },
    checkLog: { auth: () => adminToken, shape: { entries: number, faults: [], checkedAt: instant } },
    exportLog: { auth: () => adminToken, shape: {} },
    listPayments: {
      auth: () => adminToken,
      query: 'state=credit',
      shape: { data: [adminPayment], next: null },
    },
    holdCredit: {
      auth: () => adminToken,
      params: anOpenCredit,
      body: () => ({ reason: 'asked for' }),
      shape: { ...adminPayment, state: 'held' },
    },
    releaseCredit: { auth: () => adminToken, params: anOpenCredit, shape: adminPayment },
    markRefunded: {
      auth: () => adminToken,
      params: aHeldCredit,
      body: async () => ({ transaction: await payBackOnce() }),
      shape: { ...adminPayment, state: 'refunded', refund: { transaction: text, at: instant } },
    },
    previewRemoval: {
      auth: () => adminToken,
      body: () => ({ selection: { posts: ['removable'] } }),
      shape: {
        count: 1,
        aliases: 0,
        featured: 0,
        launched: 0,
        sample: [{ _id: hexId, id: 'removable', authorUsername: text, content: text }],
      },
    },
    removePosts: {
      auth: () => adminToken,
      body: () => ({ selection: { posts: ['removable'] }, count: 1, reason: 'asked for' }),
      shape: removal,
    },
    getRemoval: {
      auth: () => adminToken,
      params: async () => ({
        removal: String((await api.context.database.db.collection('removals').findOne({}))?._id),
      }),
      shape: removal,
    },
    listKeys: { auth: () => adminToken, shape: { data: expect.arrayContaining([adminKey]) } },
    makeKey: {
      auth: () => adminToken,
      body: () => ({ name: 'shape', scopes: ['ingest', 'save'], postsPerMinute: 10 }),
      status: 201,
      shape: { id: text, key: text },
    },
    revokeKey: {
      auth: () => adminToken,
      params: async () => ({ key: (await api.context.accounts.agentKeys.create('revoked')).id }),
      status: 204,
      shape: {},
    },
    listLaunches: {
      auth: () => adminToken,
      shape: { data: [expect.objectContaining({ archiveId: hexId, state: 'confirmed', symbol: 'SHAPE' })], next: null },
    },
    launchKey: {
      auth: () => adminToken,
      shape: {
        address: text,
        lamports: text,
        floorLamports: text,
        lamportsEach: text,
        launchesLeft: number,
        daysLeft: number,
      },
    },
    setCategory: {
      auth: () => adminToken,
      params: async () => ({ id: 'credited' }),
      body: () => ({ category: 'tech' }),
      status: 204,
      shape: {},
    },
    cancelSave: {
      auth: () => adminToken,
      params: async () => ({ save: (await request(api.app).get('/amber/saves')).body.data[0]._id as string }),
      body: () => ({ reason: 'too many' }),
      shape: { ...save, state: 'failed', reason: 'cancelled' },
    },
    retrySave: {
      auth: () => adminToken,
      params: async () => ({ save: (await request(api.app).get('/amber/saves')).body.data[0]._id as string }),
      body: () => ({}),
      shape: save,
    },
    listSwitches: {
      auth: () => adminToken,
      shape: {
        data: ['launching', 'featuring'].map((name) => ({
          name,
          isStopped: false,
          by: null,
          reason: null,
          changedAt: null,
        })),
      },
    },
    setSwitch: {
      auth: () => adminToken,
      params: async () => ({ switch: 'featuring' }),
      body: () => ({ isStopped: false }),
      shape: { name: 'featuring', isStopped: false, by: null, reason: null, changedAt: null },
    },
    suspendWallet: {
      auth: () => adminToken,
      params: async () => ({ wallet: suspended.address }),
      body: () => ({ reason: 'spams' }),
      status: 204,
      shape: {},
    },
    listSuspended: {
      auth: () => adminToken,
      shape: { data: [{ wallet: suspended.address, by: admin.address, reason: 'spams', since: instant }] },
    },
    resumeWallet: {
      auth: () => adminToken,
      params: async () => ({ wallet: suspended.address }),
      status: 204,
      shape: {},
    },
    featuringTerms: {
      auth: () => adminToken,
      shape: { mint: text, price: '1', configuredPrice: '1', isSet: false },
    },
    setFeaturePrice: {
      auth: () => adminToken,
      body: () => ({ price: '2.50' }),
      shape: { mint: text, price: '2.5', configuredPrice: '1', isSet: true },
    },
    clearFeaturePrice: {
      auth: () => adminToken,
      shape: { mint: text, price: '1', configuredPrice: '1', isSet: false },
    },
  };

  // Some calls must precede others: a reaction, a launch and a payment precede their lists, and sessions end last.
  const early: EndpointName[] = [
    'createSave',
    'cancelSave',
    'retrySave',
    'launchToken',
    'addReaction',
    'verifyFeature',
    'featureCredits',
    'previewRemoval',
    'removePosts',
    'getRemoval',
    'listPayments',
    'holdCredit',
    'releaseCredit',
    'useFeatureCredits',
    'markRefunded',
    'saveSearch',
    'createCollection',
    'addToCollection',
    'listOperators',
    'makeModerator',
    'suspendWallet',
  ];
  const late: EndpointName[] = [
    'setFeaturePrice',
    'clearFeaturePrice',
    'resumeWallet',
    'dropFromCollection',
    'dropCollection',
    'dropSearch',
    'logout',
    'logoutEverywhere',
  ];
  const rank = (name: EndpointName) => {
    if (early.includes(name)) return early.indexOf(name);
    return late.includes(name) ? 90 + late.indexOf(name) : 50;
  };
  const order = (Object.keys(ENDPOINTS) as EndpointName[]).sort((a, b) => rank(a) - rank(b));

  it.each(order)('%s', async (name) => {
    const endpoint = ENDPOINTS[name];
    const { body, auth, status = 200, shape, params, query = '', isHead } = cases[name];
    const values: Record<string, string> = { id: 'shape', reactionType: 'heart', ...(await params?.()) };
    if (name === 'userReactions') {
      await request(api.app)
        .post('/amber/reactions/shape')
        .set('Authorization', `Bearer ${token}`)
        .send({ reactionType: 'heart' });
    }
    for (const path of [endpoint.path, ...(LEGACY_PATHS[name] ?? [])]) {
      const target = path.replace(/:(\w+)/g, (_, key: string) => values[key] as string);
      const method = isHead ? 'head' : (endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete');
      let call = request(api.app)[method](query === '' ? target : `${target}?${query}`);
      call.set('X-Forwarded-For', clientAddress);
      if (auth) call = call.set('Authorization', `Bearer ${auth()}`);
      const sent = await body?.();
      const answer: Response = await (sent ? call.send(sent) : call);
      expect([target, answer.status, answer.body]).toEqual([target, status, shape]);
      headers.set(name, answer.headers);
      keepSecrets(sent);
      keepSecrets(answer.body);
      if (auth) secrets.add(auth());
      if (name === 'makeKey') secrets.add(answer.body.key);
    }
  });

  it('after all of them each was kept by others as long as it may be, and open to pages of other sites where it should', () => {
    const found: Record<string, string[]> = {};
    for (const name of [...headers.keys()].toSorted()) {
      const {
        'cache-control': kept = 'unsaid',
        'access-control-allow-origin': open = '',
        etag = '',
      } = headers.get(name) ?? {};
      const words = [kept, open && 'open', etag && 'etag'].filter(Boolean).join('; ');
      found[words] = [...(found[words] ?? []), name];
    }
    const written = Object.entries(KEPT_BY_OTHERS).map(([words, names]) => [words, names.trim().split(/\s+/)]);
    const { 'no-store': _forNobodyElse, ...kept } = found;
    expect(kept).toEqual(Object.fromEntries(written));
  });

  it('after all of them each act stands in the log, with what it changed and by which call', async () => {
    const { audit, config, database } = api.context;
    // Entries are written in order, so earlier ones are stored when this one is.
    await audit.record({ actor: { kind: 'command line' }, act: 'end', subject: { kind: 'test', id: 'test' } });
    const acts: Record<string, string> = {};
    for (const { act, actor, subject, before, after, requestId } of await database.db
      .collection('audit')
      .find({ 'actor.kind': { $ne: 'command line' } })
      .toArray()) {
      const told = [before && 'before', after && 'after', requestId && 'call'].filter(Boolean);
      acts[act] = [actor.kind, subject.kind, ...told].join(' ');
    }
    const changes = 'before after call';
    expect(acts).toEqual({
      'block media': `wallet media ${changes}`,
      'cancel save': `wallet save ${changes}`,
      'clear price': `wallet mint ${changes}`,
      'dismiss reports': `wallet post ${changes}`,
      'end removal': 'wallet post after',
      'hide post': `wallet post ${changes}`,
      'hide reported': `wallet post ${changes}`,
      'hold credit': `wallet payment ${changes}`,
      'keep credit': 'system payment after',
      'launch token': 'wallet post after call',
      'make key': 'wallet key after call',
      'make moderator': `wallet wallet ${changes}`,
      'mark refund': `wallet payment ${changes}`,
      'release credit': `wallet payment ${changes}`,
      'remove posts': 'wallet post before call',
      'remove reported': `wallet post ${changes}`,
      'reopen reports': `wallet post ${changes}`,
      'resume wallet': `wallet wallet ${changes}`,
      'retry save': `wallet save ${changes}`,
      'revoke key': `wallet key ${changes}`,
      'set price': `wallet mint ${changes}`,
      'sign in': 'wallet wallet call',
      'suspend wallet': `wallet wallet ${changes}`,
      'unmake moderator': `wallet wallet ${changes}`,
    });
    const { entries = [] } = (await readLedger(ledgerFolder(config.dataDir))) ?? {};
    const kinds = new Set(entries.map(({ kind }) => kind));
    // The log's head is written at irregular times.
    kinds.delete('audit-head');
    expect([...kinds].toSorted().join(' ')).toBe(
      'account-deleted credit hidden key-revoked launch-signed media-blocked moderator-unmade payment ' +
        'refund refund-marked refund-undone removal suspension use',
    );
  });

  it('after all of them no key, token, signature, report or address of a client stands in the log or in metrics', async () => {
    const scrape = await metrics.text();
    for (const path of ['/amber/reports', '/amber/admin/reports/:post/decide'])
      expect(scrape).toContain(`amber_requests_total{route="${path}"`);
    expect([...secrets]).toEqual(expect.arrayContaining([key, reporter.words, adminToken]));
    const log = logged.join('');
    expect(log).toContain('"/amber/auth/profile"');
    for (const text of [log, scrape]) {
      const leaked = [...secrets].filter((secret) => text.includes(secret));
      expect(leaked.map((secret) => [secret, text.slice(text.indexOf(secret) - 200).slice(0, 300)])).toEqual([]);
    }
  });
});
