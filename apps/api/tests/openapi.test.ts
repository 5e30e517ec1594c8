import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ENDPOINTS, type EndpointName, LEGACY_PATHS } from '@archive/contracts';
import { TestWallet } from '@archive/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const run = promisify(execFile);
const SCRATCH = join(__dirname, '../.turbo/generated-client');

interface Operation {
  operationId: string;
  deprecated?: boolean;
  security: object[];
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

/** A client from a third-party generator: one function per operation. */
type GeneratedClient = Record<string, (...given: unknown[]) => Promise<{ status: number; data: never }>> & {
  defaults: { baseUrl: string; headers: Record<string, string> };
};

describe('the description of the API', () => {
  let api: TestApi;
  let document: { openapi: string; paths: Record<string, Record<string, Operation>> };

  beforeAll(async () => {
    api = await startTestApi({ env: { RATE_LIMITS: 'off' } });
    document = (await request(api.app).get('/openapi.json')).body;
    await mkdir(SCRATCH, { recursive: true });
  });

  afterAll(async () => {
    await rm(SCRATCH, { recursive: true, force: true });
    await api.close();
  });

  it('describes every call once but those of operators, and every older path as deprecated', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    const current = operations.filter(({ deprecated }) => !deprecated).map(({ operationId }) => operationId);
    const open = Object.entries(ENDPOINTS).filter(([, { path }]) => !path.startsWith('/amber/admin/'));
    expect(current.toSorted()).toEqual(open.map(([name]) => name).toSorted());
    const legacy = (Object.keys(LEGACY_PATHS) as EndpointName[]).flatMap((name) => LEGACY_PATHS[name] ?? []);
    expect(operations.filter(({ deprecated }) => deprecated)).toHaveLength(legacy.length);
    for (const path of legacy) expect(document.paths).toHaveProperty([path.replace(/:(\w+)/g, '{$1}')]);
  });

  it('says who may call, what is refused and how', () => {
    const addReaction = document.paths['/amber/reactions/{id}']?.['post'];
    expect(addReaction?.security).toEqual([{ session: [] }]);
    expect(Object.keys(addReaction?.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '400', '401', '404', '410', '429', '503']),
    );
    expect(document.paths['/amber/archives']?.['post']?.security).toEqual([{ agentKey: [] }]);
  });

  it('is shown as a page that asks no other host for anything', async () => {
    const page = await request(api.app).get('/docs/');
    expect(page.status).toBe(200);
    const links = [...page.text.matchAll(/<(?:link|script)[^>]* (?:src|href)="([^"]+)"/g)].map(
      ([, link]) => link as string,
    );
    expect(links.length).toBeGreaterThan(3);
    for (const link of links) {
      expect(link).toMatch(/^\/[^/]/);
      expect((await request(api.app).get(link)).status).toBe(200);
    }
  });

  it('makes a client with a generator of another make, and that calls a running server', async () => {
    const [source, target] = [join(SCRATCH, 'openapi.json'), join(SCRATCH, 'client.ts')];
    await writeFile(source, JSON.stringify(document));
    const generator = join(dirname(createRequire(__filename).resolve('oazapfts')), 'cli.js');
    await run(process.execPath, [generator, source, target]);
    const client = (await import(target)) as GeneratedClient;
    const wallet = new TestWallet();
    const { key } = await api.context.accounts.agentKeys.create('generated');
    const authorize = (token: string) => {
      client.defaults.headers['Authorization'] = `Bearer ${token}`;
    };
    client.defaults.baseUrl = api.url;
    const call = async (name: string, ...given: unknown[]) => {
      const operation = client[name];
      if (!operation) throw new Error(`no ${name}`);
      const { status, data } = await operation(...given);
      return [status, data];
    };
    authorize(key);
    const post = newPost({ id: 'generated' });
    expect(await call('ingestArchives', post)).toMatchObject([201, { created: 1 }]);
    expect(await call('health')).toEqual([200, { status: 'ok' }]);
    expect(await call('config')).toMatchObject([200, { agentHandle: 'amberkeeps' }]);
    expect(await call('listArchives', { search: 'post number', limit: '5' })).toMatchObject([
      200,
      { data: [{ id: 'generated' }], pagination: { limit: 5 } },
    ]);
    expect(await call('getArchive', 'generated')).toMatchObject([200, { content: post['content'] }]);
    expect(await call('analytics')).toMatchObject([200, { topAuthors: [{ count: 1 }] }]);
    const { challenge } = (await call('challenge', { walletAddress: wallet.address }))[1] as unknown as {
      challenge: string;
    };
    const signed = { walletAddress: wallet.address, message: challenge, signature: wallet.sign(challenge) };
    const [, session] = await call('verify', signed);
    authorize((session as unknown as { token: string }).token);
    expect(await call('addReaction', 'generated', { reactionType: 'heart' })).toMatchObject([200, { heart: 1 }]);
    expect(await call('getReactions', 'generated', { walletAddress: wallet.address })).toMatchObject([
      200,
      { userReactions: ['heart'] },
    ]);
    expect(await call('updateProfile', { bio: 'hello' })).toMatchObject([200, { profileSettings: { bio: 'hello' } }]);
    expect(await call('removeReaction', 'generated', 'heart')).toMatchObject([200, { heart: 0 }]);
    expect((await call('logoutEverywhere'))[0]).toBe(204);
    expect(await call('me')).toMatchObject([401, { code: 'unauthorized' }]);
  });
});
