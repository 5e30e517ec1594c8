import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ObjectId } from 'mongodb';
import request from 'supertest';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

describe('an author, and what is suggested while one types', () => {
  let api: TestApi;
  const day = (n: number) => new Date(Date.UTC(2026, 0, n)).toISOString();
  const x = (id: string) => `https://x.com/i/status/${id}`;
  const bluesky = (id: string) => `https://bsky.app/profile/did:plc:a/post/${id}`;

  beforeAll(async () => {
    api = await startTestApi();
    const by = (authorUsername: string, n: number, fields = {}) =>
      newPost({ id: `figure-${n}`, authorUsername, timestamp: day(n), category: 'tech', ...fields });
    await api.add(
      by('Ánn', 3, { author: 'Third', category: 'news', url: x('1') }),
      by('ánn', 1, { author: 'First', url: 'https://elsewhere.example/1' }),
      by('ÁNN', 4, { author: 'Latest', category: null, url: x('2') }),
      by('ánn', 2, { author: 'Second', url: bluesky('3') }),
      by('ánn', 9, { author: 'Removed', category: 'news' }),
      by('annabel', 5, { content: 'amberly ambers ambering' }),
      by('anna', 6, { content: 'ambers AMBERING amberwise' }),
      by('anna', 7, { content: 'ambers amber zamber' }),
      by('zoe', 8, { content: 'ambering ambers’ amber-like am ber' }),
      ...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => by(`many${n}`, 10 + n, { content: `typing${n} typing` })),
      by('many8', 20, { content: 'typing8' }),
    );
    const removed = await api.context.posts.store.find('figure-9');
    await api.context.posts.store.remove(removed?._id as ObjectId);
  });

  afterAll(() => api.close());

  const get = async (path: string) => (await request(api.app).get(path)).body;

  it('is as in the newest post, with figures of all that are not removed, under any spelling of the handle', async () => {
    for (const handle of ['ánn', 'ÁNN', 'a\u0301nn']) {
      expect(await get(`/amber/authors/${encodeURIComponent(handle)}`)).toEqual({
        author: 'Latest',
        username: 'ÁNN',
        avatar: null,
        posts: 4,
        reactions: 0,
        first: day(1),
        last: day(4),
        platforms: expect.any(Array),
        categories: [
          { category: 'tech', count: 2 },
          { category: 'news', count: 1 },
          { category: null, count: 1 },
        ],
      });
    }
    const { platforms } = await get(`/amber/authors/${encodeURIComponent('ánn')}`);
    expect(platforms).toEqual([
      { platform: 'x', count: 2 },
      { platform: 'bluesky', count: 1 },
      { platform: 'other', count: 1 },
    ]);
    expect(await get('/amber/authors/nobody')).toMatchObject({ code: 'not_found' });
  });

  const suggested = async (query: string) => {
    const { authors, words } = await get(`/amber/suggest?${query}`);
    return { authors: authors.map(({ username }: { username: string }) => username), words };
  };

  it.each([
    ['an', ['ÁNN', 'anna', 'annabel']],
    ['anna', ['anna', 'annabel']],
    ['annab', ['annabel']],
    ['ÁNN', ['ÁNN', 'anna', 'annabel']],
    // Six of eight: most posts first, then by handle.
    ['many', ['many8', 'many1', 'many2', 'many3', 'many4', 'many5']],
    ['nobody', []],
  ])('suggests for from=%s the authors %j', async (from, authors) => {
    expect(await suggested(`from=${encodeURIComponent(from)}`)).toEqual({ authors, words: [] });
  });

  it.each([
    ['amber', ['ambering', 'ambers', 'amber-like', 'amberly', "ambers'", 'amberwise']],
    ['AMBERS', ["ambers'"]],
    ['amberw', ['amberwise']],
    ['am', []],
    ['amb er', []],
    ['typing', ['typing8', 'typing1', 'typing2', 'typing3', 'typing4', 'typing5']],
  ])('suggests for the letters %s the words %j', async (letters, words) => {
    expect(await suggested(`word=${encodeURIComponent(letters)}`)).toEqual({ authors: [], words });
  });
});
