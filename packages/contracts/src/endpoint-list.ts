import { API_BASE } from './product.ts';

/**
 * Every call, once: what may come in stands in `schemas/inputs.ts`, what goes out in `schemas/answers.ts`. `:name` stands
 * for one segment; a literal segment wins over it, whatever the order here. Used as `ENDPOINTS`: a list of exports and no
 * object, so that a script which names a few of them carries no others.
 */
export const health = { method: 'GET', path: '/health' } as const;
export const ready = { method: 'GET', path: '/ready' } as const;
export const openApi = { method: 'GET', path: '/openapi.json' } as const;
export const securityTxt = { method: 'GET', path: '/.well-known/security.txt' } as const;
export const robots = { method: 'GET', path: '/robots.txt' } as const;
export const llms = { method: 'GET', path: '/llms.txt' } as const;
export const sitemap = { method: 'GET', path: '/sitemap.xml' } as const;
export const sitemapPart = { method: 'GET', path: '/sitemap/:part' } as const;
export const feedAtom = { method: 'GET', path: '/feed.atom' } as const;
export const feedRss = { method: 'GET', path: '/feed.rss' } as const;
export const feedJson = { method: 'GET', path: '/feed.json' } as const;
export const oembed = { method: 'GET', path: '/oembed' } as const;
export const embed = { method: 'GET', path: '/embed/:id' } as const;
export const sharePicture = { method: 'GET', path: '/share/:id' } as const;
export const config = { method: 'GET', path: `${API_BASE}/config` } as const;
export const listArchives = { method: 'GET', path: `${API_BASE}/archives` } as const;
export const exportArchives = { method: 'GET', path: `${API_BASE}/archives/export` } as const;
export const ingestArchives = { method: 'POST', path: `${API_BASE}/archives` } as const;
export const getArchive = { method: 'GET', path: `${API_BASE}/archives/:id` } as const;
export const getThread = { method: 'GET', path: `${API_BASE}/archives/:id/thread` } as const;
export const getNeighbours = { method: 'GET', path: `${API_BASE}/archives/:id/neighbours` } as const;
export const createSave = { method: 'POST', path: `${API_BASE}/saves` } as const;
export const listSaves = { method: 'GET', path: `${API_BASE}/saves` } as const;
export const getSave = { method: 'GET', path: `${API_BASE}/saves/:save` } as const;
export const live = { method: 'GET', path: `${API_BASE}/live` } as const;
export const suggest = { method: 'GET', path: `${API_BASE}/suggest` } as const;
export const timeline = { method: 'GET', path: `${API_BASE}/timeline` } as const;
export const getAuthor = { method: 'GET', path: `${API_BASE}/authors/:handle` } as const;
export const analytics = { method: 'GET', path: `${API_BASE}/analytics` } as const;
export const explore = { method: 'GET', path: `${API_BASE}/explore` } as const;
export const random = { method: 'GET', path: `${API_BASE}/random` } as const;
export const launchInfo = { method: 'GET', path: '/launches/:id' } as const;
export const challenge = { method: 'POST', path: `${API_BASE}/auth/challenge` } as const;
export const verify = { method: 'POST', path: `${API_BASE}/auth/verify` } as const;
export const me = { method: 'GET', path: `${API_BASE}/auth/me` } as const;
export const logout = { method: 'POST', path: `${API_BASE}/auth/logout` } as const;
export const logoutEverywhere = { method: 'POST', path: `${API_BASE}/auth/logout/everywhere` } as const;
export const updateProfile = { method: 'PUT', path: `${API_BASE}/auth/profile` } as const;
export const updateProfileSigned = { method: 'PUT', path: `${API_BASE}/auth/profile/signature` } as const;
export const updatePreferences = { method: 'PUT', path: `${API_BASE}/auth/preferences` } as const;
export const getAccount = { method: 'GET', path: `${API_BASE}/account` } as const;
export const exportAccount = { method: 'GET', path: `${API_BASE}/account/export` } as const;
export const deleteAccount = { method: 'POST', path: `${API_BASE}/account/delete` } as const;
export const userReactions = { method: 'GET', path: `${API_BASE}/reactions/user` } as const;
export const getReactions = { method: 'GET', path: `${API_BASE}/reactions/:id` } as const;
export const listReactions = { method: 'GET', path: `${API_BASE}/reactions/:id/wallets` } as const;
export const addReaction = { method: 'POST', path: `${API_BASE}/reactions/:id` } as const;
export const removeReaction = { method: 'DELETE', path: `${API_BASE}/reactions/:id/:reactionType` } as const;
export const addReactionSigned = { method: 'POST', path: `${API_BASE}/reactions/:id/signature` } as const;
export const removeReactionSigned = {
  method: 'POST',
  path: `${API_BASE}/reactions/:id/:reactionType/signature/remove`,
} as const;
export const launchToken = { method: 'POST', path: `${API_BASE}/token` } as const;
export const checkToken = { method: 'GET', path: `${API_BASE}/token/check/:id` } as const;
export const userTokens = { method: 'GET', path: `${API_BASE}/token/user` } as const;
export const tokenMetadata = { method: 'GET', path: `${API_BASE}/token/:mint/metadata.json` } as const;
export const tokenImage = { method: 'GET', path: `${API_BASE}/token/:mint/image.png` } as const;
export const listSearches = { method: 'GET', path: `${API_BASE}/searches` } as const;
export const saveSearch = { method: 'POST', path: `${API_BASE}/searches` } as const;
export const changeSearch = { method: 'PUT', path: `${API_BASE}/searches/:savedSearch` } as const;
export const dropSearch = { method: 'DELETE', path: `${API_BASE}/searches/:savedSearch` } as const;
export const listNotices = { method: 'GET', path: `${API_BASE}/notices` } as const;
export const readNotices = { method: 'PUT', path: `${API_BASE}/notices/read` } as const;
export const noticeSettings = { method: 'GET', path: `${API_BASE}/notices/settings` } as const;
export const changeNoticeSettings = { method: 'PUT', path: `${API_BASE}/notices/settings` } as const;
export const addBrowser = { method: 'PUT', path: `${API_BASE}/notices/browsers` } as const;
export const dropBrowser = { method: 'DELETE', path: `${API_BASE}/notices/browsers/:browser` } as const;
export const listCollections = { method: 'GET', path: `${API_BASE}/collections` } as const;
export const createCollection = { method: 'POST', path: `${API_BASE}/collections` } as const;
export const getCollection = { method: 'GET', path: `${API_BASE}/collections/:collection` } as const;
export const changeCollection = { method: 'PUT', path: `${API_BASE}/collections/:collection` } as const;
export const dropCollection = { method: 'DELETE', path: `${API_BASE}/collections/:collection` } as const;
export const exportCollection = { method: 'GET', path: `${API_BASE}/collections/:collection/export` } as const;
export const addToCollection = { method: 'PUT', path: `${API_BASE}/collections/:collection/posts/:id` } as const;
export const dropFromCollection = { method: 'DELETE', path: `${API_BASE}/collections/:collection/posts/:id` } as const;
export const paidPosts = { method: 'GET', path: `${API_BASE}/feature/payments` } as const;
export const featureWallet = { method: 'GET', path: `${API_BASE}/feature/wallet` } as const;
export const verifyFeature = { method: 'POST', path: `${API_BASE}/feature/verify` } as const;
export const featureCredits = { method: 'GET', path: `${API_BASE}/feature/credits` } as const;
export const useFeatureCredits = { method: 'POST', path: `${API_BASE}/feature/credits/use` } as const;
export const mediaFile = { method: 'GET', path: '/media/:sha256' } as const;
export const mediaPreview = { method: 'GET', path: '/media/:sha256/preview' } as const;
