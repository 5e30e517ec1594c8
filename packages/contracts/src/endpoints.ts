import { PRODUCT_SLUG } from './product.ts';

export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** Older paths that reach the same handler. */
  legacy?: readonly string[];
}

const base = `/${PRODUCT_SLUG}`;

/** Every call, once. Literal paths stand before those with `:id`, so that they win. */
export const ENDPOINTS = {
  config: { method: 'GET', path: `${base}/config` },
  listArchives: { method: 'GET', path: `${base}/archives`, legacy: [`/launches${base}`] },
  exportArchives: { method: 'GET', path: `${base}/archives/export` },
  ingestArchives: { method: 'POST', path: `${base}/archives` },
  getArchive: { method: 'GET', path: `${base}/archives/:id` },
  analytics: { method: 'GET', path: `${base}/analytics`, legacy: [`/launches${base}/analytics`] },
  launchInfo: { method: 'GET', path: '/launches/:id' },
  challenge: { method: 'POST', path: `${base}/auth/challenge`, legacy: ['/solana-auth/challenge'] },
  verify: { method: 'POST', path: `${base}/auth/verify`, legacy: ['/solana-auth/verify'] },
  me: { method: 'GET', path: `${base}/auth/me`, legacy: ['/solana-auth/me'] },
  logout: { method: 'POST', path: `${base}/auth/logout` },
  updateProfile: { method: 'PUT', path: `${base}/auth/profile` },
  updateProfileSigned: { method: 'PUT', path: `${base}/auth/profile/signature` },
  updatePreferences: { method: 'PUT', path: `${base}/auth/preferences` },
  userReactions: { method: 'GET', path: `${base}/reactions/user`, legacy: ['/archives/reactions/user'] },
  getReactions: { method: 'GET', path: `${base}/reactions/:id`, legacy: ['/archives/reactions/:id'] },
  /** Who gave what, so that anybody can count again. */
  listReactions: { method: 'GET', path: `${base}/reactions/:id/wallets` },
  addReaction: { method: 'POST', path: `${base}/reactions/:id`, legacy: ['/archives/reactions/:id'] },
  removeReaction: {
    method: 'DELETE',
    path: `${base}/reactions/:id/:reactionType`,
    legacy: ['/archives/reactions/:id/:reactionType'],
  },
  addReactionSigned: {
    method: 'POST',
    path: `${base}/reactions/:id/signature`,
    legacy: ['/archives/reactions/:id/signature'],
  },
  removeReactionSigned: {
    method: 'POST',
    path: `${base}/reactions/:id/:reactionType/signature/remove`,
    legacy: ['/archives/reactions/:id/:reactionType/signature/remove'],
  },
  launchToken: { method: 'POST', path: `${base}/token`, legacy: ['/launch/token'] },
  checkToken: { method: 'GET', path: `${base}/token/check/:id`, legacy: ['/launch/token/check/:id'] },
  userTokens: { method: 'GET', path: `${base}/token/user`, legacy: ['/launch/token/user'] },
  /** What a token says of itself, by its mint; both never change. */
  tokenMetadata: { method: 'GET', path: `${base}/token/:mint/metadata.json` },
  tokenImage: { method: 'GET', path: `${base}/token/:mint/image.png` },
  featureWallet: { method: 'GET', path: `${base}/feature/wallet`, legacy: ['/feature/wallet'] },
  verifyFeature: { method: 'POST', path: `${base}/feature/verify`, legacy: ['/feature/verify'] },
  featureCredits: { method: 'GET', path: `${base}/feature/credits` },
  useFeatureCredits: { method: 'POST', path: `${base}/feature/credits/use` },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof ENDPOINTS;

/** Words that are literal segments of a route and so can never be a post's id. */
export const RESERVED_IDS: ReadonlySet<string> = new Set([
  PRODUCT_SLUG,
  'analytics',
  'archives',
  'auth',
  'challenge',
  'check',
  'config',
  'credits',
  'export',
  'feature',
  'image.png',
  'launch',
  'launches',
  'logout',
  'me',
  'metadata.json',
  'preferences',
  'profile',
  'reactions',
  'remove',
  'signature',
  'solana-auth',
  'token',
  'use',
  'user',
  'verify',
  'wallets',
  'wallet',
]);

/** Paths the web answers with its own page; everything else is the API's or a file. */
export const WEB_ROUTES = ['/', '/post/:id', '/author/:handle', '/dashboard'] as const;
