import {
  type Analytics,
  type ArchivePage,
  type Author,
  type Explore,
  type Post,
  SORT_FIELDS,
  SORT_ORDERS,
  type Suggestions,
} from '@archive/contracts';
import { generatePosts, seeded, withMedia } from '@archive/testing/generate-posts';
import { cases, SERIES_MS } from '@archive/tiers';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { ownWork } from '../src/clients.ts';
import { ingestPosts } from '../src/ingest/ingest-posts.ts';
import { getRandom } from '../src/posts/get-random.ts';
import { type Query, ReferenceArchive } from './_reference-archive.ts';
import { ReferenceFigures, ReferenceWalk } from './_reference-figures.ts';
import { startTestApi, type TestApi } from './_test-api.ts';

const GENERATED = cases({ quick: 350, full: 3_000, cluster: 120 });
const AUTHORS = cases({ quick: 40, full: 200, cluster: 20 });
const TYPED = cases({ quick: 15, full: 150, cluster: 4 });
const CLOCKS = cases({ quick: 80, full: 400, cluster: 20 });
const WALKED = cases({ quick: 90, full: 700, cluster: 40 });
const PAGE = cases({ quick: 17, full: 41 });
/** Every n-th post is also requested by itself. */
const STEP = cases({ quick: 12, full: 1, cluster: 40 });
/** Every n-th filter is used in each order. */
const FILTER_STEP = cases({ quick: 2, full: 1 });
/** More months than the answer contains. */
const MONTHS = 640;
/** Newest posts of all authors, all at one time. */
const LAST = 2 * AUTHORS;
/** More posts on one day than the reader scans of the newest ones. */
const FLOOD = 520;
/** Every n-th post is removed. */
const GONE = 30;
const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-02-28T23:59:58.500Z');
const FLOODED = Date.parse('2025-06-15T08:00:00Z');

const at = (day: string) => Date.parse(`${day}T12:00:00.000Z`);

async function read<Answer>(api: TestApi, path: string): Promise<Answer> {
  const response = await fetch(api.url + path, { headers: { 'Accept-Encoding': 'identity' } });
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

async function kept(api: TestApi): Promise<Post[]> {
  const response = await fetch(`${api.url}/amber/archives/export?format=ndjson`);
  const lines = (await response.text()).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Post);
}

async function save(api: TestApi, posts: readonly object[]): Promise<void> {
  for (let from = 0; from < posts.length; from += 250) {
    const report = await ingestPosts(api.context, posts.slice(from, from + 250), { tellsOrigin: true });
    if (report.created !== Math.min(250, posts.length - from)) throw new Error(JSON.stringify(report).slice(0, 500));
  }
}

/** Adds or removes reactions and updates the index. */
async function react(api: TestApi, given: { id: string; wallet: number; isOn: boolean }[]): Promise<void> {
  const { reactions, posts } = api.context;
  const types = ['heart', 'thumbsUp', 'thumbsDown'] as const;
  const settings = given.map(({ id, wallet, isOn }) => ({
    post: new ObjectId(id),
    wallet: `wallet${wallet}`,
    type: types[wallet % 3] as (typeof types)[number],
    isOn,
    at: new Date(NOW),
  }));
  await reactions.store.set(settings);
  const ids = settings.map(({ post }) => post);
  await posts.store.noteReactions(ids);
  await posts.follower.take({ kind: 'filled', ids });
}

/** Changes posts that share their time with others, last first, and removes some posts. */
async function stir(api: TestApi): Promise<void> {
  const { store } = api.context.posts;
  const posts = await kept(api);
  await byTens(sharing(posts).reverse(), ({ _id, category }) =>
    store.setCategory(new ObjectId(_id), category === 'market' ? null : 'market'),
  );
  const gone = posts.filter(({ content }, index) => index % GONE === 0 && !content.startsWith('flood'));
  await byTens(gone, ({ _id }) => store.remove(new ObjectId(_id)));
}

/** Ten changes at a time: a search cluster refreshes after each write and combines concurrent writes. */
async function byTens(posts: readonly Post[], change: (post: Post) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < posts.length; from += 10) await Promise.all(posts.slice(from, from + 10).map(change));
}

function sharing(posts: readonly Post[]): Post[] {
  const count = new Map<string, number>();
  for (const { timestamp } of posts) count.set(timestamp, (count.get(timestamp) ?? 0) + 1);
  return posts.filter(({ timestamp }) => (count.get(timestamp) ?? 0) > 1);
}

/** Few authors with many posts each; handles, names and pictures vary from post to post. */
function writer(chance: () => number) {
  const handles = [...generatePosts(AUTHORS, 5)].map(({ authorUsername }, index) =>
    index % 10 === 0 ? `Ánn${authorUsername}` : authorUsername,
  );
  return (index: number, author = Math.floor(AUTHORS * chance() ** 2)) => {
    const handle = handles[author] as string;
    return {
      author: `Author ${author} as of ${index}`,
      authorUsername: [handle, handle.toUpperCase(), handle.toLowerCase(), handle.normalize('NFD')][
        index % 4
      ] as string,
      authorAvatar: index % 3 === 0 ? `https://pbs.twimg.com/profile_images/${index}.png` : null,
    };
  };
}

const MOMENTS = [
  '2026-02-28T10:00:00.000Z',
  '2026-02-22T00:00:00.000Z',
  '2026-02-21T23:59:59.999Z',
  '2025-02-28T23:59:59.999Z',
];
const SAME_DAYS = ['2025-02-28', '2024-02-28', '2023-02-28', '2022-02-28', '2021-02-28', '2024-02-29', '2020-02-29'];

function whenWritten(index: number, chance: () => number): string {
  switch (index % 5) {
    case 0:
      return MOMENTS[Math.floor(chance() * MOMENTS.length)] as string;
    case 1:
      return new Date(NOW - Math.floor(chance() * 45 * DAY_MS)).toISOString();
    case 2:
      return new Date(at(SAME_DAYS[Math.floor(chance() * SAME_DAYS.length)] as string) + (index % 3)).toISOString();
    case 3:
      return new Date(NOW + Math.floor((chance() - 0.8) * 20) * DAY_MS).toISOString();
    default:
      // The same day of each week.
      return new Date(NOW - Math.floor(chance() * 140) * 7 * DAY_MS).toISOString();
  }
}

/** The oldest 200 contain a word that the newest 300 do not. Some contain the letters inside another word only. */
function floodWords(index: number): string {
  if (index < 200) return `flooding ${index}`;
  return index % 7 === 0 ? `overflood ${index}` : `floods flood${index % 9} of ${index}`;
}

function worldOf(): object[] {
  const chance = seeded(29);
  const write = writer(chance);
  const written = [...withMedia(generatePosts(GENERATED + MONTHS + FLOOD + LAST, 31))].map((post, index) => ({
    ...post,
    ...write(index),
    timestamp: whenWritten(index, chance),
    savedAt: new Date(NOW - Math.floor(chance() * 60) * DAY_MS).toISOString(),
    ...(index % 6 === 0 && { category: null }),
    ...(index % 4 === 0 && { language: ['en', 'pt-BR', 'tlh', 'iw', 'ji', 'fr', 'und'][index % 7] }),
    ...(index % 13 === 0 && { url: `https://example.com/posts/${index}` }),
  }));
  const last = written.splice(0, LAST).map((post, index) => ({
    ...post,
    ...write(index, index % AUTHORS),
    timestamp: new Date(NOW + 30 * DAY_MS).toISOString(),
  }));
  const months = written.splice(0, MONTHS).map((post, index) => ({
    ...post,
    category: ['tech', 'news'][index % 2],
    timestamp: new Date(Date.UTC(2026, 1 - index, 1)).toISOString(),
  }));
  const flood = written.splice(0, FLOOD).map((post, index) => ({
    ...post,
    content: floodWords(index),
    timestamp: new Date(FLOODED + index * 1_000).toISOString(),
  }));
  // Shuffled, so that each batch falls between existing posts.
  return [...written, ...last, ...months, ...flood].sort(() => chance() - 0.5);
}

describe('figures beside a plain in-memory reference', () => {
  let api: TestApi;
  let now = NOW;
  let reference: ReferenceFigures;

  beforeAll(async () => {
    api = await startTestApi({ env: { RATE_LIMITS: 'off' }, overrides: { now: () => now } });
    await save(api, worldOf());
    await stir(api);
    const chance = seeded(7);
    const posts = await kept(api);
    const oldest = posts.filter(({ content }) => content.startsWith('flooding')).at(-1) as Post;
    const given = posts.flatMap(({ _id }) => {
      const count = _id === oldest._id ? 6 : Math.max(0, Math.floor(chance() * 7) - 2);
      return Array.from({ length: count }, (_, wallet) => ({ id: _id, wallet, isOn: true }));
    });
    await react(api, given);
    reference = new ReferenceFigures(await kept(api));
    expect(reference.posts.length).toBeGreaterThan((GENERATED + MONTHS + FLOOD + LAST) * (1 - 2 / GONE));
  }, SERIES_MS);

  afterAll(() => api.close());

  function setClock(to: number): void {
    now = to;
    // Cached answers use another clock.
    api.context.posts.responses.forget();
  }

  it.each([
    ['the last day of a February', NOW],
    ['a 29 February', at('2028-02-29')],
    ['a day of which no other year has posts', at('2026-12-24')],
    ['a day in the midst of its posts', at('2025-02-28')],
    ['the anniversary of a day with more posts than others', at('2026-06-15')],
  ])('explores alike on %s', async (_, clock) => {
    setClock(clock);
    expect(await read<Explore>(api, '/amber/explore')).toEqual(reference.explore(now));
  });

  it('explores days that have everything an answer can hold', () => {
    const { months, onThisDay, languages, week } = reference.explore(NOW);
    expect(months).toHaveLength(600);
    expect(languages.map(({ language }) => language)).toEqual(expect.arrayContaining(['he', 'pt', 'tlh', 'yi']));
    expect([onThisDay.years.length, week.posts.length]).toEqual([4, 3]);
    expect(reference.explore(at('2028-02-29')).onThisDay.years.map(({ day }) => day)).toEqual([
      '2024-02-29',
      '2020-02-29',
    ]);
    expect(reference.explore(at('2026-06-15')).onThisDay.years[0]?.post.content).toBe('flooding 0');
    expect(reference.explore(at('2026-12-24')).onThisDay.years).toEqual([]);
  });

  it.each([
    ['today', NOW],
    ['later', NOW + 12 * DAY_MS],
    ['earlier', NOW - 20 * DAY_MS],
  ])('analyses alike %s', async (_, clock) => {
    setClock(clock);
    expect(await read<Analytics>(api, '/amber/analytics')).toEqual(reference.analytics(now));
  });

  it('answers each author alike, under any spelling', async () => {
    const differences: unknown[] = [];
    for (const [index, handle] of reference.handles.entries()) {
      const spelled = [handle, handle.toUpperCase(), handle.toLowerCase(), `@${handle}`][index % 4] as string;
      const answer = await read<Author>(api, `/amber/authors/${encodeURIComponent(spelled)}`);
      const wanted = reference.author(handle);
      if (JSON.stringify(answer) !== JSON.stringify(wanted)) differences.push({ handle, answer, wanted });
    }
    expect(differences).toEqual([]);
    expect(reference.handles.length).toBeGreaterThan(AUTHORS / 2);
  });

  it('suggests alike for beginnings of handles and words, and for what begins none', async () => {
    const typed = typedOf(reference);
    const differences: unknown[] = [];
    let answered = 0;
    for (const query of typed) {
      const answer = await read<Suggestions>(api, `/amber/suggest?${new URLSearchParams(query)}`);
      const wanted = reference.suggest(query);
      if (wanted.authors.length + wanted.words.length > 0) answered++;
      if (JSON.stringify(answer) !== JSON.stringify(wanted)) differences.push({ query, answer, wanted });
    }
    expect(differences).toEqual([]);
    expect(answered).toBeGreaterThan(typed.length / 2);
  });

  it('names the neighbours of posts, also among those of one moment', async () => {
    const differences: unknown[] = [];
    const asked = new Set([...sharing(reference.posts), ...reference.posts.filter((_, index) => index % STEP === 0)]);
    for (const { _id } of asked) {
      const answer = await read<ReturnType<ReferenceFigures['neighbours']>>(api, `/amber/archives/${_id}/neighbours`);
      const wanted = reference.neighbours(_id);
      if (JSON.stringify(answer) !== JSON.stringify(wanted)) differences.push({ _id, answer, wanted });
    }
    expect(differences).toEqual([]);
  });

  it('meets by chance the post at that place of all, in the order of time', async () => {
    const { posts } = reference;
    const asker = { client: ownWork('test') };
    const met: string[] = [];
    for (let place = 0; place < posts.length; place += STEP) {
      const { _id } = await getRandom(api.context, asker, () => (place + 0.5) / posts.length);
      met.push(_id);
    }
    expect(met).toEqual(posts.filter((_, place) => place % STEP === 0).map(({ _id }) => _id));
  });

  it('takes its chance over HTTP from Math.random', async () => {
    const { posts } = reference;
    const chance = jest.spyOn(Math, 'random');
    const places = [0, 0.25, 0.5, 1 - Number.EPSILON];
    const met: Post[] = [];
    for (const place of places) {
      chance.mockReturnValue(place);
      met.push(await read<Post>(api, '/amber/random'));
    }
    chance.mockRestore();
    expect(met).toEqual(places.map((place) => posts[Math.floor(place * posts.length)]));
  });

  it('counts alike in every list, wherever the clock is set', async () => {
    const chance = seeded(13);
    const lists = [
      '',
      '?search=the',
      '?category=tech&page=2',
      '?q=-the&sortBy=reactions',
      '?handle=unknown',
      '?limit=1&split=featured',
    ];
    for (let asked = 0; asked < CLOCKS; asked++) {
      const { timestamp } = reference.posts[Math.floor(chance() * reference.posts.length)] as Post;
      // The moments at which the post enters or leaves the last seven days, and one millisecond around them.
      setClock(Date.parse(timestamp) + (asked % 2) * 7 * DAY_MS + (asked % 3) - 1);
      const { stats } = await read<ArchivePage>(api, `/amber/archives${lists[asked % lists.length]}`);
      expect([now, stats]).toEqual([now, reference.stats(now)]);
    }
  });
});

/** Prefixes of handles and of words in posts, and texts that are no prefix. */
function typedOf(reference: ReferenceFigures): { from?: string; word?: string }[] {
  const chance = seeded(17);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T;
  const cased = (text: string) => (chance() < 0.3 ? text.toUpperCase() : text);
  const beginnings = (text: string, least: number) =>
    Array.from({ length: Math.min(12, Array.from(text).length) - least + 1 }, (_, more) =>
      cased(
        Array.from(text)
          .slice(0, least + more)
          .join(''),
      ),
    ).filter((one) => one.trim() !== '');
  const handles = Array.from({ length: TYPED }, () => pick(reference.handles));
  const words = Array.from({ length: TYPED }, () => pick(pick(reference.posts).content.split(/\s+/)));
  const odd = [
    'ab',
    'fl ood',
    '#sol',
    "it's",
    'ΕΛΛ',
    'сегод',
    'これは',
    '123',
    'floods',
    'flood',
    'flooding',
    'ＦＬＯＯＤ',
  ];
  const typed: { from?: string; word?: string }[] = [
    ...handles.flatMap((handle) => beginnings(handle, 1).map((from) => ({ from }))),
    ...['a', 'ann', 'ÁNN', '@a', '_', '%', 'zz zz'].map((from) => ({ from })),
    ...[...words.flatMap((word) => beginnings(word, 2)), ...odd].map((word) => ({ word })),
    { from: 's', word: 'flood' },
  ];
  return typed.filter(({ word }) => word === undefined || reference.isDecided(word));
}

const FILTERS: Query[] = [
  {},
  { search: 'o' },
  { category: 'tech' },
  { q: 'reactions:>0' },
  { q: '-the lang:en OR has:image' },
];
const LONG = 'the same for more than a thousand letters '.repeat(30);

describe('lists that are read on while posts come, go and are reacted to', () => {
  let api: TestApi;
  let walks: ReferenceWalk[];
  let written = 0;
  const chance = seeded(3);

  beforeAll(async () => {
    api = await startTestApi({ env: { RATE_LIMITS: 'off' } });
    await save(api, some(WALKED));
    await react(api, reactedOf(await kept(api), WALKED));
    walks = SORT_FIELDS.flatMap((sortBy, field) =>
      SORT_ORDERS.flatMap((sortOrder, order) =>
        FILTERS.filter((_, index) => (index + field + order) % FILTER_STEP === 0).map(
          (filter) => new ReferenceWalk({ ...filter, sortBy, sortOrder, limit: String(PAGE) }),
        ),
      ),
    );
    await walkAll();
  }, SERIES_MS);

  afterAll(() => api?.close());

  /** Posts with many ties in every order. */
  function some(count: number): object[] {
    return [...withMedia(generatePosts(count, 100 + written))].map((post) => {
      const index = written++;
      return {
        ...post,
        id: `walked-${index}`,
        content: index % 15 === 0 ? `${LONG}${chance()}` : index % 4 === 0 ? `Same words ${index % 3}` : post.content,
        author: ['ann', 'Ann', 'Ève', 'zoé'][index % 4] as string,
        authorUsername: `walked${index}`,
        timestamp: new Date(Date.UTC(2026, 0, 1 + Math.floor(chance() * 12))).toISOString(),
        savedAt: new Date(Date.UTC(2026, 1, 1 + Math.floor(chance() * 12))).toISOString(),
      };
    });
  }

  function reactedOf(posts: readonly Post[], count: number) {
    return Array.from({ length: count }, () => ({
      id: (posts[Math.floor(chance() * posts.length)] as Post)._id,
      wallet: Math.floor(chance() * 6),
      isOn: chance() < 0.7,
    }));
  }

  async function walkAll(): Promise<void> {
    const cursors = new Map<ReferenceWalk, string>();
    while (walks.some(({ isOver }) => !isOver)) {
      const posts = await kept(api);
      const reference = new ReferenceArchive(posts);
      for (const walk of walks.filter(({ isOver }) => !isOver)) {
        const query = { ...walk.query, cursor: cursors.get(walk) ?? '' };
        const { data, pagination } = await read<ArchivePage>(api, `/amber/archives?${new URLSearchParams(query)}`);
        const ids = data.map(({ _id }) => _id);
        walk.take(reference, { ids, total: pagination.total, next: pagination.next });
        cursors.set(walk, pagination.next ?? '');
      }
      await write(posts);
    }
  }

  async function write(posts: readonly Post[]): Promise<void> {
    await save(api, some(6));
    // If the post under a text cursor is removed, its place is only approximate. So keep these posts.
    const stays = new Set(walks.filter(isByText).map(({ last }) => last));
    const free = posts.filter(({ _id }) => !stays.has(_id));
    const passed = free.filter(({ _id }) => walks.some(({ last }) => last === _id));
    const gone = new Set(
      [passed, free, free, free].flatMap((some) => some[Math.floor(chance() * some.length)]?._id ?? []),
    );
    for (const id of gone) await api.context.posts.store.remove(new ObjectId(id));
    const reacted = reactedOf(
      posts.filter(({ _id }) => !gone.has(_id)),
      8,
    );
    await react(api, reacted);
    for (const walk of walks) walk.note(reacted.map(({ id }) => id));
  }

  it.each(SORT_FIELDS)('by %s show each post that stays exactly once, and are right on every page', (field) => {
    const own = walks.filter(({ query }) => query['sortBy'] === field);
    const stayed = own.map((walk) => walk.end());
    expect(own.flatMap(({ differences }) => differences)).toEqual([]);
    expect(Math.max(...stayed)).toBeGreaterThan(WALKED / 3);
  });
});

function isByText({ query }: ReferenceWalk): boolean {
  return query['sortBy'] === 'author' || query['sortBy'] === 'content';
}
