import { rmSync } from 'node:fs';
import { CATEGORIES, type Explore, type Post, primaryLanguage } from '@archive/contracts';
import { generatePosts, seeded, withMedia } from '@archive/testing/generate-posts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { ownWork } from '../src/clients.ts';
import { ingestPosts } from '../src/ingest/ingest-posts.ts';
import { getRandom } from '../src/posts/get-random.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';
import { makeWebDir } from './_web-dir.ts';

const DAY_MS = 86_400_000;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

describe('ways into the archive', () => {
  let api: TestApi;
  let now = Date.parse('2026-02-28T23:59:58.500Z');

  beforeAll(async () => {
    api = await startTestApi({ overrides: { now: () => now } });
    const chance = seeded(5);
    // Posts of three years: some on this day in other years, some with a language, one in the future.
    const generated = [...withMedia(generatePosts(2_000, 3))].map((post, index) => {
      const ago = index % 10 === 0 ? [365, 730, 1096][index % 3] : chance() * 1_000;
      return {
        ...post,
        timestamp: new Date(now - (ago ?? 0) * DAY_MS + (index === 7 ? 90 * DAY_MS : 0)).toISOString(),
        savedAt: new Date(now - Math.floor(chance() * 300) * DAY_MS).toISOString(),
        ...(index % 4 === 0 && { category: null }),
        // Handles in two spellings. The newest post's spelling is shown, and many posts share one time.
        ...(index % 2 === 0 && { authorUsername: post.authorUsername.toUpperCase() }),
        ...(index % 3 === 0 && { language: ['en', 'pt-BR', 'tlh', 'iw', 'fr'][index % 5] }),
      };
    });
    await ingestPosts(api.context, generated.slice(0, 1_000), { tellsOrigin: true });
    await ingestPosts(api.context, generated.slice(1_000), { tellsOrigin: true });
    const { reactions, posts } = api.context;
    const given = (await kept()).slice(0, 300).flatMap(({ _id }, index) =>
      Array.from({ length: 1 + (index % 4) }, (_, wallet) => ({
        post: new ObjectId(_id),
        wallet: `wallet${wallet}`,
        type: 'heart' as const,
        isOn: true,
        at: new Date(now),
      })),
    );
    await reactions.store.set(given);
    const ids = given.map(({ post }) => post);
    await posts.store.noteReactions(ids);
    await posts.follower.take({ kind: 'filled', ids });
  });

  afterAll(() => api.close());

  async function kept(): Promise<Post[]> {
    const text = await (await fetch(`${api.url}/amber/archives/export?format=ndjson`)).text();
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Post);
  }

  async function explore(): Promise<Explore> {
    const answer = await fetch(`${api.url}/amber/explore`, { headers: { 'Accept-Encoding': 'identity' } });
    if (answer.status !== 200) throw new Error(await answer.text());
    return (await answer.json()) as Explore;
  }

  function reference(posts: readonly Post[]): Omit<Explore, 'activeAuthors' | 'newAuthors' | 'week' | 'onThisDay'> {
    const monthOf = ({ timestamp }: Post) => timestamp.slice(0, 7);
    const months = [
      ...new Set(
        posts.filter((post) => post.category !== null && monthOf(post) <= dayOf(now).slice(0, 7)).map(monthOf),
      ),
    ].sort();
    const languages = new Map<string, number>();
    for (const { language } of posts) {
      const primary = language && primaryLanguage(language);
      if (primary) languages.set(primary, (languages.get(primary) ?? 0) + 1);
    }
    return {
      total: posts.length,
      authors: new Set(posts.map((post) => post.authorUsername.toLowerCase())).size,
      keptSince: posts.map(({ savedAt }) => savedAt).sort()[0] as string,
      writtenSince: posts.map(monthOf).sort()[0] as string,
      months,
      categories: CATEGORIES.map((category) => {
        const own = posts.filter((post) => post.category === category);
        return {
          category,
          count: own.length,
          months: months.map((name) => own.filter((post) => monthOf(post) === name).length),
        };
      })
        .filter(({ count }) => count > 0)
        .sort((one, other) => other.count - one.count || (one.category < other.category ? -1 : 1)),
      uncategorized: posts.filter(({ category }) => category === null).length,
      languages: [...languages]
        .map(([language, count]) => ({ language, count }))
        .sort((one, other) => other.count - one.count || (one.language < other.language ? -1 : 1)),
      withoutLanguage: posts.filter(({ language }) => language === null).length,
    };
  }

  /** Authors by lower-case handle: number of posts, first save, and the newest post. */
  function authorsOf(posts: readonly Post[]) {
    const authors = new Map<string, { posts: number; since: string; newest: Post }>();
    const place = ({ timestamp, _id }: Post) => timestamp + _id;
    for (const post of posts) {
      const handle = post.authorUsername.toLowerCase();
      const held = authors.get(handle) ?? { posts: 0, since: post.savedAt, newest: post };
      authors.set(handle, {
        posts: held.posts + 1,
        since: [post.savedAt, held.since].sort()[0] as string,
        newest: place(post) > place(held.newest) ? post : held.newest,
      });
    }
    return [...authors];
  }

  async function expectLikeReference(): Promise<void> {
    const [answer, posts] = [await explore(), await kept()];
    const { activeAuthors, newAuthors, week, onThisDay, ...counts } = answer;
    expect(counts).toEqual(reference(posts));
    const authors = authorsOf(posts);
    const most = authors.sort(([one, a], [other, b]) => b.posts - a.posts || (one < other ? -1 : 1)).slice(0, 6);
    expect(activeAuthors.map(({ username, count }) => [username, count])).toEqual(
      most.map(([, { posts, newest }]) => [newest.authorUsername, posts]),
    );
    const newest = authors
      .sort(([one, a], [other, b]) => (a.since === b.since ? (one > other ? -1 : 1) : a.since > b.since ? -1 : 1))
      .slice(0, 6);
    expect(newAuthors.map(({ username, count, since }) => [username, count, since])).toEqual(
      newest.map(([, { posts, since, newest }]) => [newest.authorUsername, posts, since]),
    );
    const reactionsOf = ({ reactions }: Post) => reactions.heart + reactions.thumbsUp + reactions.thumbsDown;
    const inOrder = (some: Post[]) =>
      some.sort((one, other) => reactionsOf(other) - reactionsOf(one) || (one._id < other._id ? -1 : 1));
    const isIn = (from: string, to: string) => (post: Post) =>
      post.timestamp.slice(0, 10) >= from && post.timestamp.slice(0, 10) <= to;
    expect([week.from, week.to]).toEqual([dayOf(now - 6 * DAY_MS), dayOf(now)]);
    expect(week.posts.map(({ _id }) => _id)).toEqual(
      inOrder(posts.filter((post) => isIn(week.from, week.to)(post) && reactionsOf(post) > 0))
        .slice(0, 3)
        .map(({ _id }) => _id),
    );
    const sameDay = (post: Post) =>
      post.timestamp.slice(4, 10) === dayOf(now).slice(4) && post.timestamp.slice(0, 4) < dayOf(now).slice(0, 4);
    const others = posts.filter(sameDay);
    expect([onThisDay.day, onThisDay.count]).toEqual([dayOf(now), others.length]);
    expect(onThisDay.years).toEqual(
      [...new Set(others.map(({ timestamp }) => timestamp.slice(0, 10)))]
        .sort()
        .reverse()
        .map((day) => {
          const own = inOrder(others.filter((post) => isIn(day, day)(post)));
          return { day, count: own.length, post: own[0] };
        }),
    );
  }

  it('counts as plain counting over all posts does, and shows of each list the right ones', async () => {
    await expectLikeReference();
    const { week, onThisDay, newAuthors, languages } = await explore();
    expect([week.posts.length, onThisDay.years.length, newAuthors.length]).toEqual([3, 3, 6]);
    expect(languages.map(({ language }) => language)).toEqual(expect.arrayContaining(['he', 'pt', 'tlh']));
  });

  it('counts a removed post nowhere any more, and its author from the first post that is left', async () => {
    const before = await explore();
    const posts = await kept();
    const first = before.newAuthors[0];
    const gone = [
      ...before.week.posts,
      ...before.onThisDay.years.map(({ post }) => post),
      // All posts of the newest author, and the first of each other one.
      ...posts.filter(({ authorUsername }) => authorUsername.toLowerCase() === first?.username.toLowerCase()),
      ...before.activeAuthors.flatMap(
        ({ username }) =>
          posts
            .filter(({ authorUsername }) => authorUsername.toLowerCase() === username.toLowerCase())
            .sort((one, other) => (one.savedAt < other.savedAt ? -1 : 1))[0] ?? [],
      ),
    ];
    const ids = [...new Set(gone.map(({ _id }) => _id))].map((id) => new ObjectId(id));
    for (const id of ids) await api.context.posts.store.remove(id);
    expect((await explore()).total).toBe(before.total - ids.length);
    await expectLikeReference();
  });

  it('takes a post that changes as it is now', async () => {
    const { week } = await explore();
    const [post] = week.posts as [Post];
    await api.context.posts.store.setFeatured(new ObjectId(post._id), true);
    await expectLikeReference();
  });

  it('answers of the new day once the clock has passed midnight, though nothing in the archive has changed', async () => {
    const first = await fetch(`${api.url}/amber/explore`);
    const etag = first.headers.get('etag') as string;
    const again = await fetch(`${api.url}/amber/explore`, { headers: { 'If-None-Match': etag } });
    expect([first.headers.get('cache-control'), again.status]).toEqual(['no-cache', 304]);
    now += 2_000;
    // Cached answers last a second by another clock.
    api.context.posts.responses.forget();
    const next = await fetch(`${api.url}/amber/explore`, { headers: { 'If-None-Match': etag } });
    expect(next.status).toBe(200);
    expect(((await next.json()) as Explore).onThisDay.day).toBe('2026-03-01');
    await expectLikeReference();
  });

  it('finds a 29th of February in leap years alone', async () => {
    now = Date.parse('2028-02-29T12:00:00Z');
    await api.add(
      ...['2024-02-29', '2020-02-29', '2025-03-01', '2025-02-28'].map((day) =>
        newPost({ timestamp: `${day}T10:00:00Z`, content: `leap ${day}` }),
      ),
    );
    expect((await explore()).onThisDay.years.map(({ day }) => day)).toEqual(['2024-02-29', '2020-02-29']);
  });

  it('meets every post by chance, each as likely as the others, and no removed one', async () => {
    const posts = await kept();
    const asker = { client: ownWork('test') };
    // Evenly spaced values reach a different post each.
    const met = new Map<string, number>();
    const step = 1 / posts.length;
    for (let at = 0; at < posts.length; at += 17) {
      const { _id } = await getRandom(api.context, asker, () => (at + 0.5) * step);
      met.set(_id, (met.get(_id) ?? 0) + 1);
    }
    expect(met.size).toBe(Math.ceil(posts.length / 17));
    expect([...met.keys()].every((id) => posts.some(({ _id }) => _id === id))).toBe(true);
    const ends = [0, 1 - Number.EPSILON].map((place) => getRandom(api.context, asker, () => place));
    const inOrder = posts.map(({ timestamp }) => timestamp).sort();
    expect((await Promise.all(ends)).map(({ timestamp }) => timestamp)).toEqual([inOrder[0], inOrder.at(-1)]);
  });

  it('lets nothing on the way keep a random post', async () => {
    const response = await fetch(`${api.url}/amber/random`);
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  });
});

describe('the page of ways into the archive, for readers without scripts', () => {
  const webDir = makeWebDir();
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi({
      env: { WEB_DIR: webDir, PUBLIC_URL: 'https://amber.example', RATE_LIMITS: 'off' },
      overrides: { now: () => Date.parse('2026-11-24T12:00:00Z') },
    });
  });

  afterAll(async () => {
    await api.close();
    rmSync(webDir, { recursive: true });
  });

  it('says that there is nothing, and where to go, while nothing is kept', async () => {
    const html = await (await fetch(`${api.url}/explore`)).text();
    expect(html).toContain('<p>Amber holds no post yet.</p><p><a href="/">');
  });

  it('names and describes itself, leads to every list, and runs no words of others', async () => {
    await api.add(
      newPost({ author: '<b>Ada</b>', authorUsername: 'ada"b', category: 'news', language: 'pt-BR' }),
      newPost({ content: '<i>on this day</i>', category: 'meme', timestamp: '2024-11-24T10:00:00Z' }),
    );
    const response = await fetch(`${api.url}/explore`);
    const html = await response.text();
    expect(response.status).toBe(200);
    for (const words of [
      '<title>Explore, Amber</title>',
      '<link rel="canonical" href="https://amber.example/explore"',
      '<meta property="og:title" content="Explore, Amber" />',
      '<meta name="description" content="Ways through 2 posts kept word for word',
      '<a href="/?category=news"><bdi>news</bdi></a> 1',
      '<a href="/?language=pt"><bdi>Portuguese</bdi></a> 1',
      '<a href="/?startDate=2024-11-24&amp;endDate=2024-11-24"><bdi>2024-11-24</bdi></a> 1',
      '<a href="/author/ada%22b"><bdi>&lt;b&gt;Ada&lt;/b&gt;</bdi></a> 1',
      '&lt;i&gt;on this day&lt;/i&gt;',
    ]) {
      expect(html).toContain(words);
    }
    expect(html).not.toMatch(/<b>|<i>/);
  });

  it('stands in the sitemap', async () => {
    const part = await (await fetch(`${api.url}/sitemap/${'0'.repeat(24)}.xml`)).text();
    expect(part).toContain('<url><loc>https://amber.example/explore</loc></url>');
  });
});

describe('an archive without posts', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api.close());

  it('has no way in, and says so', async () => {
    const explore = (await (await fetch(`${api.url}/amber/explore`)).json()) as Explore;
    expect(explore).toMatchObject({ total: 0, authors: 0, keptSince: null, categories: [], languages: [] });
    expect(explore).toMatchObject({ months: [], writtenSince: null });
    const random = await fetch(`${api.url}/amber/random`);
    expect([random.status, ((await random.json()) as { message: string }).message]).toEqual([
      404,
      'The archive holds no post yet.',
    ]);
  });
});
