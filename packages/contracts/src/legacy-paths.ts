import type { EndpointName } from './endpoints.ts';
import { API_BASE } from './product.ts';

/**
 * Older paths of calls, which reach the same handlers. The page does not use them, so its bundle does not contain them.
 */
export const LEGACY_PATHS: { readonly [N in EndpointName]?: readonly string[] } = {
  listArchives: [`/launches${API_BASE}`],
  analytics: [`/launches${API_BASE}/analytics`],
  challenge: ['/solana-auth/challenge'],
  verify: ['/solana-auth/verify'],
  me: ['/solana-auth/me'],
  userReactions: ['/archives/reactions/user'],
  getReactions: ['/archives/reactions/:id'],
  addReaction: ['/archives/reactions/:id'],
  removeReaction: ['/archives/reactions/:id/:reactionType'],
  addReactionSigned: ['/archives/reactions/:id/signature'],
  removeReactionSigned: ['/archives/reactions/:id/:reactionType/signature/remove'],
  launchToken: ['/launch/token'],
  checkToken: ['/launch/token/check/:id'],
  userTokens: ['/launch/token/user'],
  featureWallet: ['/feature/wallet'],
  verifyFeature: ['/feature/verify'],
};
