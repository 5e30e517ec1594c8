import { createHmac, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startXStandIn, type XStandIn } from '../src/index.ts';

describe('the stand-in for X', () => {
  let x: XStandIn;

  beforeEach(async () => {
    x = await startXStandIn();
  });
  afterEach(() => x.close());

  /** An OAuth 1.0a signature by RFC 5849, for names and values in plain letters. */
  function sign(method: string, url: URL, nonce = randomBytes(16).toString('hex')): string {
    const { apiKey, apiSecret, accessToken, accessSecret } = x.credentials;
    const own: [string, string][] = [
      ['oauth_consumer_key', apiKey],
      ['oauth_nonce', nonce],
      ['oauth_signature_method', 'HMAC-SHA1'],
      ['oauth_timestamp', String(Math.floor(Date.now() / 1_000))],
      ['oauth_token', accessToken],
      ['oauth_version', '1.0'],
    ];
    const encode = encodeURIComponent;
    const pairs = [...own, ...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`);
    const base = [method, encode(url.origin + url.pathname), encode(pairs.toSorted().join('&'))].join('&');
    const key = `${encode(apiSecret)}&${encode(accessSecret)}`;
    const signature = createHmac('sha1', key).update(base).digest('base64');
    return `OAuth ${[...own, ['oauth_signature', signature] as const].map(([name, value]) => `${name}="${encode(value)}"`).join(', ')}`;
  }

  async function get(path: string, { authorization }: { authorization?: string } = {}) {
    const url = new URL(path, x.url);
    const response = await fetch(url, { headers: { authorization: authorization ?? sign('GET', url) } });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  it('answers calls that its account has signed, each once', async () => {
    const url = new URL('/2/users/me', x.url);
    const authorization = sign('GET', url);
    expect(await get('/2/users/me', { authorization })).toMatchObject({
      status: 200,
      body: { data: { id: x.agent.id } },
    });
    expect((await get('/2/users/me', { authorization })).status).toBe(401);
    expect((await get('/2/users/me?user.fields=name', { authorization: sign('GET', url) })).status).toBe(401);
    expect((await get('/2/users/me', { authorization: 'Bearer something' })).status).toBe(401);
  });

  it('refuses what X does not know', async () => {
    for (const path of [
      '/2/tweets?ids=one',
      `/2/tweets?ids=${Array.from({ length: 101 }, (_, at) => at + 1).join(',')}`,
      '/2/tweets?ids=1&tweet.fields=text',
      '/2/tweets?ids=1&post.fields=everything',
      `/2/users/${x.agent.id}/mentions?max_results=4`,
      `/2/users/${x.agent.id}/mentions?since_id=then`,
      '/2/tweets/search/recent?query=anything',
    ]) {
      expect([path, (await get(path)).status]).toEqual([path, 400]);
    }
    expect((await get('/2/users/1/mentions?max_results=5')).status).toBe(403);
  });

  it('tells beside a post neither the pictures nor all the words of the one it quotes', async () => {
    const ada = x.network.account('ada');
    const quoted = x.network.post(ada, 'long '.repeat(100), { media: [x.network.media({ type: 'photo' })] });
    const { id } = x.network.post(ada, 'See', { quotes: quoted });
    const fields =
      'post.fields=note_post,attachments,text&expansions=referenced_posts,attachments.media_keys&media.fields=url';
    const { body } = await get(`/2/tweets?ids=${id}&${fields}`);
    const { posts, media } = body['includes'] as { posts: Record<string, unknown>[]; media?: unknown };
    expect(media).toBeUndefined();
    expect(posts).toMatchObject([{ id: quoted.id, attachments: { media_keys: [quoted.media[0]?.key] } }]);
    expect(posts[0]).not.toHaveProperty('note_post');
    const whole = (await get(`/2/tweets?ids=${quoted.id}&${fields}`)).body;
    expect(whole).toMatchObject({ data: [{ note_post: { text: 'long '.repeat(100) } }], includes: { media: [{}] } });
  });

  it('tells what it does not show beside what it does', async () => {
    const shown = x.network.post(x.network.account('ada'), 'here');
    const hidden = x.network.post(x.network.account('eve', { isProtected: true }), 'mine');
    const { body } = await get(`/2/tweets?ids=${shown.id},${hidden.id},1`);
    expect(body).toMatchObject({
      data: [{ id: shown.id, text: 'here', edit_history_post_ids: [shown.id] }],
      errors: [
        { resource_id: hidden.id, type: 'https://api.x.com/2/problems/not-authorized-for-resource' },
        { resource_id: '1', type: 'https://api.x.com/2/problems/resource-not-found' },
      ],
    });
  });
});
