import { gzipSync } from 'node:zlib';
import type { Problem } from '@archive/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const PACKED = { 'content-type': 'application/json', 'content-encoding': 'gzip' };

describe('bodies of requests', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi();
    await api.add(newPost({ id: 'kept' }));
  });

  afterAll(() => api.close());

  const send = (method: 'get' | 'post' | 'put' | 'delete', path: string, body: string) =>
    request(api.app)[method](path).set('Content-Type', 'application/json').send(body);

  it.each([
    ['post', '/amber/auth/challenge'],
    ['post', '/amber/auth/logout'],
    ['delete', '/amber/reactions/kept/heart'],
    ['put', '/amber/auth/profile'],
    ['get', '/amber/archives/kept'],
    ['post', '/amber/nothing'],
  ] as const)(
    'refuses one that is no JSON or too large before it looks at anything else: %s %s',
    async (method, path) => {
      const broken = await send(method, path, '{"half":');
      expect([broken.status, broken.body.code]).toEqual([400, 'invalid_json']);
      expect(broken.headers).not.toHaveProperty('ratelimit-limit');
      const large = await send(method, path, JSON.stringify({ text: 'x'.repeat(110_000) }));
      expect([large.status, large.body.code]).toEqual([413, 'payload_too_large']);
    },
  );

  it.each([
    ['what is not packed at all', Buffer.from('{}')],
    ['what ends half-way', gzipSync('{"walletAddress":"x"}').subarray(0, 20)],
    ['what is no JSON once unpacked', gzipSync('{"half":')],
  ])('refuses %s under the name of a packing', async (_, body) => {
    const answer = await fetch(`${api.url}/amber/auth/challenge`, { method: 'POST', headers: PACKED, body });
    expect([answer.status, ((await answer.json()) as Problem).code]).toEqual([400, 'invalid_json']);
  });

  it('unpacks no more than a body may have', async () => {
    const { status } = await fetch(`${api.url}/amber/auth/challenge`, {
      method: 'POST',
      headers: PACKED,
      body: gzipSync(Buffer.alloc(64 << 20, ' ')),
    });
    expect(status).toBe(413);
  });

  it('checks an agent’s key before it reads what may be a megabyte', async () => {
    const answer = await send('post', '/amber/archives', '{"half":');
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthorized']);
    const { key } = await api.context.accounts.agentKeys.create('bodies');
    const known = await send('post', '/amber/archives', '{"half":').set('Authorization', `Bearer ${key}`);
    expect([known.status, known.body.code]).toEqual([400, 'invalid_json']);
  });

  it('answers probes without a word on encodings or parameters', async () => {
    const answer = await request(api.app).get('/health?a[b]=1');
    expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }]);
    expect(answer.headers).not.toHaveProperty('vary', expect.stringContaining('Accept-Encoding'));
  });
});
