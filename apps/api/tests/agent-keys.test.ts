import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { ENDPOINTS, type EndpointName, KEY_SCOPES } from '@archive/contracts';
import { until } from '@archive/tiers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { ROUTES } from '../src/routes.ts';
import { type CommandOutcome, commandSettings, runCommand } from './_command-line.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

describe('what an agent key may do, and what can be undone of it', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi();
  });

  afterAll(() => api.close());

  const amber = (...args: string[]) => runCommand(api, ...args);
  /** The built command line in a new process. */
  const builtAmber = (...args: string[]) =>
    new Promise<CommandOutcome>((resolve) => {
      const env = { ...process.env, ...commandSettings(api) };
      execFile(process.execPath, [join(__dirname, '../dist/cli.js'), ...args], { env }, (error, out, err) =>
        resolve({ code: Number(error?.code ?? 0), out, err }),
      );
    });
  const makeKey = () => api.context.accounts.agentKeys.create('an agent');
  const makeKeyByCommand = async (...options: string[]) => {
    const { out, err } = await amber('keys', 'create', 'an agent', ...options);
    return { key: out.trim(), id: /Key ([0-9a-f]{12})/.exec(err)?.[1] as string };
  };
  const send = (key: string, body: object) =>
    request(api.app).post('/amber/archives').set('Authorization', `Bearer ${key}`).send(body);
  const status = async (id: string) => (await request(api.app).get(`/amber/archives/${id}`)).status;
  const stored = (id: string) => api.context.database.db.collection('posts').findOne({ ids: id });
  const total = async () => (await request(api.app).get('/amber/archives')).body.stats.total as number;

  it('says of each post which key saved it, to nobody outside', async () => {
    const { key, id } = await makeKey();
    await send(key, newPost({ id: 'by-key', content: 'by key' }));
    await send(key, newPost({ id: 'by-key-too', content: 'by key' }));
    await api.add(newPost({ id: 'by-import' }));
    expect(await stored('by-key')).toMatchObject({ savedBy: id });
    expect((await stored('by-import')) ?? {}).not.toHaveProperty('savedBy');
    for (const path of ['archives/by-key', 'archives?search=by%20key', 'archives/export?format=json', 'analytics']) {
      expect((await request(api.app).get(`/amber/${path}`)).text).not.toContain(id);
    }
  });

  it('says by command what was done, and where nothing was to be done', async () => {
    const id = 'hidden-by-command';
    await api.add(newPost({ id }));
    const wallet = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtV2mN';
    const said = async (...words: string[]) => (await amber(...words)).out.trim();
    await amber('hide', id);
    expect(await said('unhide', id)).toBe(`Post ${id} is no longer hidden.`);
    expect(await said('unhide', id)).toBe(`Post ${id} was not hidden.`);
    expect(await said('wallets', 'suspend', wallet)).toBe(`${wallet} is suspended.`);
    expect(await said('wallets', 'suspend', wallet)).toBe(`${wallet} was already suspended.`);
    expect(await said('wallets', 'resume', wallet)).toBe(`${wallet} is resumed.`);
    expect(await said('wallets', 'resume', wallet)).toBe(`${wallet} was not suspended.`);
    await amber('operators', 'add', wallet);
    expect(await said('operators', 'remove', wallet)).toBe(`${wallet} is no longer a moderator.`);
    expect(await said('operators', 'remove', wallet)).toBe(`${wallet} was no moderator.`);
  });

  it('lets a key do what it is for, until it expires', async () => {
    const [plain, ingest, save] = [
      await makeKeyByCommand(),
      await makeKeyByCommand('--scopes', 'ingest'),
      await makeKeyByCommand('--scopes', 'save'),
    ];
    expect((await send(plain.key, newPost())).status).toBe(201);
    expect((await send(ingest.key, newPost())).status).toBe(201);
    const refused = await send(save.key, newPost());
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    const { key, id } = await makeKeyByCommand('--scopes', 'ingest,save', '--expires', '1d');
    expect((await send(key, newPost())).status).toBe(201);
    const list = (await builtAmber('keys', 'list')).out;
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    expect(list).toMatch(new RegExp(`${id} .* until ${tomorrow} .*ingest, save`));
    const keys = api.context.database.db.collection<{ _id: string }>('agent_keys');
    await keys.updateOne({ _id: id }, [{ $set: { expiresAt: { $subtract: ['$expiresAt', 86_400_000] } } }]);
    expect((await send(key, newPost())).status).toBe(401);
    expect((await amber('keys', 'list')).out).toMatch(new RegExp(`${id} .* expired ${tomorrow.slice(0, 4)}`));
  });

  const takesKeys = (Object.keys(ENDPOINTS) as EndpointName[]).flatMap((name) => {
    const route = ROUTES[name];
    return 'scope' in route ? [{ name, scope: route.scope as string }] : [];
  });

  /** The answer of each call to an empty body with a valid key. Posts have individual results. */
  const EMPTY_BODY: Partial<Record<EndpointName, [status: number, code: string | undefined]>> = {
    ingestArchives: [200, undefined],
    createSave: [400, 'invalid_request'],
  };

  it.each(takesKeys)('opens $name to a living key for $scope, and to no other', async ({ name, scope }) => {
    const { agentKeys } = api.context.accounts;
    const { method, path } = ENDPOINTS[name];
    const answer = async (key?: string) => {
      const call = request(api.app)[method.toLowerCase() as 'post'](path);
      const { status, body } = await (key ? call.set('Authorization', `Bearer ${key}`) : call).send({});
      return [status, body.code];
    };
    const letIn = EMPTY_BODY[name];
    for (const one of KEY_SCOPES) {
      const { key } = await agentKeys.create('of one scope', { scopes: [one] });
      expect([one, await answer(key)]).toEqual([one, one === scope ? letIn : [403, 'forbidden']]);
    }
    const { key, id } = await agentKeys.create('of all', { scopes: [...KEY_SCOPES] });
    expect(await answer(key)).toEqual(letIn);
    await agentKeys.revoke(id);
    const { key: ended } = await agentKeys.create('of yesterday', { scopes: [...KEY_SCOPES], expiresAt: new Date(0) });
    for (const bad of [key, ended, undefined]) expect(await answer(bad)).toEqual([401, 'unauthorized']);
  });

  it('takes the whole key alone: not its name with the secret of another', async () => {
    const [one, other] = [await makeKey(), await makeKey()];
    const secret = other.key.slice(`amber_${other.id}_`.length);
    expect((await send(`amber_${one.id}_${secret}`, newPost())).status).toBe(401);
    expect((await send(`${one.key.slice(0, -1)}${one.key.endsWith('A') ? 'B' : 'A'}`, newPost())).status).toBe(401);
    expect((await send(one.key, newPost())).status).toBe(201);
    await api.context.accounts.agentKeys.revoke(one.id);
    expect((await send(one.key, newPost())).status).toBe(401);
    expect((await send(other.key, newPost())).status).toBe(201);
  });

  it('takes keys of before, which say none of this', async () => {
    const { key, id } = await makeKey();
    const keys = api.context.database.db.collection<{ _id: string }>('agent_keys');
    expect(Object.keys((await keys.findOne({ _id: id })) ?? {}).sort()).toEqual(
      ['_id', 'createdAt', 'hash', 'name', 'revokedAt', 'scopes'].sort(),
    );
    await keys.updateOne({ _id: id }, { $unset: { scopes: '' } });
    expect((await send(key, newPost())).status).toBe(201);
    expect((await amber('keys', 'list')).out).toContain(id);
  });

  it.each([
    ['--scopes', 'admin'],
    ['--expires', 'soon'],
    ['--expires', '2001-01-01'],
    ['--posts-per-minute', '0'],
  ])('refuses a key with %s %s', async (...options) => {
    const { code, out, err } = await amber('keys', 'create', 'wrong', ...options);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(options[0]);
  });

  it('limits what a key saves in a minute, by its own limit where it has one', async () => {
    const { key } = await makeKeyByCommand('--posts-per-minute', '20');
    const other = await makeKey();
    const posts = (count: number) => ({ posts: Array.from({ length: count }, () => newPost()) });
    const before = await total();
    const answers = [];
    for (const count of [8, 8, 8, 1]) answers.push(await send(key, posts(count)));
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 429, 429]);
    expect(answers[1]?.headers['ratelimit-limit']).toBe('20');
    expect(answers[1]?.headers['ratelimit-remaining']).toBe('4');
    expect(Number(answers[2]?.headers['retry-after'])).toBeGreaterThan(0);
    expect(await total()).toBe(before + 16);
    expect((await send(other.key, posts(100))).status).toBe(201);
    const whole = await makeKey();
    // Repeated posts count as well.
    const thousand = posts(1_000);
    expect((await send(whole.key, thousand)).status).toBe(201);
    const counted = api.context.database.db.collection('rate_limits');
    await counted.updateMany({ key: /^ingest:/, points: 1_000 }, { $set: { points: 9_000 } });
    expect([(await send(whole.key, thousand)).status, (await send(whole.key, thousand)).status]).toEqual([200, 429]);
  });

  it('lets no address try keys without end', async () => {
    await api.context.database.db.collection('rate_limits').deleteMany({ key: /^refusedKey/ });
    const answers = await Promise.all(Array.from({ length: 70 }, () => send('amber_0123456789ab_x', newPost())));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(60);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
    // Requests without a key do not block requests with one.
    expect((await send((await makeKey()).key, newPost())).status).toBe(201);
  });

  it('undoes what a key saved; the same may be sent again', async () => {
    const [leaked, honest] = [await makeKey(), await makeKey()];
    const kept = newPost({ id: 'kept-one', content: 'kept words' });
    await send(honest.key, kept);
    const bad = ['bad-1', 'bad-2', 'bad-3'].map((id) => newPost({ id, content: `planted words ${id}` }));
    await send(leaked.key, { posts: bad });
    await send(leaked.key, { ...kept, id: 'planted-alias' });
    expect((await stored('kept-one'))?.['ids']).toEqual(['kept-one', 'planted-alias']);
    const before = await total();
    await amber('keys', 'revoke', leaked.id);

    const shown = await amber('keys', 'undo', leaked.id);
    expect(shown.code).toBe(1);
    expect(shown.out).toMatch(/3 posts/);
    expect(shown.out).toContain('planted words bad-1');
    expect(shown.err).toContain('--yes');
    expect(await total()).toBe(before);

    const done = await amber('keys', 'undo', leaked.id, '--yes');
    expect([done.code, done.out]).toEqual([0, expect.stringContaining('3 posts deleted.')]);
    await until(async () => ((await total()) === before - 3 ? true : null));
    for (const id of ['bad-1', 'bad-2', 'bad-3', 'planted-alias']) expect([id, await status(id)]).toEqual([id, 404]);
    expect(await status('kept-one')).toBe(200);
    expect((await request(api.app).get('/amber/archives?search=planted%20words')).body.pagination.total).toBe(0);
    const left = await api.context.database.db.collection('posts').find({ savedBy: leaked.id }).toArray();
    expect(left).toEqual([]);
    // The texts are deleted from the database as well.
    const all = await api.context.database.db
      .collection('posts')
      .find({ content: /planted words/ })
      .toArray();
    expect(all).toEqual([]);

    const { body } = await send(honest.key, { posts: [...bad, newPost({ id: 'planted-alias' })] });
    expect(body).toMatchObject({ created: 4, invalid: 0 });
    expect(await status('bad-1')).toBe(200);
    expect((await amber('keys', 'undo', leaked.id, '--yes')).out).toContain('saved nothing');
  });

  it('removes what a key saved for good; the same is refused', async () => {
    const [leaked, honest] = [await makeKey(), await makeKey()];
    const bad = ['illegal-1', 'illegal-2'].map((id) => newPost({ id, content: `illegal ${id}` }));
    await send(leaked.key, { posts: bad });
    const shown = await amber('remove', '--key', leaked.id);
    expect([shown.code, await status('illegal-1')]).toEqual([1, 200]);
    expect((await amber('remove', '--key', leaked.id, '--yes')).code).toBe(0);
    for (const id of ['illegal-1', 'illegal-2']) expect(await status(id)).toBe(410);
    const { body } = await send(honest.key, { posts: bad });
    expect(body).toMatchObject({ created: 0, invalid: 2 });
    expect((await amber('remove', '--key', '0123456789ab', '--yes')).out).toContain('There is no key 0123456789ab');
    for (const args of [['remove'], ['remove', 'kept-one', '--key', leaked.id]])
      expect((await amber(...args)).code).toBe(2);
  });
});
