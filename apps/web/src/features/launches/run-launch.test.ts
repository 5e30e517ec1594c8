import { ENDPOINTS, type ErrorCode, type TokenCheck } from '@archive/contracts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { archivePost, tokenLaunch } from '../../testing/archive-page.ts';
import { updateWalletState } from '../../wallet/wallet-store.ts';
import { followLaunch, runLaunch } from './run-launch.ts';

const post = archivePost(1);
const mine = tokenLaunch(post);
const words = { name: mine.name, symbol: mine.symbol };
/** Milliseconds of the test's clock, which `settled` advances. */
const TIMING = { everyMs: 1, limitMs: 1_000, lostMs: 250 };
const CHECK = ENDPOINTS.checkToken.path.replace(':id', post._id);
const AWAY = 'away';

const nothing: TokenCheck = { exists: false, tokenLaunch: null, failure: null, refusal: null };
const underWay: TokenCheck = { exists: false, tokenLaunch: { ...mine, status: 'sent' }, failure: null, refusal: null };
const there: TokenCheck = { exists: true, tokenLaunch: mine, failure: null, refusal: null };
const failed: TokenCheck = { ...nothing, failure: { status: 'expired', message: 'The network took too long.' } };

type Answer = { status: number; body: unknown } | typeof AWAY;

/** The answers of each call, in turn; the last one repeats. */
let answers: Record<string, Answer[]>;
let calls: { path: string; body: unknown; authorization: string | null }[];

beforeEach(() => {
  jest.useFakeTimers();
  calls = [];
  answers = { [ENDPOINTS.userTokens.path]: [ok([])] };
  updateWalletState({ token: 'the-token' });
  globalThis.fetch = jest.fn<typeof fetch>(async (input, init) => {
    const path = String(input);
    const headers = new Headers(init?.headers);
    const body = init?.body ? JSON.parse(String(init.body)) : null;
    calls.push({ path, body, authorization: headers.get('Authorization') });
    const left = answers[path] ?? [];
    const answer = left.length > 1 ? left.shift() : left[0];
    if (answer === undefined || answer === AWAY) throw new TypeError('away');
    return Response.json(answer.body, { status: answer.status });
  });
});

afterEach(() => {
  jest.useRealTimers();
});

/** Advances the clock by single milliseconds until the work has ended. */
async function settled<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  while (!isOver) await jest.advanceTimersByTimeAsync(1);
  return work;
}

function ok(body: unknown, status = 200): Answer {
  return { status, body };
}

function refused(status: number, code: ErrorCode, message = 'No.'): Answer {
  return { status, body: { status, code, message } };
}

function launching(...given: Answer[]) {
  answers[ENDPOINTS.launchToken.path] = given;
}

function checking(...given: Answer[]) {
  answers[CHECK] = given;
}

const launched = ok({ ...mine, tokenLaunch: mine }, 201);
const follow = (...asked: Parameters<typeof followLaunch>) => settled(followLaunch(...asked));
const run = () => settled(runLaunch(post, words, 'signature', TIMING));

test('a launch is asked for with the post, the words and the signature, and answered at once', async () => {
  launching(launched);
  expect(await run()).toEqual({ kind: 'launched', launch: mine });
  expect(calls).toEqual([
    {
      path: ENDPOINTS.launchToken.path,
      body: { amberId: post.id, ...words, transaction: 'signature' },
      authorization: 'Bearer the-token',
    },
  ]);
});

test('one that the chain has not answered is looked at until it has', async () => {
  launching(ok({ ...mine, tokenLaunch: { ...mine, status: 'sent' } }, 202));
  checking(ok(underWay), AWAY, ok(underWay), ok(there));
  answers[ENDPOINTS.userTokens.path] = [ok([mine])];
  expect(await run()).toEqual({ kind: 'launched', launch: mine });
  expect(calls.filter(({ path }) => path === ENDPOINTS.launchToken.path)).toHaveLength(1);
});

test('one that came to nothing says why', async () => {
  launching(ok({ ...mine, tokenLaunch: { ...mine, status: 'sent' } }, 202));
  checking(ok(underWay), ok(failed));
  expect(await run()).toEqual({ kind: 'released', message: 'The network took too long.' });
});

test('one that nobody can tell the end of stays unknown', async () => {
  launching(ok({ ...mine, tokenLaunch: { ...mine, status: 'sent' } }, 202));
  checking(ok(underWay));
  expect(await run()).toEqual({ kind: 'unknown' });
  checking(AWAY);
  expect(await run()).toEqual({ kind: 'unknown' });
});

describe('where the answer is lost', () => {
  test('the launch is found', async () => {
    launching(AWAY);
    checking(ok(underWay), ok(there));
    answers[ENDPOINTS.userTokens.path] = [ok([mine])];
    expect(await run()).toEqual({ kind: 'launched', launch: mine });
  });

  test.each<[string, Answer]>([
    ['nothing', AWAY],
    ['a proxy', { status: 504, body: 'Gateway timeout' }],
  ])('to %s, a request that claims the post a moment later is found', async (_, answer) => {
    launching(answer);
    checking(ok(nothing), ok(nothing), ok(underWay), ok(there));
    answers[ENDPOINTS.userTokens.path] = [ok([mine])];
    expect(await run()).toEqual({ kind: 'launched', launch: mine });
  });

  test('and nothing has arrived, that is said, and nothing is asked for again', async () => {
    launching(AWAY);
    checking(ok(nothing));
    expect(await run()).toEqual({
      kind: 'released',
      message: 'The server could not be reached. As far as the archive knows, nothing was launched.',
    });
    expect(calls.filter(({ path }) => path === ENDPOINTS.launchToken.path)).toHaveLength(1);
  });

  test.each<[string, Answer]>([
    ['a proxy', { status: 502, body: 'Bad gateway' }],
    ['an error of the server', refused(500, 'internal_error')],
    ['the database', refused(503, 'database_unavailable')],
  ])('to %s, the launch is looked for', async (_, answer) => {
    launching(answer);
    checking(ok(there));
    expect((await run()).kind).toBe('taken');
    checking(ok(nothing));
    expect(await run()).toEqual({ kind: 'released', message: 'Failed to launch token. Please try again.' });
  });
});

describe('where somebody else was faster', () => {
  test('their token is the answer', async () => {
    launching(refused(409, 'already_launched'));
    checking(ok(there));
    expect(await run()).toEqual({ kind: 'taken', launch: mine, isMine: false });
  });

  test('their own other tab, too: its token is not called the one that was asked for', async () => {
    const other = { ...mine, symbol: 'OTHER' };
    launching(refused(409, 'already_launched'));
    checking(ok({ ...there, tokenLaunch: other }));
    answers[ENDPOINTS.userTokens.path] = [ok([other])];
    expect(await run()).toEqual({ kind: 'taken', launch: other, isMine: true });
  });

  test('a post launched before the archive knew of launches is taken too', async () => {
    launching(refused(409, 'already_launched'));
    checking(ok({ exists: true, tokenLaunch: null, failure: null }));
    expect(await run()).toEqual({ kind: 'taken', launch: null, isMine: false });
  });

  test('a token that the database has lost is named as the server names it', async () => {
    launching(refused(409, 'already_launched', 'This post has already been used for a token launch.'));
    checking(ok(nothing));
    expect(await run()).toEqual({
      kind: 'released',
      message: 'This post has already been used for a token launch.',
    });
  });

  test('their launch is followed to its end', async () => {
    launching(refused(409, 'launch_under_way'));
    checking(ok(underWay), ok(there));
    expect(await run()).toEqual({ kind: 'taken', launch: mine, isMine: false });
    checking(ok(underWay), ok(failed));
    expect(await run()).toEqual({
      kind: 'released',
      message: 'Another launch of this post came to nothing. You can launch a token now.',
    });
  });
});

test.each<[number, ErrorCode]>([
  [400, 'invalid_request'],
  [401, 'unauthorized'],
  [401, 'signature_invalid'],
  [403, 'launch_not_allowed'],
  [410, 'post_removed'],
  [429, 'rate_limited'],
  [503, 'launching_unavailable'],
  [503, 'chain_unavailable'],
  [503, 'launch_failed'],
  [503, 'metadata_unavailable'],
])('%i %s is a refusal, after which nothing is looked for', async (status, code) => {
  launching(refused(status, code, 'Because.'));
  await expect(run()).rejects.toMatchObject({ status, code, message: 'Because.' });
  expect(calls).toHaveLength(1);
});

describe('following', () => {
  const looks = () => calls.filter(({ path }) => path === CHECK).length;

  test('goes on after being told to ask less often', async () => {
    checking(ok(underWay), refused(429, 'rate_limited'), ok(there));
    expect((await follow(post, { timing: TIMING })).kind).toBe('taken');
  });

  test('looks once more after a sleep that was longer than the limit', async () => {
    checking(ok(underWay), ok(there));
    const timing = { ...TIMING, everyMs: 30, limitMs: 10 };
    expect((await follow(post, { timing })).kind).toBe('taken');
  });

  test('looks ever more seldom', async () => {
    checking(ok(underWay));
    await follow(post, { timing: TIMING });
    expect(looks()).toBeGreaterThan(5);
    expect(looks()).toBeLessThan(100);
  });

  test('ends once nobody wants to know', async () => {
    checking(ok(underWay));
    expect(await follow(post, { timing: TIMING, isWanted: () => looks() < 3 })).toEqual({ kind: 'unknown' });
    expect(looks()).toBe(3);
  });
});

test('a post that is gone ends the looking', async () => {
  checking(refused(410, 'post_removed'));
  await expect(follow(post, { timing: TIMING })).rejects.toMatchObject({ code: 'post_removed' });
});

test('without a session nobody can say whose the token is', async () => {
  updateWalletState({ token: null });
  checking(ok(there));
  answers[ENDPOINTS.userTokens.path] = [ok([mine])];
  expect((await follow(post, { timing: TIMING })).kind).toBe('taken');
});
