import { type LocalSolana, openLocalSolana } from '@archive/local-solana';
import { featureEnv, TestWallet } from '@archive/testing';
import { aPicture } from '@archive/testing/media';
import { cases, SERIES_MS } from '@archive/tiers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { newPushKeys } from '../src/push-keys.ts';
import { attack } from '../trials/attack/attack.ts';
import { isServable, NAMES } from '../trials/attack/requests.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const SEED = 2026;
/** `npm run bench -- attack` sends far more. */
const REQUESTS = cases({ quick: 1_000, full: 3_000 });

describe('any request at all', () => {
  let solana: LocalSolana;
  let api: TestApi;
  let key: string;

  beforeAll(async () => {
    solana = await openLocalSolana({ slotMs: 50 });
    const { publicKey: VAPID_PUBLIC_KEY, privateKey: VAPID_PRIVATE_KEY } = newPushKeys();
    const env = {
      RATE_LIMITS: 'off',
      SECURITY_CONTACT: 'mailto:security@example.org',
      VAPID_PUBLIC_KEY,
      VAPID_PRIVATE_KEY,
    };
    api = await startTestApi({
      env: { ...env, ...featureEnv(solana) },
      overrides: { launchTiming: { waitMs: 0 } },
    });
    await api.context.launches.offer.start();
    await api.add(...Array.from({ length: 200 }, (_, index) => newPost({ content: `words ${index} мир 😂 العربية` })));
    await api.add(newPost({ id: 'first' }), newPost({ id: 'second' }));
    key = (await api.context.accounts.agentKeys.create('attack')).key;
  });

  afterAll(async () => {
    await api.close();
    await solana.close();
  });

  it(
    `answers at least ${REQUESTS.toLocaleString('en-US')} generated requests as the contract says: with what was asked, or a 4xx that says why`,
    async () => {
      const bystander = new TestWallet();
      const { token } = await bystander.signIn(api);
      const mine = (path: string) => request(api.app).get(path).set('Authorization', `Bearer ${token}`);
      await request(api.app)
        .post('/amber/reactions/first')
        .set('Authorization', `Bearer ${token}`)
        .send({ reactionType: 'heart' });
      const before = (await mine('/amber/auth/me')).body;
      const posts = ['first', 'second', (await request(api.app).get('/amber/archives/first')).body._id as string];

      const picture = await api.context.media.keep(await aPicture(), { post: 'first' });
      const media = 'sha256' in picture ? [picture.sha256] : [];

      const { wrong, byStatus, served, refused, requests } = await attack(api, {
        requests: REQUESTS,
        seed: SEED,
        key,
        posts,
        media,
      });
      expect(wrong).toEqual([]);
      expect(requests).toBeGreaterThanOrEqual(REQUESTS);
      expect(byStatus[200]).toBeGreaterThan(REQUESTS / 20);
      expect(byStatus[400]).toBeGreaterThan(REQUESTS / 20);
      // The requests reach every call, and not all of them are refused.
      expect(NAMES.filter((name) => !served.has(name) && !refused.has(name))).toEqual([]);
      expect(NAMES.filter((name) => !served.has(name))).toEqual(NAMES.filter((name) => !isServable(name)));

      expect(Object.keys(Object.prototype)).toEqual([]);
      expect((await mine('/amber/auth/me')).body).toEqual(before);
    },
    SERIES_MS,
  );
});
