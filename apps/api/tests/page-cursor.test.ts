import { type ArchivePage, SORT_FIELDS, SORT_ORDERS } from '@archive/contracts';
import { call } from '@archive/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

describe('a list that is read on from its last post', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi();
    // Posts with many ties in every order.
    const posts = Array.from({ length: 90 }, (_, at) =>
      newPost({
        id: `cursor-${at}`,
        content: at % 5 === 0 ? `the same words ${at % 2}` : `words of ${at}`,
        author: `Author ${at % 3}`,
        authorUsername: `author${at % 20}`,
        category: [null, 'tech', 'news'][at % 3],
        timestamp: new Date(Date.UTC(1960, 0, 1) + (at % 9) * 86_400_000 * 300).toISOString(),
      }),
    );
    await api.add(...posts);
  });

  afterAll(() => api?.close());

  const list = async (query: Record<string, unknown>) => {
    const asked = new URLSearchParams();
    for (const [name, values] of Object.entries(query))
      for (const value of [values].flat()) asked.append(name, String(value));
    const { status, body } = await call(api, 'GET', `/amber/archives?${asked}`);
    return { status, body: body as ArchivePage & { errors: { path: string }[] } };
  };
  const idsOf = ({ data }: ArchivePage) => data.map(({ id }) => id);

  async function readOn(query: Record<string, unknown>): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor: string | null = '', pages = 0; cursor !== null; pages++) {
      expect(pages).toBeLessThan(30);
      const { status, body }: Awaited<ReturnType<typeof list>> = await list({ ...query, limit: 7, cursor });
      expect(status).toBe(200);
      ids.push(...idsOf(body));
      cursor = body.pagination.next;
    }
    return ids;
  }

  const filters = [
    {},
    { search: 'words' },
    { search: 'o' },
    { category: 'tech' },
    { handle: 'author3' },
    { q: '-same' },
  ];
  it.each(SORT_FIELDS.flatMap((sortBy) => SORT_ORDERS.map((sortOrder) => [sortBy, sortOrder] as const)))(
    'holds the same as the list by %s %s, whatever is asked',
    async (sortBy, sortOrder) => {
      for (const filter of filters) {
        const query = { ...filter, sortBy, sortOrder };
        const whole = await list({ ...query, limit: 1_000 });
        expect(whole.body.pagination).toMatchObject({ next: null, pages: 1 });
        expect([filter, await readOn(query)]).toEqual([filter, idsOf(whole.body)]);
      }
    },
  );

  it('repeats nothing where posts come before it, and leaves none out where its last post is gone', async () => {
    for (const sortBy of ['timestamp', 'author', 'content'] as const) {
      const query = { sortBy, sortOrder: 'asc', limit: 10 };
      const first = await list(query);
      const second = await list({ ...query, page: 2 });
      const cursor = first.body.pagination.next;
      await api.add(newPost({ content: `a ${sortBy}`, author: 'A', timestamp: '1950-01-01T00:00:00.000Z' }));
      expect(idsOf((await list({ ...query, cursor })).body)).toEqual(idsOf(second.body));
      const last = first.body.data.at(-1);
      const post = await api.context.posts.store.find(last?._id ?? '');
      if (post) await api.context.posts.store.remove(post._id);
      const [repeated, ...left] = idsOf((await list({ ...query, cursor, limit: 11 })).body);
      // The text was removed with its post, so the cursor counts posts before it. One more post is before it now.
      if (sortBy === 'timestamp') expect([repeated, ...left].slice(0, 10)).toEqual(idsOf(second.body));
      else expect([repeated, left]).toEqual([first.body.data.at(-2)?.id, idsOf(second.body)]);
    }
  });

  it.each(
    (['author', 'content', 'timestamp'] as const).flatMap((sortBy) => [
      [sortBy, 'first', 1, 1] as const,
      [sortBy, 'third', 1, 3] as const,
      [sortBy, 'third, begun at the second by its number,', 2, 3] as const,
    ]),
  )('by %s goes on where the last post of the %s page is removed', async (sortBy, _, from, to) => {
    const query = { sortBy, sortOrder: 'desc', limit: 6 };
    let page = await list({ ...query, page: from });
    for (let at = from; at < to; at++) page = await list({ ...query, cursor: page.body.pagination.next });
    const next = { ...query, cursor: page.body.pagination.next };
    const following = idsOf((await list(next)).body);
    const last = page.body.data.at(-1);
    const post = await api.context.posts.store.find(last?._id ?? '');
    if (post) await api.context.posts.store.remove(post._id);
    expect(idsOf((await list(next)).body)).toEqual(following);
  });

  it('is refused a cursor that is none, or of another order', async () => {
    const { next } = (await list({ limit: 5 })).body.pagination;
    for (const query of [
      { cursor: 'nothing' },
      { cursor: 'ä' },
      { cursor: next, sortBy: 'author' },
      { cursor: [next, next] },
    ]) {
      const { status, body } = await list(query);
      expect([status, body.errors?.[0]?.path]).toEqual([400, 'cursor']);
    }
    expect((await list({ cursor: next, page: 900, limit: 5 })).body.data).toHaveLength(5);
  });
});
