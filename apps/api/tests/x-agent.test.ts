import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Post, PublicConfig, SavePage } from '@archive/contracts';
import { until } from '@archive/tiers';
import { type Post as PostOnX, startXStandIn, type XStandIn } from '@archive/x-stand-in';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { AgentStore, agentLease } from '../src/agent/agent-store.ts';
import { type Agent, createAgent } from '../src/agent.ts';
import { Lease } from '../src/background/lease.ts';
import { readConfig } from '../src/config.ts';
import { ledgerFolder } from '../src/ledger/ledger.ts';
import { readLedger } from '../src/ledger/read-ledger.ts';
import type { PostDocument } from '../src/posts/post-document.ts';
import { showToday } from '../src/reports/show-today.ts';
import type { SaveDocument } from '../src/saves/save-document.ts';
import { SaveStore } from '../src/saves/save-store.ts';
import { type LogLine, recordedLog } from './_recorded-log.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

describe('the agent on X', () => {
  let x: XStandIn;
  let api: TestApi;
  let dataDir: string;
  let lines: LogLine[];
  const agents: Agent[] = [];
  /**
   * Repeats a question until it has an answer, after the last agent has done all its work each time: clocks differ
   * slightly.
   */
  const worked = <T>(ask: () => Promise<T | null>): Promise<T> =>
    until(async () => {
      await agents.at(-1)?.runUntilEmpty();
      return ask();
    });
  let env: Record<string, string>;
  let databaseName: string;

  const settingsOf = ({ url, credentials }: XStandIn) => ({
    X_BASE_URL: url,
    X_API_KEY: credentials.apiKey,
    X_API_SECRET: credentials.apiSecret,
    X_ACCESS_TOKEN: credentials.accessToken,
    X_ACCESS_SECRET: credentials.accessSecret,
    PUBLIC_URL: 'http://localhost:4000',
  });

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'agent-'));
    databaseName = `test_${randomBytes(6).toString('hex')}`;
    // The API shows the agents' results and sends no requests to X.
    const asked = await startXStandIn();
    api = await startTestApi({ env: settingsOf(asked), overrides: { databaseName } });
    await asked.close();
  });

  afterAll(async () => {
    await api.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  beforeEach(async () => {
    x = await startXStandIn({ vocabulary: 'alternating' });
    env = settingsOf(x);
    lines = [];
  });

  afterEach(async () => {
    for (const agent of agents.splice(0)) await agent.stop();
    await x.close();
    const used = ['agents', 'agent_budgets', 'captures', 'leases', 'posts', 'saves'];
    for (const name of used) await api.context.database.db.collection(name).deleteMany({});
  });

  async function startAgent(more: Record<string, string> = {}): Promise<Agent> {
    const settings = { MONGODB_URI: process.env['MONGODB_URI'], DATA_DIR: dataDir, ...env, ...more };
    const recorded = recordedLog();
    lines = recorded.lines;
    const agent = await createAgent(readConfig(settings), { databaseName, log: recorded.log, xPollMs: 0 });
    agents.push(agent);
    // The agent ignores mentions from before its first look.
    await agent.runUntilEmpty();
    return agent;
  }

  const ask = (words = '@amberkeeps save this') => {
    const author = x.network.account(`ada${x.network.accounts.size}`);
    const asker = x.network.account(`ben${x.network.accounts.size}`);
    const post = x.network.post(author, 'worth keeping', { media: [] });
    return { post, asked: x.network.post(asker, words, { quotes: post }), author };
  };
  const repliesTo = (asked: PostOnX) =>
    x.network.newest(({ parent, author }) => parent === asked && author === x.agent);
  const saves = () => api.context.database.db.collection<SaveDocument>('saves');
  const saveOf = (asked: PostOnX) => saves().findOne({ key: asked.id });
  const ended = (asked: PostOnX) =>
    worked(async () => {
      const save = await saveOf(asked);
      return save && ['answered', 'failed'].includes(save.state) && save.reply !== 'due' ? save : null;
    });

  it('saves what somebody quotes and asks for, and answers once with where it is', async () => {
    await startAgent();
    const { post, asked, author } = ask();
    const save = await ended(asked);
    const [reply, ...more] = repliesTo(asked);
    expect(more).toEqual([]);
    expect(save).toMatchObject({ state: 'answered', reply: 'sent', replyId: reply?.id, reason: null });
    const saved = (await request(api.app).get(`/amber/archives/${post.id}`)).body as Post;
    expect(saved).toMatchObject({
      content: 'worth keeping',
      platform: 'x',
      authorId: author.id,
      url: `https://x.com/${author.username}/status/${post.id}`,
      savedBy: { via: 'mention', platform: 'x', handle: asked.author.username },
      capture: { method: 'x-api', complete: true, signed: false },
      source: { state: 'live' },
    });
    expect(reply?.typed).toContain(`http://localhost:4000/post/${saved._id}`);
    const { body } = await request(api.app).get('/amber/saves');
    expect((body as SavePage).data).toMatchObject([{ platform: 'x', state: 'answered', archiveId: saved._id }]);
    const config = (await request(api.app).get('/amber/config')).body as PublicConfig;
    expect(config.agents).toEqual([{ platform: 'x', handle: 'amberkeeps' }]);
    // Reads: the account itself, one mention and one post. One reply.
    const spent = await new AgentStore(api.context.database.db).spent('x', api.context.database.clock.now());
    expect(spent).toEqual({ reads: 3, replies: 1, milliCents: 1_000 + 100 + 500 + 1_000 });
  });

  it('has the author’s word: what they wrote is gone', async () => {
    await startAgent();
    const { post, asked, author } = ask();
    await ended(asked);
    const answer = repliesTo(asked)[0] as PostOnX;
    const another = x.network.post(asked.author, 'remove', { replyTo: answer });
    const word = x.network.post(author, 'remove', { replyTo: answer });
    expect(await ended(word)).toMatchObject({ wish: 'remove', reply: 'sent' });
    expect(await saveOf(another)).toBeNull();
    expect((await request(api.app).get(`/amber/archives/${post.id}`)).status).toBe(410);
  });

  it('obeys no account that only an agent’s key has called the author', async () => {
    const agent = await startAgent();
    const [author, claimed] = [x.network.account('ada'), x.network.account('mallory')];
    const post = x.network.post(author, 'worth keeping');
    await api.add(
      newPost({
        id: post.id,
        authorId: claimed.id,
        authorUsername: claimed.username,
        url: `https://x.com/i/status/${post.id}`,
      }),
    );
    expect(await api.context.posts.store.find(post.id)).toMatchObject({ authorId: claimed.id });
    // The origin that an imported file can give a post.
    const origin = { savedBy: { via: 'save' }, capture: { method: 'x-api', complete: true, signed: false } };
    await api.context.database.db.collection('posts').updateOne({ ids: post.id }, { $set: { origin } });
    for (const wish of ['remove', 'remove all'] as const) {
      const told = await waiting(1, {
        wish,
        state: 'received',
        key: `waiting ${wish}`,
        askedBy: { kind: 'account', id: `x:${claimed.id}`, handle: claimed.username },
        target: { platform: 'x', id: post.id, address: post.id, url: `https://x.com/i/status/${post.id}` },
      });
      await agent.runUntilEmpty();
      expect(await told()).not.toContain('due');
      expect(await api.context.posts.store.find(post.id)).toMatchObject({ id: post.id, featured: false });
    }
  });

  it('removes no post out of sight for another than its author', async () => {
    const agent = await startAgent();
    const { post, asked, author } = ask();
    await ended(asked);
    const { store, sealed } = api.context.posts;
    const kept = (await store.find(post.id)) as PostDocument;
    expect(await sealed.seal(kept, 'x', 'deleted', new Date(Date.now() + 3_600_000))).toBe(true);
    const remove = async (id: string) => {
      const url = `https://x.com/i/status/${post.id}`;
      const told = await waiting(1, {
        wish: 'remove',
        state: 'received',
        key: `waiting ${id}`,
        askedBy: { kind: 'account', id: `x:${id}`, handle: 'another' },
        target: { platform: 'x', id: post.id, address: post.id, url },
      });
      await agent.runUntilEmpty();
      await told();
      return sealed.find(kept._id);
    };
    expect(await remove('99')).toMatchObject({ id: post.id });
    expect(await remove(author.id)).toBeNull();
  });

  it('says why a post is not saved', async () => {
    await startAgent();
    const { post, asked } = ask();
    x.network.delete(post);
    // The post may still appear, so the agent retries.
    const early = await worked(async () => {
      const save = await saveOf(asked);
      return save && save.attempts > 0 && !save.lease ? save : null;
    });
    expect(early).toMatchObject({ state: 'received', reason: null });
    const createdAt = new Date(early.createdAt.getTime() - 5_000);
    await saves().updateOne({ key: asked.id }, { $set: { createdAt, dueAt: new Date(0) } });
    expect(await ended(asked)).toMatchObject({ state: 'failed', reason: 'not_found', reply: 'sent' });
    expect(repliesTo(asked)[0]?.typed).toContain('There is no such post');
  });

  it('answers once where nothing is heard of its answer', async () => {
    x.faults.add('create', { kind: 'lost' });
    await startAgent();
    const { asked } = ask();
    const waiting = await worked(async () => {
      const save = await saveOf(asked);
      return save?.mayBeAnswered && !save.lease ? save : null;
    });
    expect(waiting.dueAt.getTime()).toBeGreaterThan(Date.now() + 30_000);
    await saves().updateOne({ key: asked.id }, { $set: { dueAt: new Date(0) } });
    expect(await ended(asked)).toMatchObject({ state: 'answered', reply: 'sent', attempts: 1 });
    expect(repliesTo(asked)).toHaveLength(1);
    expect(x.answered.filter(({ endpoint }) => endpoint === 'create')).toHaveLength(1);
  });

  it('answers once where a process died after it had sent the answer', async () => {
    const agent = await startAgent();
    const { asked } = ask();
    await ended(asked);
    await agent.stop();
    // The state after the reply was sent and before it was recorded.
    const left = { state: 'stored', reply: 'due', replyId: null, mayBeAnswered: true, queue: 'reply on x' } as const;
    await saves().updateOne({ key: asked.id }, { $set: left });
    await startAgent();
    const save = await ended(asked);
    expect(save.replyId).toBe(repliesTo(asked)[0]?.id);
    expect(repliesTo(asked)).toHaveLength(1);
    expect(x.answered.filter(({ endpoint }) => endpoint === 'create')).toHaveLength(1);
  });

  it('reads nothing more once the day’s reads are spent, and says so once', async () => {
    const agent = await startAgent({ AGENT_READS_PER_DAY: '2' });
    // The account itself and the mention use up the reads, so none is left for the post.
    const { asked } = ask();
    await expect(agent.runUntilEmpty()).rejects.toThrow('the budget of reads is spent');
    const save = await worked(async () => {
      const waiting = await saveOf(asked);
      return waiting && waiting.attempts > 0 && !waiting.lease ? waiting : null;
    });
    expect(save.state).toBe('received');
    expect(save.dueAt.getUTCHours() + save.dueAt.getUTCMinutes()).toBe(0);
    expect(x.answered.map(({ endpoint }) => endpoint).filter((one) => one === 'lookup')).toEqual([]);
    expect(lines.filter(({ alarm }) => alarm === 'reads spent')).toHaveLength(1);
  });

  /** Unanswered requests of one asker. */
  async function waiting(count: number, more: Partial<SaveDocument>): Promise<() => Promise<string[]>> {
    const asker = x.network.account('asker');
    const now = api.context.database.clock.now();
    const posts = Array.from({ length: count }, (_, at) => x.network.post(asker, `@amberkeeps hello ${at}`));
    await new SaveStore(api.context.database).add(
      posts.map(({ id, at }, index) => ({
        key: `waiting ${id}`,
        platform: 'x',
        link: 'https://x.com/i/web/status/1',
        target: null,
        wantsThread: false,
        askedBy: { kind: 'account', id: 'x:asker' },
        askedIn: { address: id, url: 'https://x.com/i/web/status/1', at },
        via: 'mention',
        state: 'stored',
        reason: null,
        dueAt: now,
        endsAt: new Date(now.getTime() + 3_600_000),
        archiveId: null,
        reply: 'due',
        createdAt: now,
        words: `You asked ${index}`,
        ...more,
      })),
    );
    return () =>
      worked(async () => {
        const all = await saves()
          .find({ key: /^waiting / })
          .toArray();
        return all.some(({ reply }) => reply === 'due') ? null : all.map(({ reply }) => reply).toSorted();
      });
  }

  it('tells who asks too often so once, and what may be asked for a few times', async () => {
    const refused = await waiting(3, { state: 'failed', reason: 'limit_reached' });
    await startAgent();
    expect(await refused()).toEqual(['sent', 'skipped', 'skipped']);
    await saves().deleteMany({});
    const helped = await waiting(7, { wish: 'help' });
    expect(await helped()).toEqual([...Array(5).fill('sent'), 'skipped', 'skipped']);
  });

  it('answers an author a few words a day, does what each says, and writes down only what changes something', async () => {
    await startAgent();
    const { post, asked, author } = ask();
    await ended(asked);
    const answer = repliesTo(asked)[0] as PostOnX;
    const replies: string[] = [];
    const words = ['allow', 'allow', 'no archive', 'help', 'no archive', 'allow', 'allow', 'remove'];
    for (const [second, word] of words.entries()) {
      const at = new Date(answer.at.getTime() + (second + 1) * 1_000);
      replies.push((await ended(x.network.post(author, word, { replyTo: answer, at }))).reply);
    }
    expect(replies).toEqual([...Array(5).fill('sent'), ...Array(3).fill('skipped')]);
    expect((await request(api.app).get(`/amber/archives/${post.id}`)).status).toBe(410);
    const { entries = [] } = (await readLedger(ledgerFolder(dataDir))) ?? {};
    const wishes = entries.flatMap((entry) => (entry.kind === 'wish' ? [entry.wish] : []));
    const own = wishes.filter(({ _id }) => _id === `x:${author.id}`);
    expect(own.map(({ noArchive }) => noArchive)).toEqual([true, false]);
  });

  it('says once that the day’s replies are spent', async () => {
    const ends = await waiting(4, {});
    await startAgent({ AGENT_REPLIES_PER_DAY: '1' });
    expect(await ends()).toEqual(['sent', 'skipped', 'skipped', 'skipped']);
    expect(lines.filter(({ alarm }) => alarm === 'replies spent')).toHaveLength(1);
  });

  it('says in /ready and on the page of the day that it cannot reach X, until it can', async () => {
    const { db } = api.context.database;
    const lease = new Lease(db, agentLease('x'));
    const away = async ({ isAlive = true } = {}) => {
      if (isAlive) await lease.take();
      const { agentsAway } = await showToday(api.context);
      // The API caches this answer for a second.
      await until(async () => {
        const ready = await request(api.app).get('/ready');
        return ready.status === 200 && isDeepStrictEqual(ready.body.agentsAway, agentsAway);
      });
      return agentsAway;
    };
    expect(await away({ isAlive: false })).toEqual([{ platform: 'x', since: null }]);
    const agent = await startAgent();
    expect(await away()).toEqual([]);
    x.faults.add('mentions', { kind: 'status', status: 503 }, 10);
    await expect(agent.runUntilEmpty()).rejects.toThrow();
    const [first] = await away();
    expect(first).toEqual({ platform: 'x', since: expect.any(String) });
    const another = startAgent();
    await expect(another).rejects.toThrow();
    expect(await away()).toEqual([first]);
    x.faults.clear();
    await startAgent();
    expect(await away()).toEqual([]);
    await db.collection('leases').deleteMany({});
    expect(await away({ isAlive: false })).toEqual([{ platform: 'x', since: null }]);
  });

  it('does not move back from where another went on', async () => {
    const agents = new AgentStore(api.context.database.db);
    await agents.begin('x', new Date());
    await agents.moveCursor('x', { from: null, to: '2' });
    await agents.moveCursor('x', { from: null, to: '1' });
    expect((await agents.begin('x', new Date())).cursor).toBe('2');
  });

  it('says in production what it needs before it works', async () => {
    const production = {
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://amber.example',
      AUDIT_KEY: 'a'.repeat(32),
      JWT_SECRET: 'x'.repeat(32),
      TRUSTED_PROXIES: '0',
      MONGODB_URI: process.env['MONGODB_URI'],
      DATA_DIR: dataDir,
    };
    const settings = { ...env, ...production, X_BASE_URL: 'https://api.x.com' };
    const recorded = recordedLog();
    const agent = await createAgent(readConfig(settings), { databaseName, log: recorded.log });
    expect(agent.handles).toEqual([]);
    expect(recorded.lines.map(({ msg }) => msg)).toContainEqual(expect.stringContaining('X_EXPORT is not set'));
    await agent.stop();
    const allowed = await createAgent(readConfig({ ...settings, X_EXPORT: 'ids' }), {
      databaseName,
      log: recorded.log,
    });
    expect(allowed.handles).toEqual(['amberkeeps (x)']);
    await allowed.stop();
    expect(() => readConfig({ ...settings, X_BASE_URL: 'http://api.x.com' })).toThrow('X_BASE_URL');
    expect(() => readConfig({ ...settings, X_API_KEY: '' })).toThrow('X_API_KEY');
  });
});
