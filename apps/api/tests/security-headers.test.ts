import { TestWallet } from '@archive/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const FRIEND = 'https://friend.example';
const STRANGER = 'https://elsewhere.example';

describe('behind https, with one other origin let in', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi({ env: { PUBLIC_URL: 'https://archive.example', CORS_ORIGINS: FRIEND } });
    await api.add(newPost({ id: 'kept' }));
  });

  afterAll(() => api.close());

  it('every kind of answer asks for https from then on, and carries the policy', async () => {
    for (const path of [
      '/health',
      '/amber/archives',
      '/amber/archives/export',
      '/docs/',
      '/nothing',
      '/amber/auth/me',
      '/amber/archives?page=0',
    ]) {
      const { headers } = await request(api.app).get(path);
      expect([path, headers]).toEqual([
        path,
        expect.objectContaining({
          'strict-transport-security': 'max-age=31536000; includeSubDomains',
          'content-security-policy': expect.stringMatching(/^default-src 'none';.*;upgrade-insecure-requests$/),
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          'referrer-policy': 'strict-origin-when-cross-origin',
        }),
      ]);
      expect(headers).not.toHaveProperty('set-cookie');
      expect(headers).not.toHaveProperty('x-powered-by');
    }
  });

  it('that origin may call, without credentials, and no other', async () => {
    const ask = (origin: string) => request(api.app).get('/amber/archives').set('Origin', origin);
    expect((await ask(FRIEND)).headers).toMatchObject({
      'access-control-allow-origin': FRIEND,
      vary: expect.stringContaining('Origin'),
    });
    expect((await ask(FRIEND)).headers).not.toHaveProperty('access-control-allow-credentials');
    for (const origin of [STRANGER, 'null', `${FRIEND}.elsewhere.example`, 'http://friend.example', `${FRIEND}:444`]) {
      const { headers } = await ask(origin);
      expect([origin, headers['access-control-allow-origin']]).toEqual([origin, undefined]);
    }
    const preflight = await request(api.app).options('/amber/auth/profile').set({
      Origin: STRANGER,
      'Access-Control-Request-Method': 'PUT',
      'Access-Control-Request-Headers': 'authorization',
    });
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('what depends on the caller, and every refusal, is kept by nobody on the way', async () => {
    const { token } = await new TestWallet().signIn(api);
    const own = ['/amber/auth/me', '/amber/reactions/user', '/amber/token/user', '/amber/feature/credits'];
    for (const path of own) {
      const { status, headers } = await request(api.app).get(path).set('Authorization', `Bearer ${token}`);
      expect([path, status, headers['cache-control']]).toEqual([path, 200, 'no-store']);
    }
    for (const path of [...own, '/amber/archives?page=0', '/amber/archives/export', '/nothing']) {
      const { headers } = await request(api.app).get(path);
      expect([path, headers['cache-control']]).toEqual([path, expect.stringContaining('no-store')]);
    }
  });
});

it('over http asks nobody for https', async () => {
  const api = await startTestApi();
  const { headers } = await request(api.app).get('/amber/archives');
  expect(headers).not.toHaveProperty('strict-transport-security');
  expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
  await api.close();
});
