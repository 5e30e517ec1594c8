import { TestWallet } from '@archive/testing';
import { aPicture } from '@archive/testing/media';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import request from 'supertest';
import { decide as decideByCommand } from '../src/cli/reports.ts';
import type { PaymentDocument } from '../src/featuring/payment-document.ts';
import { applyPayment } from '../src/featuring/settle-payment.ts';
import type { PostDocument } from '../src/posts/post-document.ts';
import { SealedPostStore } from '../src/posts/sealed-post-store.ts';
import { showMediaAsPost } from '../src/posts/show-media-as-post.ts';
import { createReport } from '../src/reports/create-report.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const HIDES_AT = 3;
let serial = 0;
/** A word that occurs in no other text. */
const newWord = () => `zyx${(++serial).toString().padStart(4, '0')}word`;

describe('reports', () => {
  let api: TestApi;
  const admin = new TestWallet();
  const moderator = new TestWallet();
  const tokens = { admin: '', moderator: '' };

  beforeAll(async () => {
    api = await startTestApi({
      env: {
        ADMIN_WALLETS: admin.address,
        RATE_LIMITS: 'off',
        REPORTS_HIDE: String(HIDES_AT),
        TRUSTED_PROXIES: '1',
      },
    });
    tokens.admin = (await admin.signIn(api)).token;
    tokens.moderator = (await moderator.signIn(api)).token;
    await api.context.operators.store.make(moderator.address, 'test');
  });

  afterAll(() => api.close());

  const addPost = async (fields: Record<string, unknown> = {}) => {
    const post = newPost({ content: `kept ${newWord()}`, ...fields });
    await api.add(post);
    const found = await api.context.posts.store.find(post['id'] as string);
    return { id: found?._id.toHexString() ?? '', content: post['content'] as string };
  };
  const report = (postId: string, fields: object = {}, from = '203.0.113.7') =>
    request(api.app)
      .post('/amber/reports')
      .set('X-Forwarded-For', from)
      .send({ postId, reason: 'spam', ...fields });
  const call = (method: 'get' | 'post', path: string, body?: object, token = tokens.moderator) => {
    const asked = request(api.app)[method](`/amber/admin${path}`).set('Authorization', `Bearer ${token}`);
    return body ? asked.send(body) : asked;
  };
  const status = async (statusPath: string) =>
    (await request(api.app).get(`/amber/reports/${statusPath.slice(8)}`)).body;
  const queue = async (state = 'open') => {
    const all = [];
    for (let next: string | null = ''; next !== null; ) {
      const { body } = await call('get', `/reports?state=${state}${next ? `&after=${next}` : ''}`);
      all.push(...body.data);
      next = body.next;
    }
    return all;
  };
  const inQueue = async (post: string, state = 'open') => (await queue(state)).find(({ _id }) => _id === post);
  const decide = (post: string, body: object, token?: string) => call('post', `/reports/${post}/decide`, body, token);

  it('is decided by the command line as by the page, once', async () => {
    const { config, database, ledger, audit } = api.context;
    const byCommand = (id: string, act: 'hide' | 'dismiss', answer?: string) =>
      decideByCommand({ config, database, ledger, audit }, id, act, answer === undefined ? {} : { answer });
    const [hidden, kept] = [await addPost(), await addPost()];
    const { body } = await report(hidden.id);
    const { body: other } = await report(kept.id);
    expect(await byCommand(hidden.id, 'hide', 'Thank you.')).toBe(true);
    expect(await status(body.statusPath)).toMatchObject({ state: 'hidden', answer: 'Thank you.' });
    expect(await byCommand('R-1', 'dismiss')).toBe(false);
    expect(await byCommand(other.id, 'dismiss')).toBe(true);
    expect(await inQueue(kept.id, 'done')).toMatchObject({ postState: 'shown', decision: { by: 'command line' } });
    expect([await inQueue(hidden.id), await inQueue(kept.id)]).toEqual([undefined, undefined]);
    expect(await byCommand(hidden.id, 'dismiss')).toBe(false);
    expect(await byCommand((await addPost()).id, 'hide')).toBe(false);
  });

  it('tells nobody what became of a report but who knows its address', async () => {
    const { id } = await addPost();
    const { body } = await report(id, { words: 'look at it', contact: 'ann@example.org' });
    expect(body).toEqual({
      id: expect.stringMatching(/^R-\d{5,}$/),
      statusPath: expect.stringMatching(/^\/report\/[\w-]{22}$/),
    });
    const right = body.statusPath.slice('/report/'.length);
    const guesses = [
      '',
      'x',
      'A'.repeat(22),
      right.slice(0, 21),
      `${right}A`,
      body.id,
      id,
      right.toLowerCase(),
      '%00',
      '__proto__',
    ];
    for (const guess of guesses) {
      const answer = await request(api.app).get(`/amber/reports/${encodeURIComponent(guess)}`);
      expect([guess, answer.status]).toEqual([guess, 404]);
    }
    const known = await request(api.app).get(`/amber/reports/${right}`);
    expect(known.headers['cache-control']).toBe('no-store');
    expect(known.body).toEqual({
      id: body.id,
      state: 'open',
      createdAt: expect.any(String),
      decidedAt: null,
      answer: null,
    });
    const kept = JSON.stringify(await api.context.database.db.collection('reports').find().toArray());
    expect(kept).not.toContain(right);
    expect(kept).not.toContain('203.0.113');
  });

  it('refuses what is no report, a post that is unknown, and one that was removed', async () => {
    const { id } = await addPost();
    for (const fields of [
      { reason: 'dislike' },
      { words: 'x'.repeat(1_001) },
      { words: '\ud800' },
      { contact: 'x'.repeat(201) },
      { words: { $gt: '' } },
      { postId: { $ne: null } },
      { reason: null },
    ]) {
      expect([fields, (await report(id, fields)).status]).toEqual([fields, 400]);
    }
    expect((await report('nobody')).status).toBe(404);
    expect((await report(id, { words: '😀'.repeat(1_000) })).status).toBe(201);
    const gone = await addPost();
    await api.context.posts.store.remove(new ObjectId(gone.id));
    expect((await report(gone.id)).status).toBe(410);
  });

  it('counts reports of one network and keeps the first; who follows it is bounded', async () => {
    const { id } = await addPost();
    const answers = [];
    for (let at = 0; at < 22; at++) answers.push(await report(id, { words: `number ${at}` }, `198.51.100.${at}`));
    expect(answers.map(({ status }) => status)).toEqual([...Array(20).fill(201), 429, 429]);
    expect(new Set(answers.slice(0, 20).map(({ body }) => body.id)).size).toBe(1);
    expect((await status(answers[19]?.body.statusPath)).state).toBe('open');
    const one = await inQueue(id);
    expect(one).toMatchObject({ networks: 1, counts: { spam: 22 }, reports: [{ words: 'number 0' }] });
  });

  it('lets one network spend its day on no more reports than it may, whatever its addresses', async () => {
    const limited = await startTestApi({ env: { TRUSTED_PROXIES: '1' } });
    const post = newPost();
    await limited.add(post);
    const statuses: number[] = [];
    for (let at = 0; at < 60; at++) {
      const { status } = await request(limited.app)
        .post('/amber/reports')
        .set('X-Forwarded-For', `192.0.2.${at}`)
        .send({ postId: post['id'], reason: 'wrong' });
      statuses.push(status);
    }
    expect(statuses.filter((one) => one === 201).length).toBe(20);
    expect(statuses.slice(50).every((one) => one === 429)).toBe(true);
    const own = [];
    for (let at = 0; at < 7; at++) {
      const asked = request(limited.app).post('/amber/reports').set('X-Forwarded-For', '203.0.113.200');
      own.push((await asked.send({ postId: 'nobody', reason: 'wrong' })).status);
    }
    expect(own).toEqual([404, 404, 404, 404, 404, 429, 429]);
    await limited.close();
  });

  it('keeps the words of so many reports of one post, and counts a flood from many networks', async () => {
    const { id } = await addPost();
    const context = api.context;
    const one = { postId: id, reason: 'wrong' as const, words: 'flood', contact: 'a@b' };
    for (let at = 0; at < 130; at++) await createReport(context, one, `10.${at}.0.0/24`);
    const kept = await context.database.db
      .collection('reports')
      .countDocuments({ post: new ObjectId(id), words: 'flood' });
    expect(kept).toBe(100);
    const shown = await inQueue(id);
    expect(shown).toMatchObject({ networks: 100, counts: { wrong: 130 } });
    expect(shown.reports.length).toBeLessThanOrEqual(130);
  });

  it('takes out of the words what would act on the page of a moderator', async () => {
    const { id } = await addPost();
    const words = '<img src=x onerror=alert(1)>\u202Etxet\u0000\u0007\u2066 \u200F😀\nline';
    await report(id, { words, contact: '\u202Eann' });
    const [kept] = (await inQueue(id)).reports;
    expect([kept.words, kept.contact]).toEqual(['<img src=x onerror=alert(1)>txet 😀\nline', 'ann']);
  });

  it('lists the gravest first, then the oldest', async () => {
    for (const one of await queue()) await decide(one._id, { act: 'dismiss', seen: one.round });
    const posts = [await addPost(), await addPost(), await addPost(), await addPost()];
    const reasons = ['wrong', 'about_me', 'illegal', 'about_me'];
    for (const [at, { id }] of posts.entries()) await report(id, { reason: reasons[at] });
    expect((await queue()).map(({ _id }) => posts.findIndex(({ id }) => id === _id))).toEqual([2, 1, 3, 0]);
    await report(posts[0]?.id ?? '', { reason: 'private' }, '10.9.9.9');
    expect((await queue()).map(({ reason }) => reason)).toEqual(['illegal', 'private', 'about_me', 'about_me']);
  });

  it('shows what an author asks for after what is illegal or private, and before all else, over pages too', async () => {
    const posts: string[] = [];
    const reasons = ['about_me', 'mine', 'illegal', 'private', 'mine'];
    for (const reason of reasons) {
      const { id } = await addPost();
      posts.push(id);
      expect((await report(id, { reason })).status).toBe(201);
    }
    const shown = (await queue()).filter(({ _id }) => posts.includes(_id));
    expect(shown.map(({ reason }) => reason)).toEqual(['illegal', 'private', 'mine', 'mine', 'about_me']);
    const { body } = await call('get', '/reports?after=1_5.0.000000000000000000000000');
    expect(body.data.map(({ reason }: { reason: string }) => reason).slice(0, 2)).toEqual(['mine', 'mine']);
    for (const id of posts) await decide(id, { act: 'dismiss', seen: 0 });
  });

  it('ends by itself where its post is removed for good', async () => {
    const [gone, left] = [await addPost(), await addPost()];
    const { body } = await report(gone.id);
    await report(left.id);
    const found = await api.context.posts.store.find(gone.id);
    await api.context.posts.store.remove((found as { _id: ObjectId })._id);
    expect([await inQueue(gone.id), (await inQueue(left.id))?._id]).toEqual([undefined, left.id]);
    expect(await inQueue(gone.id, 'done')).toMatchObject({ decision: { act: 'remove', by: 'archive' } });
    expect(await status(body.statusPath)).toMatchObject({ state: 'removed' });
    await decide(left.id, { act: 'dismiss', seen: 0 });
  });

  it('pages through a long queue without a gap', async () => {
    const before = (await queue()).length;
    const ids = [];
    for (let at = 0; at < 45; at++) ids.push((await addPost()).id);
    for (let at = 0; at < ids.length; at += 15) {
      const some = ids.slice(at, at + 15).map((id, n) => report(id, {}, `10.7.${at + n}.1`));
      expect(new Set((await Promise.all(some)).map(({ status }) => status))).toEqual(new Set([201]));
    }
    const found = (await queue()).map(({ _id }) => _id);
    expect(found.length).toBe(before + 45);
    expect(new Set(found).size).toBe(found.length);
    const numbers = await api.context.database.db.collection('reports').distinct('number');
    expect(numbers.length).toBe(await api.context.database.db.collection('reports').countDocuments());
  });

  it('lets one of two moderators decide, and tells the other what was decided and by whom', async () => {
    const { id } = await addPost();
    const { body } = await report(id, { words: 'names', contact: 'ann' });
    const [first, second] = await Promise.all([
      decide(id, { act: 'hide', seen: 0, reason: 'names in it', answer: 'It is hidden.' }),
      decide(id, { act: 'dismiss', seen: 0 }, tokens.admin),
    ]);
    const [won, lost] = first.status === 200 ? [first, second] : [second, first];
    expect([won.status, lost.status]).toEqual([200, 409]);
    expect(lost.body.code).toBe('already_decided');
    const by = won === first ? moderator.address : admin.address;
    expect(lost.body.message).toContain(by);
    const isHidden = won === first;
    expect((await request(api.app).get(`/amber/archives/${id}`)).status).toBe(isHidden ? 404 : 200);
    expect(await status(body.statusPath)).toMatchObject({ state: isHidden ? 'hidden' : 'kept' });
  });

  it('tells the reporter what was decided, in the words of the moderator', async () => {
    const { id } = await addPost();
    const { body } = await report(id);
    await decide(id, { act: 'hide', law: true, seen: 0, answer: 'A court said so.' });
    expect(await status(body.statusPath)).toEqual({
      id: body.id,
      state: 'hidden',
      createdAt: expect.any(String),
      decidedAt: expect.any(String),
      answer: 'A court said so.',
    });
    const page = await request(api.app).get(`/amber/archives/${id}`);
    expect([page.status, page.body.code]).toEqual([451, 'post_withheld']);
    expect((await report(id)).status).toBe(451);
  });

  it('takes the last decision back', async () => {
    const { id } = await addPost();
    const { body } = await report(id);
    const shown = (await request(api.app).get(`/amber/archives/${id}`)).body;
    await decide(id, { act: 'hide', seen: 0 });
    expect((await call('post', `/reports/${id}/reopen`, { seen: 0 })).status).toBe(409);
    const undone = await call('post', `/reports/${id}/reopen`, { seen: 1 });
    expect([undone.status, undone.body.state, undone.body.round]).toEqual([200, 'open', 2]);
    expect((await request(api.app).get(`/amber/archives/${id}`)).body).toEqual(shown);
    expect(await status(body.statusPath)).toMatchObject({ state: 'open', decidedAt: null, answer: null });
    const again = await decide(id, { act: 'dismiss', seen: 2 });
    expect(again.status).toBe(200);
  });

  it('takes back to how the post stood before, whatever was decided', async () => {
    const code = async (id: string) => (await request(api.app).get(`/amber/archives/${id}`)).body.code ?? 'shown';
    const byReports = await addPost();
    for (let at = 0; at < HIDES_AT; at++) await report(byReports.id, { reason: 'illegal' }, `10.4.${at}.1`);
    const forRules = await addPost();
    await report(forRules.id);
    await call('post', `/posts/${forRules.id}/hide`, { for: 'rules' });
    const shown = await addPost();
    await report(shown.id);
    for (const [{ id }, before, asked, decided] of [
      [byReports, 'post_hidden', { act: 'dismiss' }, 'shown'],
      [forRules, 'post_hidden', { act: 'hide', law: true }, 'post_withheld'],
      // Dismissing the reports does not show a post that a moderator has hidden.
      [forRules, 'post_hidden', { act: 'dismiss' }, 'post_hidden'],
      [shown, 'shown', { act: 'dismiss' }, 'shown'],
    ] as const) {
      const { round } = await inQueue(id);
      expect(await code(id)).toBe(before);
      expect((await decide(id, { ...asked, seen: round })).status).toBe(200);
      expect([id, await code(id)]).toEqual([id, decided]);
      const undone = await call('post', `/reports/${id}/reopen`, { seen: round + 1 });
      expect([undone.status, undone.body.round, undone.body.decision]).toEqual([200, round + 2, null]);
      expect([id, await code(id)]).toEqual([id, before]);
    }
    for (const { id } of [byReports, forRules, shown])
      await decide(id, { act: 'dismiss', seen: (await inQueue(id)).round });
  });

  it('lists what was decided with the latest first, over pages too', async () => {
    const posts: string[] = [];
    for (let at = 0; at < 3; at++) {
      const { id } = await addPost();
      posts.push(id);
      await report(id);
    }
    for (const id of [posts[1], posts[0], posts[2]] as string[]) await decide(id, { act: 'dismiss', seen: 0 });
    const done = (await queue('done')).map(({ _id }) => _id);
    expect(done.slice(0, 3)).toEqual([posts[2], posts[0], posts[1]]);
    expect(new Set(done).size).toBe(done.length);
    const { body } = await call('get', '/reports?state=done');
    expect(body.total).toBe(done.length);
  });

  it('tells the figures of the day, each of what it is of', async () => {
    const { db } = api.context.database;
    const now = new Date();
    const day = new Date(now.getTime() - 86_400_000 - 3_600_000);
    const saves = ['failed not_found', 'failed taken_back', 'failed cancelled', 'answered', 'received'];
    await db.collection('saves').insertMany([
      ...saves.map((one, at) => {
        const [state, reason = null] = one.split(' ');
        return { key: `figure ${at}`, state, reason, createdAt: now };
      }),
      { key: 'figure of before', state: 'failed', reason: 'not_found', createdAt: day },
    ]);
    const payments = ['confirmed', 'applied', 'finalized', 'dropped', 'credit', 'credit used'];
    await db.collection<{ _id: string }>('payments').insertMany(
      payments.map((one) => {
        const [state, use = null] = one.split(' ');
        return { _id: `figure ${one}`, state, use, createdAt: now };
      }),
    );
    const launches = ['claimed', 'signed', 'sent', 'confirmed', 'finalized', 'failed', 'expired'];
    await db.collection('launches').insertMany(
      launches.map((state) => ({
        state,
        mint: `figure ${state}`,
        claim: `figure ${state}`,
        confirmedAt: ['confirmed', 'finalized'].includes(state) ? now : null,
      })),
    );
    const { body } = await call('get', '/today');
    expect(body).toMatchObject({
      payments: { unsettled: 2, credits: 1 },
      launches: { unsettled: 3, today: 2 },
      disk: { floorBytes: 0 },
    });
    expect(body.reportsOpen).toBe((await queue()).length);
    expect(body.hours).toHaveLength(24);
    const hours = body.hours as Record<string, number>[];
    const sum = (field: string) => hours.reduce((all, hour) => all + (hour[field] ?? 0), 0);
    expect([sum('saves'), sum('failedSaves'), sum('payments')]).toEqual([5, 1, 6]);
    // A new hour may have started meanwhile.
    expect(hours.slice(-2).reduce((all, hour) => all + (hour['saves'] ?? 0), 0)).toBe(5);
    for (const name of ['saves', 'payments', 'launches']) await db.collection(name).deleteMany({});
  });

  it('removes for good for an admin alone, who has signed in just now, and never takes that back', async () => {
    const { id } = await addPost();
    const { body } = await report(id);
    await decide(id, { act: 'hide', seen: 0 });
    await call('post', `/reports/${id}/reopen`, { seen: 1 });
    await call('post', `/posts/${id}/hide`, {});
    expect((await call('post', `/reports/${id}/remove`, { seen: 2 })).status).toBe(404);
    const removed = await call('post', `/reports/${id}/remove`, { seen: 2 }, tokens.admin);
    expect([removed.status, removed.body.postState, removed.body.post]).toEqual([200, 'removed', null]);
    expect((await request(api.app).get(`/amber/archives/${id}`)).status).toBe(410);
    expect(await api.context.posts.sealed.find(new ObjectId(id))).toBe(null);
    expect((await call('post', `/reports/${id}/reopen`, { seen: 3 }, tokens.admin)).status).toBe(409);
    expect((await call('post', `/posts/${id}/unhide`, {}, tokens.admin)).status).toBe(404);
    expect(await status(body.statusPath)).toMatchObject({ state: 'removed' });
  });

  it('hides what enough networks report as grave, until somebody keeps it, and then never again', async () => {
    const { id } = await addPost();
    for (const from of ['10.1.1.1', '10.1.1.2', '10.1.2.1']) await report(id, { reason: 'illegal' }, from);
    for (const from of ['10.1.3.1', '10.1.4.1']) await report(id, { reason: 'spam' }, from);
    expect((await request(api.app).get(`/amber/archives/${id}`)).status).toBe(200);
    await report(id, { reason: 'private' }, '10.1.5.1');
    const hidden = await request(api.app).get(`/amber/archives/${id}`);
    expect([hidden.status, hidden.body.code]).toEqual([404, 'post_hidden']);
    const one = await inQueue(id);
    expect(one).toMatchObject({ isHiddenByReports: true, postState: 'hidden', post: { _id: id }, networks: 5 });
    expect((await decide(id, { act: 'dismiss', seen: one.round })).status).toBe(200);
    expect((await request(api.app).get(`/amber/archives/${id}`)).status).toBe(200);
    for (let at = 0; at < 6; at++) await report(id, { reason: 'illegal' }, `10.2.${at}.1`);
    expect((await request(api.app).get(`/amber/archives/${id}`)).status).toBe(200);
    const later = await inQueue(id);
    expect(later).toMatchObject({ state: 'open', isHiddenByReports: false });
    // After a moderator hides the post, it no longer counts as hidden by reports.
    await call('post', `/posts/${id}/hide`, { for: 'rules' });
    expect((await decide(id, { act: 'dismiss', seen: later.round })).status).toBe(200);
    expect((await request(api.app).get(`/amber/archives/${id}`)).body.code).toBe('post_hidden');
  });

  it('tries again with the next report where a post could not be hidden', async () => {
    const { id } = await addPost();
    for (const from of ['10.5.1.1', '10.5.2.1']) await report(id, { reason: 'illegal' }, from);
    const seal = async () => {
      throw new Error('the database is away');
    };
    const input = { postId: id, reason: 'illegal', words: '', contact: '' } as const;
    await createReport({ ...api.context, media: { ...api.context.media, seal } }, input, '10.5.3.0/24');
    expect((await request(api.app).get(`/amber/archives/${id}`)).status).toBe(200);
    await createReport(api.context, input, '10.5.4.0/24');
    expect((await request(api.app).get(`/amber/archives/${id}`)).body.code).toBe('post_hidden');
  });

  it('leaves away what operators hide for the law after reports had hidden it, though these are dismissed', async () => {
    const { id } = await addPost();
    for (let at = 0; at < 6; at++) await report(id, { reason: 'illegal' }, `10.3.${at}.1`);
    const one = await inQueue(id);
    expect(one).toMatchObject({ isHiddenByReports: true, postState: 'hidden' });
    await call('post', `/posts/${id}/hide`, { for: 'law' });
    expect((await request(api.app).get(`/amber/archives/${id}`)).status).toBe(451);
    expect((await decide(id, { act: 'dismiss', seen: one.round })).status).toBe(200);
    expect((await request(api.app).get(`/amber/archives/${id}`)).status).toBe(451);
  });

  it('hides for reports no more than so many posts a day, and then rings an alarm', async () => {
    const told: object[] = [];
    const { log } = api.context;
    const { error } = log;
    log.error = ((details: object) => told.push(details)) as typeof log.error;
    const ids = [];
    for (let at = 0; at < 22; at++) {
      const { id } = await addPost();
      ids.push(id);
      for (let network = 0; network < HIDES_AT; network++) {
        await createReport(
          api.context,
          { postId: id, reason: 'illegal', words: '', contact: '' },
          `10.3.${network}.0/24`,
        );
      }
    }
    log.error = error;
    const statuses = await Promise.all(
      ids.map(async (id) => (await request(api.app).get(`/amber/archives/${id}`)).status),
    );
    const hidden = statuses.filter((one) => one === 404).length;
    const { body } = await call('get', '/today');
    expect(body.hiddenByReports).toEqual({ today: 20, atMost: 20, isOver: true });
    expect(hidden).toBeLessThan(22);
    expect(told).toContainEqual(expect.objectContaining({ alarm: 'reports hide too much' }));
  });

  it('writes every act into the log, and never the words of a report or a post', async () => {
    const post = await addPost();
    const secret = newWord();
    await report(post.id, { words: secret, contact: secret });
    await decide(post.id, { act: 'hide', seen: 0, reason: 'names', answer: 'Hidden.' });
    await call('post', `/reports/${post.id}/reopen`, { seen: 1 });
    await call('post', `/posts/${post.id}/hide`, { for: 'law', reason: 'a court' });
    await call('post', `/posts/${post.id}/unhide`, {});
    const { body } = await call('get', `/log?subject=${post.id}`, undefined, tokens.admin);
    expect(body.data.map(({ act }: { act: string }) => act)).toEqual([
      'unhide post',
      'hide post',
      'reopen reports',
      'hide reported',
    ]);
    const all = JSON.stringify(await api.context.database.db.collection('audit').find().toArray());
    expect(all).not.toContain(secret);
    expect(all).not.toContain(post.content);
  });

  it('forgets words, contact and network some time after the decision', async () => {
    const { id } = await addPost();
    const { body } = await report(id, { words: 'remember me', contact: 'ann' });
    await decide(id, { act: 'dismiss', seen: 0 });
    const reports = api.context.database.db.collection('reports');
    const reported = api.context.database.db.collection('reported_posts');
    const expire = async (days: number) => {
      const doneAt = new Date(Date.now() - days * 86_400_000);
      await reports.updateOne({ post: new ObjectId(id) }, { $set: { doneAt } });
      await reported.updateOne({ _id: new ObjectId(id) }, { $set: { changedAt: doneAt } });
      await api.context.reports.store.expire();
    };
    await expire(89);
    expect(await reports.findOne({ post: new ObjectId(id) })).toMatchObject({ words: 'remember me', contact: 'ann' });
    expect((await inQueue(id, 'done')).networks).toBe(1);
    await expire(91);
    expect((await inQueue(id, 'done')).networks).toBe(0);
    const kept = await reports.findOne({ post: new ObjectId(id) });
    expect(kept).toMatchObject({ words: '', contact: '', state: 'kept' });
    expect(kept).not.toHaveProperty('network');
    expect(await status(body.statusPath)).toMatchObject({ state: 'kept' });
  });

  it('goes on with what somebody was killed at', async () => {
    const { id } = await addPost();
    await report(id);
    await api.context.reports.store.claim(new ObjectId(id), 0, 'open', { act: 'hide', by: 'nobody' });
    expect(await inQueue(id)).toBe(undefined);
    const longAgo = new Date(Date.now() - 60_000);
    await api.context.database.db
      .collection('reported_posts')
      .updateOne({ _id: new ObjectId(id) }, { $set: { changedAt: longAgo } });
    expect(await inQueue(id)).toMatchObject({ round: 1 });
    expect((await decide(id, { act: 'hide', seen: 1 })).status).toBe(200);
  });

  describe('a hidden post', () => {
    it('is told in no public answer, and comes back byte for byte', async () => {
      const word = newWord();
      const handle = `h${newWord()}`;
      const picture = await api.context.media.keep(await aPicture());
      const sha256 = 'sha256' in picture ? picture.sha256 : '';
      const { id } = await addPost({ content: `this says ${word}`, author: 'Somebody', authorUsername: handle });
      await api.context.media.addReference(sha256, id);
      const { id: platformId = '' } = (await request(api.app).get(`/amber/archives/${id}`)).body;
      const quoting = await addPost({
        quoted: { id: platformId, platform: 'x', url: 'https://x.com/adabyron/status/1', author: 'x' },
      }).catch(() => null);
      const token = (await new TestWallet().signIn(api)).token;
      const asWallet = (method: 'get' | 'post' | 'put', path: string, body: object = {}) =>
        request(api.app)[method](`/amber${path}`).set('Authorization', `Bearer ${token}`).send(body);
      await asWallet('post', `/reactions/${id}`, { reactionType: 'heart' });
      await api.context.posts.store.setFeatured(new ObjectId(id), true);
      const { body: made } = await asWallet('post', '/collections', { name: 'mine', isPublic: true });
      await asWallet('put', `/collections/${made._id}/posts/${id}`);
      const paths = [
        '/amber/archives?limit=1000',
        `/amber/archives?search=${word}`,
        `/amber/archives?q=${word}`,
        `/amber/archives?featured=true`,
        `/amber/archives?handle=${handle}`,
        `/amber/archives/${id}`,
        `/amber/archives/${platformId}`,
        `/amber/archives/${id}/thread`,
        ...(quoting ? [`/amber/archives/${quoting.id}`] : []),
        '/amber/archives/export?format=ndjson',
        '/amber/archives/export?format=csv',
        '/amber/archives/export?format=json',
        `/amber/suggest?search=${word.slice(0, 6)}`,
        `/amber/suggest?search=${handle.slice(0, 6)}`,
        `/amber/authors/${handle}`,
        `/amber/timeline?search=${word}`,
        '/amber/explore',
        '/amber/analytics',
        `/amber/reactions/${id}`,
        `/amber/reactions/${id}/wallets`,
        '/feed.atom',
        '/feed.rss',
        '/feed.json',
        `/oembed?url=${encodeURIComponent(`http://localhost:4000/post/${id}`)}`,
        `/embed/${id}`,
        `/share/${id}`,
        '/sitemap.xml',
        `/sitemap/${'0'.repeat(24)}.xml`,
        `/amber/token/check/${id}`,
        `/launches/${id}`,
        `/amber/collections/${made._id}`,
        `/amber/collections/${made._id}/export?format=ndjson`,
        `/media/${sha256}`,
        `/media/${sha256}/preview`,
      ];
      const readAll = async () => {
        const told = new Map<string, { status: number; text: string }>();
        for (const path of paths) {
          const { status, text, body } = await request(api.app).get(path).buffer(true);
          told.set(path, {
            status,
            text: text ?? (Buffer.isBuffer(body) ? body.toString('latin1') : JSON.stringify(body)),
          });
        }
        const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
        for (const [name, args] of [
          ['search_posts', { search: word }],
          ['get_post', { id }],
        ] as const) {
          const { text, status } = await request(api.app)
            .post('/mcp')
            .set('Accept', 'application/json, text/event-stream')
            .send({ ...rpc, params: { name, arguments: args } });
          told.set(`mcp ${name}`, { status, text });
        }
        for (const path of ['/reactions/user', '/notices', '/collections']) {
          const { text, status } = await asWallet('get', path);
          told.set(path, { status, text });
        }
        return told;
      };
      const before = await readAll();
      expect([...before].filter(([, { text }]) => text.includes(word)).length).toBeGreaterThan(10);
      expect(before.get(`/media/${sha256}`)?.status).toBe(200);

      expect((await call('post', `/posts/${id}/hide`, {})).status).toBe(200);
      const hidden = await readAll();
      const telling = [...hidden].filter(([, { text }]) => text.includes(word) || text.includes('this says'));
      expect(telling.map(([path]) => path)).toEqual([]);
      for (const path of [
        `/amber/archives/${id}`,
        `/embed/${id}`,
        `/media/${sha256}`,
        `/share/${id}`,
        `/launches/${id}`,
      ]) {
        expect([path, hidden.get(path)?.status]).toEqual([path, 404]);
      }
      const listed = (path: string) => JSON.parse(hidden.get(path)?.text ?? '{}');
      expect(listed(`/amber/archives?handle=${handle}`).pagination.total).toBe(0);
      expect(listed(`/amber/timeline?search=${word}`).total ?? 0).toBe(0);
      expect(hidden.get(`/sitemap/${'0'.repeat(24)}.xml`)?.text).not.toContain(id);
      // Ingesting a hidden post again does not show it.
      expect((await call('get', `/posts/${id}`)).body).toMatchObject({ state: 'hidden', post: { _id: id } });
      await expect(api.add(newPost({ id: platformId, content: `this says ${word}` }))).rejects.toThrow();

      expect((await call('post', `/posts/${id}/unhide`, {})).status).toBe(200);
      const after = await readAll();
      for (const path of paths) expect([path, after.get(path)]).toEqual([path, before.get(path)]);
    });

    it('is not brought back by what its author does on the platform, and goes where they ask', async () => {
      const { id } = await addPost();
      const oid = new ObjectId(id);
      const { posts, media, database, ledger } = api.context;
      const whole = await posts.store.find(id);
      await call('post', `/posts/${id}/hide`, {});
      // A check that began before the post was hidden.
      expect(await posts.sealed.seal(whole as never, 'x', 'deleted', new Date())).toBe(false);
      await posts.sealed.unseal(oid, new Date());
      await showMediaAsPost({ media, posts }, oid);
      expect(
        (await posts.sealed.findOlderThan(new Date(Date.now() + 86_400_000), 1_000)).map(({ _id }) =>
          _id.toHexString(),
        ),
      ).not.toContain(id);
      const other = new SealedPostStore(database.db, database.clock, posts.changes, ledger);
      expect(await other.claim('x', 100, new Date(Date.now() + 1e9), new Date())).toEqual([]);
      expect((await request(api.app).get(`/amber/archives/${id}`)).body.code).toBe('post_hidden');
      await posts.sealed.remove((await posts.sealed.find(oid)) as never);
      expect((await request(api.app).get(`/amber/archives/${id}`)).body.code).toBe('post_removed');
      expect(await posts.sealed.unhide(oid)).toBe(false);
    });

    it('stays away where its author had taken it away before', async () => {
      const { id } = await addPost();
      const { posts } = api.context;
      await posts.sealed.seal((await posts.store.find(id)) as never, 'x', 'deleted', new Date());
      expect((await call('post', `/posts/${id}/hide`, { for: 'law' })).body).toMatchObject({
        state: 'hidden',
        hiddenFor: 'law',
      });
      expect((await request(api.app).get(`/amber/archives/${id}`)).status).toBe(451);
      expect((await call('post', `/posts/${id}/unhide`, {})).body).toMatchObject({
        state: 'deleted',
        post: { _id: id },
      });
      expect((await request(api.app).get(`/amber/archives/${id}`)).status).toBe(410);
      await posts.sealed.unseal(new ObjectId(id), new Date());
      expect((await request(api.app).get(`/amber/archives/${id}`)).status).toBe(200);
    });

    it('is marked once it is shown again with what has become of its token meanwhile', async () => {
      const launches = api.context.database.db.collection('launches');
      for (const [marked, state] of [
        [false, 'confirmed'],
        [true, 'expired'],
      ] as const) {
        const { id } = await addPost();
        const _id = new ObjectId(id);
        await api.context.posts.store.setLaunched(_id, marked);
        await call('post', `/posts/${id}/hide`, {});
        await launches.insertOne({ _id, state, claim: id, mint: `token of ${id}` });
        await call('post', `/posts/${id}/unhide`, {});
        expect((await api.context.posts.store.find(id)) as PostDocument).toMatchObject({ launched: !marked });
        await launches.deleteOne({ _id });
      }
    });

    it('is counted for its author, and a deleted one is not', async () => {
      const { posts } = api.context;
      const authorUsername = newWord();
      const [{ id }, away] = [await addPost({ authorUsername }), await addPost({ authorUsername })];
      await addPost({ authorUsername });
      await posts.sealed.seal((await posts.store.find(away.id)) as never, 'x', 'deleted', new Date());
      await call('post', `/posts/${id}/hide`, {});
      const { body } = await call('get', `/posts/${id}`);
      expect(body.author).toEqual({ shown: 1, hidden: 1 });
    });

    it('is lost to nobody, whoever hides, shows, seals and removes it at once', async () => {
      const { posts } = api.context;
      for (let round = 0; round < 15; round++) {
        const { id } = await addPost();
        const oid = new ObjectId(id);
        const whole = await posts.store.find(id);
        await Promise.allSettled([
          posts.sealed.hide(oid, 'rules'),
          posts.sealed.seal(whole as never, 'x', 'deleted', new Date()),
          posts.store.noteReactions([oid]),
          posts.sealed.hide(oid, 'law'),
          posts.sealed.unseal(oid, new Date()),
          ...(round % 3 === 0 ? [posts.sealed.unhide(oid)] : []),
        ]);
        const now = (await posts.store.find(id)) as { removedAt?: Date; sealed?: string };
        if (now.removedAt)
          expect([round, now.sealed, await posts.sealed.find(oid)]).toEqual([
            round,
            expect.any(String),
            expect.objectContaining({ _id: oid }),
          ]);
        if (now.sealed === 'hidden') {
          expect(await posts.sealed.unhide(oid)).toBe(true);
          const back = (await posts.store.find(id)) as { sealed?: string; content?: string };
          expect(back.sealed ?? back.content).toEqual(expect.any(String));
        }
      }
    });

    it('cannot be reacted to, collected or launched meanwhile', async () => {
      const { id } = await addPost();
      const wallet = new TestWallet();
      const { token } = await wallet.signIn(api);
      await call('post', `/posts/${id}/hide`, {});
      const as = (method: 'post' | 'put', path: string, body: object) =>
        request(api.app)[method](`/amber${path}`).set('Authorization', `Bearer ${token}`).send(body);
      expect((await as('post', `/reactions/${id}`, { reactionType: 'heart' })).body.code).toBe('post_hidden');
      const { body } = await as('post', '/collections', { name: 'mine' });
      expect((await as('put', `/collections/${body._id}/posts/${id}`, {})).body.code).toBe('post_hidden');
      expect((await request(api.app).get(`/amber/token/check/${id}`)).body.code).toBe('post_hidden');
    });

    it('is paid for in vain: the payment becomes a credit, and what paid for it before stays', async () => {
      const { posts, featuring, launches } = api.context;
      const confirmed = (post: ObjectId): PaymentDocument => ({
        _id: `payment ${newWord()}`,
        state: 'confirmed',
        payer: 'somebody',
        mint: 'a token',
        baseUnits: '1000000',
        post,
        reason: null,
        slot: 1,
        blockTime: new Date(0),
        finalizedAt: null,
        missingSince: null,
        use: null,
        usedOn: null,
        createdAt: new Date(0),
      });
      const paid = await addPost();
      const first = confirmed(new ObjectId(paid.id));
      await applyPayment(api.context, await featuring.payments.keep(first));
      const before = (await request(api.app).get(`/amber/archives/${paid.id}`)).body;
      expect(before.featuredBy).toBe('payment');
      await call('post', `/posts/${paid.id}/hide`, {});
      const late = confirmed(new ObjectId(paid.id));
      await applyPayment(api.context, await featuring.payments.keep(late));
      expect(await featuring.payments.find(late._id)).toMatchObject({ state: 'credit', reason: 'post_removed' });
      expect(await launches.store.find(new ObjectId(paid.id))).toBe(null);
      await call('post', `/posts/${paid.id}/unhide`, {});
      expect((await request(api.app).get(`/amber/archives/${paid.id}`)).body).toEqual(before);
      expect((await posts.store.find(paid.id)) as PostDocument).toMatchObject({ featuredPayment: first._id });
    });
  });
});
