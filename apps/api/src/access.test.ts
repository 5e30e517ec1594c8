import { ENDPOINTS, type EndpointName } from '@archive/contracts';
import { expect, test } from '@jest/globals';
import { ROUTES } from './routes.ts';

/** Written by hand: who may make a call is decided here once more, so that no slip in a room's routes decides it. */
const WHO_MAY: Record<string, string> = {
  anyone: `
    analytics challenge config createReport embed explore exportArchives featureWallet feedAtom feedJson
    feedRss getArchive getAuthor getNeighbours getReactions getSave getThread health launchInfo
    listArchives listReactions live llms mediaFile mediaPreview oembed openApi random ready robots
    securityTxt sharePicture sitemap sitemapPart suggest timeline tokenImage tokenMetadata verify
  `,
  visitor: 'checkToken exportCollection getCollection getReport listSaves',
  session: `
    addBrowser addReaction addToCollection changeCollection changeNoticeSettings changeSearch
    createCollection dropBrowser dropCollection dropFromCollection dropSearch exportAccount
    featureCredits getAccount launchToken listCollections listNotices listSearches logout
    logoutEverywhere me noticeSettings paidPosts readNotices removeReaction saveSearch takeBackSave
    updatePreferences updateProfile useFeatureCredits userReactions userTokens verifyFeature
  `,
  signature: 'addReactionSigned deleteAccount removeReactionSigned updateProfileSigned',
  'session or agent key, save': 'createSave',
  'agent key, ingest': 'ingestArchives',
  'operator, moderator': `
    adminMe adminToday cancelSave decideReport getAdminPost hidePost listReports listSwitches
    reopenReport retrySave setCategory unhidePost
  `,
  'operator, admin': `
    checkLog clearFeaturePrice exportLog featuringTerms getRemoval holdCredit launchKey listKeys
    listLaunches listLog listOperators listPayments listSuspended previewRemoval releaseCredit
    resumeWallet setFeaturePrice setSwitch suspendWallet
  `,
  'operator, admin, signed in just now':
    'blockMedia makeKey makeModerator markRefunded removePosts removeReported revokeKey unmakeModerator',
};

test('who may make a call is as it is written down', () => {
  const found: Record<string, string[]> = {};
  for (const name of Object.keys(ENDPOINTS) as EndpointName[]) {
    const route = ROUTES[name];
    const words: string[] = [route.access];
    if ('scope' in route) words.push(route.scope);
    if (route.access === 'operator') words.push(route.role, ...(route.isFresh ? ['signed in just now'] : []));
    const who = words.join(', ');
    found[who] = [...(found[who] ?? []), name].toSorted();
  }
  const written = Object.entries(WHO_MAY).map(([who, names]) => [who, names.trim().split(/\s+/)]);
  expect(found).toEqual(Object.fromEntries(written));
});
