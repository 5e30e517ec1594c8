import { ENDPOINTS, type EndpointName } from '@archive/contracts';
import { type LocalSolana, openLocalSolana } from '@archive/local-solana';
import { featureEnv, TestWallet } from '@archive/testing';
import { BrowserKeys } from '@archive/testing/push';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import express from 'express';
import request from 'supertest';
import { errorHandler } from '../src/http/error-handler.ts';
import { createLog } from '../src/log.ts';
import { Metrics } from '../src/metrics/metrics.ts';
import { newPushKeys } from '../src/push-keys.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const ADDRESSES = ['203.0.113.77', '2001:db8:1:2:3:4:5:6'];
const WORDS = 'words of a private report';

let solana: LocalSolana;
let api: TestApi;
let metrics: Metrics;
const lines: string[] = [];
const pushKeys = newPushKeys();
const launchKey = Keypair.generate();
const jwtSecret = 'q8Zr3TnV5xLw0KpYb7HdJm2sUcEg9fAi';

beforeAll(async () => {
  solana = await openLocalSolana({ slotMs: 0 });
  api = await startTestApi({
    env: {
      ...featureEnv(solana),
      RATE_LIMITS: 'on',
      TRUSTED_PROXIES: '1',
      JWT_SECRET: jwtSecret,
      LAUNCH_KEYPAIR: bs58.encode(launchKey.secretKey),
      VAPID_PUBLIC_KEY: pushKeys.publicKey,
      VAPID_PRIVATE_KEY: pushKeys.privateKey,
    },
    overrides: {
      log: createLog('debug', { write: (line) => void lines.push(line) }),
      launchTiming: { waitMs: 0 },
    },
  });
  metrics = new Metrics(api.context, { port: 0, host: '127.0.0.1' }, { keptMs: 0 });
  await metrics.start();
  await api.context.launches.offer.start();
  await solana.control.advance(1);
  await api.add(newPost({ id: 'one' }));
});

afterAll(async () => {
  await metrics?.stop();
  await api?.close({ keepDatabase: true });
  await solana?.close();
});

it('of a write that the database refuses no words of a post stand in the log', async () => {
  const written: string[] = [];
  const log = createLog('info', { write: (line) => void written.push(line) });
  const twice = { _id: 1 as never, content: WORDS };
  const refused = await api.context.database.db
    .collection('posts_refused')
    .insertMany([twice, { ...twice }])
    .catch((error: unknown) => error);
  log.error({ err: refused }, 'posts could not be kept');
  expect(written.join('')).toContain('E11000');
  expect(written.join('')).toContain('leaks.test');
  expect(written.join('')).not.toContain(WORDS);
});

it('no key, token, signature, words or address of a client stand in logs and metrics, whatever is called and fails', async () => {
  const wallet = new TestWallet();
  const { token } = await wallet.signIn(api);
  const { key } = await api.context.accounts.agentKeys.create('leaks');
  const browser = new BrowserKeys();
  const domain = api.context.config.publicUrl.host;
  let at = Date.now();
  const secrets = [token, token.split('.')[2] as string, key, jwtSecret, pushKeys.privateKey, browser.keys.auth, WORDS];
  secrets.push(bs58.encode(launchKey.secretKey), wallet.sign('a text that a wallet signs'), ...ADDRESSES);
  const signed = <Body extends { signature: string; message: string }>(body: Body): Body => {
    secrets.push(body.signature, JSON.stringify(body.message).slice(1, -1));
    return body;
  };
  /** Bodies that are as valid as possible; calls without an entry get the words only. */
  const bodies: { [N in EndpointName]?: () => object } = {
    verify: () =>
      signed({ walletAddress: wallet.address, message: 'no challenge', signature: wallet.sign('no challenge') }),
    updateProfile: () => ({ bio: WORDS }),
    updateProfileSigned: () => signed(wallet.signedProfile({ profileData: { bio: WORDS }, timestamp: at++, domain })),
    addReactionSigned: () => ({
      reactionType: 'heart',
      ...signed(wallet.signedReaction({ action: 'add', reactionType: 'heart', archiveId: 'one', timestamp: at++ })),
    }),
    removeReactionSigned: () =>
      signed(wallet.signedReaction({ action: 'remove', reactionType: 'heart', archiveId: 'one', timestamp: at++ })),
    deleteAccount: () => signed(new TestWallet().signedDeletion({ timestamp: at++, domain })),
    launchToken: () => {
      const transaction = wallet.sign('I am launching nothing');
      secrets.push(transaction);
      return { amberId: 'one', name: 'A', symbol: 'A', transaction };
    },
    addBrowser: () => ({ endpoint: 'https://push.example/private-endpoint', keys: browser.keys }),
    saveSearch: () => ({ query: 'search=night', name: WORDS }),
    createCollection: () => ({ name: WORDS, isPublic: false }),
    ingestArchives: () => newPost({ content: WORDS }),
  };
  secrets.push('private-endpoint');
  const callAll = async () => {
    for (const name of Object.keys(ENDPOINTS) as EndpointName[]) {
      if (name === 'live' || name.startsWith('logout')) continue;
      const { method, path } = ENDPOINTS[name];
      const target = path.replace(':reactionType', 'heart').replace(/:\w+/g, 'one');
      const bearers = [token, `${token}x`, key, `${key}x`];
      for (const [index, bearer] of bearers.entries()) {
        const call = request(api.app)
          [method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'](target)
          .set('Authorization', `Bearer ${bearer}`)
          .set('X-Forwarded-For', ADDRESSES[index % 2] as string)
          .buffer(true)
          .parse((response, done) => {
            response.on('data', () => {}).on('end', () => done(null, null));
          });
        await (method === 'GET' ? call : call.send(bodies[name]?.() ?? { words: WORDS })).catch(() => {});
      }
    }
  };
  await callAll();
  const scrape = await metrics.text();
  // Again with a closed database, so that every call that uses it fails.
  await api.context.database.client.close();
  await callAll();
  const log = lines.join('');
  expect(lines.length).toBeGreaterThan(200);
  expect(scrape).toContain('amber_requests_total{route="/amber/reactions/:id/signature"');
  for (const text of [log, scrape, await metrics.text()]) {
    const leaked = secrets.filter((secret) => text.includes(secret));
    expect(
      leaked.map((secret) => [secret, text.slice(text.indexOf(secret) - 300, text.indexOf(secret) + 100)]),
    ).toEqual([]);
  }
  const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const change = logged.find(({ msg, path }) => msg === 'request' && path === '/amber/auth/profile');
  expect(change).toMatchObject({ actor: wallet.address, requestId: expect.any(String), method: 'PUT', status: 200 });
  // The privacy page lists all fields of such a line.
  const fields = ['level', 'time', 'pid', 'hostname', 'requestId', 'actor', 'method', 'path', 'status', 'ms', 'msg'];
  for (const line of logged.filter(({ msg }) => msg === 'request'))
    expect(fields).toEqual(expect.arrayContaining(Object.keys(line)));
  const away = logged.filter(({ msg, code }) => msg === 'refused' && code === 'database_unavailable');
  expect(away.length).toBeGreaterThan(20);
  // Expected errors are logged without a stack.
  for (const { err } of away) expect(err).not.toHaveProperty('stack');
  expect(logged.filter(({ msg }) => msg === 'a request failed')).toEqual([]);
});

it('a connection to the database that breaks while it is written to is no failure of ours', async () => {
  const written: string[] = [];
  const app = express();
  app.get('/', () => {
    throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write', errno: -32 });
  });
  app.use(errorHandler(createLog('info', { write: (line) => void written.push(line) })));
  const answer = await request(app).get('/');
  expect([answer.status, answer.body.code]).toEqual([503, 'database_unavailable']);
  expect(written.join('')).not.toContain('a request failed');
});
