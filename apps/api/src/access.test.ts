import { ENDPOINTS, type EndpointName } from '@archive/contracts';
import { expect, test } from '@jest/globals';
import { addressBudgetOf } from './http/route.ts';
import { ROUTES } from './routes.ts';

/** Who may make each call. Written by hand as a second decision, so that an error in the routes fails this test. */
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
  const calls = found((route) => {
    const words: string[] = [route.access];
    if ('scope' in route) words.push(route.scope);
    if (route.access === 'operator') words.push(route.role, ...(route.isFresh ? ['signed in just now'] : []));
    return [words.join(', ')];
  });
  expect(calls).toEqual(listed(WHO_MAY));
});

/** The rate limit of each call, and how it is counted. Written by hand as well. */
const WITH_BUDGETS: Record<string, string> = {
  'address challenge': 'challenge',
  'address crawl': 'embed feedAtom feedJson feedRss oembed sharePicture sitemap sitemapPart',
  'address launch': 'launchToken',
  'address payment': 'useFeatureCredits verifyFeature',
  'address read': 'checkToken getCollection getThread launchInfo listReactions listSaves',
  'address report': 'createReport',
  'address reportStatus': 'getReport',
  'address save': 'createSave',
  'address session': `
    addBrowser addReaction addToCollection changeCollection changeNoticeSettings changeSearch createCollection
    dropBrowser dropCollection dropFromCollection dropSearch exportAccount featureCredits getAccount
    listCollections listNotices listSearches logout logoutEverywhere noticeSettings paidPosts readNotices
    removeReaction saveSearch takeBackSave updatePreferences updateProfile userReactions userTokens
  `,
  'address signed': 'addReactionSigned deleteAccount removeReactionSigned updateProfileSigned',
  'address verify': 'verify',
  'network reaction': 'addReaction addReactionSigned removeReaction removeReactionSigned',
  'network reportNetwork': 'createReport',
  'wallet change': `
    addBrowser addReaction addReactionSigned addToCollection changeCollection changeNoticeSettings changeSearch
    createCollection deleteAccount dropBrowser dropCollection dropFromCollection dropSearch readNotices
    removeReaction removeReactionSigned saveSearch takeBackSave updatePreferences updateProfile
    updateProfileSigned useFeatureCredits
  `,
  'wallet launch': 'launchToken',
  'wallet list': `
    exportAccount featureCredits getAccount listCollections listSearches noticeSettings paidPosts userReactions
    userTokens
  `,
  'wallet notices': 'listNotices',
  'wallet payment': 'verifyFeature',
  'wallet save': 'createSave',
};

const ANSWERED: Record<string, string> = {
  'costs 25': 'sitemapPart',
  'is kept until the archive changes':
    'analytics explore feedAtom feedJson feedRss getAuthor getNeighbours listArchives suggest timeline',
  'tells refusals in words of its own': 'embed feedAtom feedJson feedRss',
  'waits for the index': `
    analytics changeSearch explore exportArchives feedAtom feedJson feedRss getAuthor getNeighbours
    listArchives listNotices listSearches random saveSearch sitemap sitemapPart suggest timeline
  `,
};

function listed(written: Record<string, string>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(written).map(([what, names]) => [what, names.trim().split(/\s+/)]));
}

function found(wordsOf: (route: (typeof ROUTES)[EndpointName]) => string[]): Record<string, string[]> {
  const all: Record<string, string[]> = {};
  for (const name of (Object.keys(ENDPOINTS) as EndpointName[]).toSorted())
    for (const words of wordsOf(ROUTES[name])) all[words] = [...(all[words] ?? []), name];
  return all;
}

test('what a call costs its caller is as it is written down', () => {
  const budgets = found((route) => {
    const address = addressBudgetOf(route);
    return [
      ...(address ? [`address ${address}`] : []),
      ...('networkBudget' in route ? [`network ${route.networkBudget}`] : []),
      ...('walletBudget' in route ? [`wallet ${route.walletBudget}`] : []),
    ];
  });
  expect(budgets).toEqual(listed(WITH_BUDGETS));
});

test('what is kept, waits for the index, or tells refusals otherwise is as it is written down', () => {
  const answered = found((route) => [
    ...('addressCost' in route ? [`costs ${route.addressCost}`] : []),
    ...('isCached' in route ? ['is kept until the archive changes'] : []),
    ...('refusal' in route ? ['tells refusals in words of its own'] : []),
    ...('needsIndex' in route ? ['waits for the index'] : []),
  ]);
  expect(answered).toEqual(listed(ANSWERED));
});
