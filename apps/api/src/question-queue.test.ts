import { describe, expect, it } from '@jest/globals';
import { type Client, clientOf, ownWork } from './clients.ts';
import { OURS, QuestionQueue } from './question-queue.ts';

/** A worker that answers in order, each question when the test says so and a millisecond later. */
function heldWorker() {
  let now = 0;
  const reached: string[] = [];
  const ends: (() => void)[] = [];
  const queue = new QuestionQueue([{}], { now: () => now });
  const ask = (name: string, who: string | Client, signal?: AbortSignal, parts = 1) => {
    const client = typeof who === 'string' ? ownWork(who) : who;
    return queue.ask(
      async function* () {
        for (let left = parts; ; ) {
          reached.push(name);
          await new Promise<void>((resolve) => ends.push(resolve));
          if (--left === 0) return name;
          yield;
        }
      },
      { client, ...(signal ? { signal } : {}) },
    );
  };
  /** Ends the current question, so that the next one starts. */
  const end = async () => {
    now++;
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { ask, end, reached };
}

const settled = (promise: Promise<unknown>) =>
  promise.then(
    () => 'answered',
    (error) => (error as { code?: string }).code ?? (error as Error).message,
  );

describe('questions on their way to the readers', () => {
  it('go to whoever used least first, whatever one address has piled up', async () => {
    const { ask, end, reached } = heldWorker();
    const many = Array.from({ length: 20 }, (_, at) => ask(`flood ${at}`, 'attacker'));
    const other = ask('a page', 'visitor');
    await end();
    await end();
    expect(reached.slice(0, 3)).toEqual(['flood 0', 'a page', 'flood 1']);
    expect(await settled(other)).toBe('answered');
    while (reached.length < 21) await end();
    await end();
    expect(await Promise.all(many.map(settled))).toEqual(many.map(() => 'answered'));
  });

  it('count the time of an answer that failed like any other', async () => {
    let now = 0;
    const queue = new QuestionQueue([{}], { now: () => now });
    const reached: string[] = [];
    const ask = (name: string, who: string, isFailing = false) =>
      queue.ask(
        async () => {
          reached.push(name);
          await new Promise(setImmediate);
          now += isFailing ? 5_000 : 1;
          if (isFailing) throw new Error('timed out');
        },
        { client: ownWork(who) },
      );
    await settled(ask('page', 'visitor'));
    await settled(ask('slow', 'attacker', true));
    const waiting = [ask('first', 'other'), ask('slow', 'attacker'), ask('page', 'visitor')];
    await Promise.all(waiting.map(settled));
    expect(reached.slice(2)).toEqual(['first', 'page', 'slow']);
  });

  it('are bounded for each address, and refused at once', async () => {
    const { ask, end, reached } = heldWorker();
    const answers = Array.from({ length: 60 }, (_, at) => settled(ask(`${at}`, 'attacker')));
    expect(await Promise.all(answers.slice(41))).toEqual(answers.slice(41).map(() => 'overloaded'));
    expect(await Promise.race([settled(ask('page', 'visitor')), 'waiting'])).toBe('waiting');
    await end();
    expect(reached.at(-1)).toBe('page');
  });

  it('are bounded over all addresses', async () => {
    const { ask } = heldWorker();
    const answers = Array.from({ length: 400 }, (_, at) => settled(ask(`${at}`, `address ${at}`)));
    const refused = await Promise.all(answers.slice(257));
    expect(new Set(refused)).toEqual(new Set(['overloaded']));
  });

  it('of a full room make place for who has none, and for work of our own', async () => {
    const { ask } = heldWorker();
    const flood = Array.from({ length: 7 }, (_, address) =>
      Array.from({ length: 40 }, (_, at) => settled(ask(`${address} ${at}`, `attacker ${address}`))),
    ).flat();
    expect(await Promise.race([settled(ask('page', 'visitor')), 'waiting'])).toBe('waiting');
    expect(await Promise.race([settled(ask('walk', OURS.client)), 'waiting'])).toBe('waiting');
    const outcomes = await Promise.all(flood.map((answer) => Promise.race([answer, 'waiting'])));
    expect(outcomes.filter((outcome) => outcome === 'overloaded').length).toBeGreaterThanOrEqual(24);
  });

  it('of a full room make place for who has used less than the last in line', async () => {
    const { ask, end } = heldWorker();
    const soon = (answer: Promise<unknown>) =>
      Promise.race([answer, new Promise((done) => setImmediate(done, 'waiting'))]);
    const flood = Array.from({ length: 257 }, (_, at) => settled(ask(`flood ${at}`, `network ${at}`)));
    await end();
    const again = settled(ask('again', 'network 0'));
    const visitor = settled(ask('page', 'visitor'));
    expect(await Promise.all([again, visitor].map(soon))).toEqual(['overloaded', 'waiting']);
    // Among clients with equal use and one question each, the newest is refused, and no older one is dropped.
    expect(await soon(settled(ask('late', 'late visitor')))).toBe('overloaded');
    expect(new Set(await Promise.all(flood.slice(1).map(soon)))).toEqual(new Set(['waiting']));
  });

  /** 300 clients, each with its own prefix: in one /48, in one /56, or in 40 networks. */
  const floods = {
    'the prefixes of one /48': (at: number) => `2001:db8:1:${at.toString(16)}::1`,
    'the prefixes of one /56': (at: number) => `2001:db8:1:${(at % 256).toString(16)}::${at}`,
    'the addresses of one /24': (at: number) => `203.0.113.${at % 256}`,
    '40 networks': (at: number) => `2001:db8:${(at % 40).toString(16)}:${at.toString(16)}::1`,
  };

  it.each(Object.entries(floods))('of one visitor are answered beside 300 of %s', async (_, address) => {
    const { ask, end, reached } = heldWorker();
    const flood = (at: number) => settled(ask(`flood ${at}`, clientOf(address(at))));
    for (let at = 0; at < 300; at++) void flood(at);
    const visitor = clientOf('198.51.100.7');
    for (let page = 0; page < 5; page++) {
      const answer = settled(ask(`page ${page}`, visitor));
      // Each time a question of the flood ends, another client of the flood asks.
      while (!reached.includes(`page ${page}`)) {
        void flood(300 + reached.length);
        await end();
      }
      await end();
      expect(await answer).toBe('answered');
    }
  });

  const fresh = {
    'networks of one /32, each of which asks once': (at: number) => `2001:db8:${at.toString(16)}::1`,
    'the /24s of one /16': (at: number) => `10.0.${at % 256}.${at}`,
  };

  it.each(Object.entries({ ...floods, ...fresh }))(
    'of a visitor wait for the one under way alone beside %s',
    async (_, address) => {
      const { ask, end, reached } = heldWorker();
      for (let at = 0; at < 300; at++) void settled(ask(`flood ${at}`, clientOf(address(at))));
      await end();
      for (let page = 0; page < 5; page++) {
        const answer = settled(ask(`page ${page}`, clientOf('198.51.100.7')));
        const before = reached.length;
        await end();
        expect(reached.slice(before)).toEqual([`page ${page}`]);
        await end();
        expect(await answer).toBe('answered');
      }
    },
  );

  it('of a network share its turn: within it the prefix that used least comes first', async () => {
    const { ask, end, reached } = heldWorker();
    for (let at = 0; at < 20; at++) void settled(ask(`flood ${at}`, clientOf('2001:db8:1:1::1')));
    void settled(ask('neighbour', clientOf('2001:db8:1:200::1')));
    await end();
    expect(reached).toEqual(['flood 0', 'neighbour']);
  });

  it('of our own are never refused, and no one else stands in their line', async () => {
    const { ask } = heldWorker();
    const ours = Array.from({ length: 300 }, (_, at) => settled(ask(`ours ${at}`, OURS.client)));
    for (let at = 0; at < 300; at++) void settled(ask(`flood ${at}`, clientOf(floods['40 networks'](at))));
    const visitors = ['the archive', 'walk'].map((name) => settled(ask(name, ownWork(name))));
    await new Promise(setImmediate);
    const outcomes = await Promise.all(ours.map((one) => Promise.race([one, 'waiting'])));
    expect(outcomes).toEqual(ours.map(() => 'waiting'));
    expect(await Promise.all(visitors.map((one) => Promise.race([one, 'waiting'])))).toEqual(['waiting', 'waiting']);
  });

  it('that one worker has begun are ended by it alone', async () => {
    const asked: string[] = [];
    const queue = new QuestionQueue(['one', 'two']);
    const answer = queue.ask(
      async function* (worker) {
        for (let left = 5; left > 0; left--) {
          asked.push(worker);
          yield;
        }
        return 'done';
      },
      { client: ownWork('visitor') },
    );
    expect(await answer).toBe('done');
    expect(new Set(asked).size).toBe(1);
  });

  it('are dropped when nobody waits for them', async () => {
    const { ask, end, reached } = heldWorker();
    const gone = new AbortController();
    const first = ask('first', 'one');
    const left = settled(ask('left', 'one', gone.signal));
    const last = ask('last', 'one');
    gone.abort(new Error('gone'));
    expect(await left).toBe('gone');
    await end();
    await end();
    expect(reached).toEqual(['first', 'last']);
    expect(await Promise.all([first, last].map(settled))).toEqual(['answered', 'answered']);
  });

  it('that take long take turns with others, and are given up half-way when nobody waits', async () => {
    const { ask, end, reached } = heldWorker();
    const gone = new AbortController();
    const scan = settled(ask('scan', 'one', gone.signal, 5));
    const page = settled(ask('page', 'one'));
    await end();
    await end();
    expect(await page).toBe('answered');
    expect(reached).toEqual(['scan', 'page', 'scan']);
    gone.abort(new Error('gone'));
    expect(await scan).toBe('gone');
    await end();
    expect(reached).toHaveLength(3);
  });

  it('leave a worker free for others when they fail', async () => {
    const queue = new QuestionQueue([{}]);
    const failing = settled(queue.ask(() => Promise.reject(new Error('broken')), { client: ownWork('one') }));
    expect(await failing).toBe('broken');
    expect(await queue.ask(async () => 'fine', { client: ownWork('one') })).toBe('fine');
  });
});
