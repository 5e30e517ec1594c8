import { startXStandIn, type XStandIn } from '@archive/x-stand-in';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AgentStore } from '../src/agent/agent-store.ts';
import { DailySpending } from '../src/agent/daily-spending.ts';
import { SourceTrouble } from '../src/sources/source.ts';
import { LOOKS, ShareSpent } from '../src/sources/spending.ts';
import { targetOf } from '../src/sources/x/addresses.ts';
import { XClient } from '../src/sources/x/x-client.ts';
import { XSource } from '../src/sources/x/x-source.ts';
import { startTestApi, type TestApi } from './_test-api.ts';

const NOBODY = new AbortController().signal;
const cost = (reads: number) => ({ reads, milliCents: reads * 500 });

describe('what is read of a day on X', () => {
  let api: TestApi;
  let x: XStandIn;
  let alarms: unknown[];
  let spending: DailySpending;

  beforeAll(async () => {
    api = await startTestApi({ env: { AGENT_READS_PER_DAY: '80' } });
    x = await startXStandIn();
  });

  beforeEach(async () => {
    await api.context.database.db.collection('agent_budgets').deleteMany({});
    alarms = [];
    const log = { error: (about: object) => void alarms.push(about) };
    spending = new DailySpending({ ...api.context, log: log as never }, 'x');
  });

  afterAll(async () => {
    await x.close();
    await api.close();
  });

  const outcome = (payer?: string, most?: number) =>
    spending.requireReads(payer, most).then(
      () => 'may read',
      (error: Error) =>
        error instanceof ShareSpent ? 'share spent' : error instanceof SourceTrouble ? 'spent' : error,
    );

  it('leaves others their share, whatever one asks for', async () => {
    await spending.spend(cost(9), 'x:greedy');
    expect(await outcome('x:greedy')).toBe('may read');
    await spending.spend(cost(1), 'x:greedy');
    expect([await outcome('x:greedy'), await outcome('x:other'), await outcome()]).toEqual([
      'share spent',
      'may read',
      'may read',
    ]);
  });

  it('leaves mentions and deletions theirs, whatever all who ask read', async () => {
    for (let at = 0; at < 6; at++) await spending.spend(cost(10), `2001:db8:${at}::/48`);
    expect([await outcome('x:newcomer'), await outcome()]).toEqual(['share spent', 'may read']);
    expect(alarms).toEqual([]);
    await spending.spend(cost(20));
    expect([await outcome('x:newcomer'), await outcome()]).toEqual(['spent', 'spent']);
    expect(alarms).toHaveLength(1);
    expect(await new AgentStore(api.context.database.db).spent('x', api.context.database.clock.now())).toEqual({
      reads: 80,
      replies: 0,
      milliCents: 40_000,
    });
  });

  it.each<
    [spent: [reads: number, payer?: string][], asks: [payer: string | undefined, most: number][], outcome: string]
  >([
    // Of 80 reads, the last 8 are reserved for mentions and authors' commands.
    [
      [[71]],
      [
        ['x:any', 1],
        [LOOKS, 1],
        [undefined, 9],
      ],
      'may read',
    ],
    [
      [[72]],
      [
        ['x:any', 1],
        [LOOKS, 1],
      ],
      'share spent',
    ],
    [
      [[71]],
      [
        ['x:any', 2],
        [LOOKS, 2],
      ],
      'share spent',
    ],
    [[[72]], [[undefined, 100]], 'may read'],
    [[[79]], [[undefined, 1]], 'may read'],
    [
      [[80]],
      [
        ['x:any', 1],
        [LOOKS, 1],
        [undefined, 1],
      ],
      'spent',
    ],
    // Save requests may use three quarters in total, and one eighth per asker.
    [
      Array.from({ length: 10 }, (_, at) => [6, `x:${at}`]),
      [
        ['x:any', 1],
        ['x:1', 1],
      ],
      'share spent',
    ],
    [
      Array.from({ length: 10 }, (_, at) => [6, `x:${at}`]),
      [
        [LOOKS, 1],
        [undefined, 1],
      ],
      'may read',
    ],
    [
      [...Array.from({ length: 9 }, (_, at): [number, string] => [6, `x:${at}`]), [5, 'x:9']],
      [
        ['x:any', 1],
        ['x:1', 1],
      ],
      'may read',
    ],
    [
      [[60, LOOKS]],
      [
        ['x:any', 1],
        [LOOKS, 1],
      ],
      'may read',
    ],
    [[[60]], [['x:any', 1]], 'may read'],
    [
      [[10, 'x:one']],
      [
        ['x:other', 1],
        [LOOKS, 1],
      ],
      'may read',
    ],
    [[[10, 'x:one']], [['x:one', 1]], 'share spent'],
  ])('after the reads %j gives to each of %j: %s', async (spent, asks, expected) => {
    for (const [reads, payer] of spent) await spending.spend(cost(reads), payer);
    for (const [payer, most] of asks)
      expect([payer, most, await outcome(payer, most)]).toEqual([payer, most, expected]);
  });

  it('cuts a thread where the share of who asked for it ends', async () => {
    const ada = x.network.account('ada');
    const parts: { id: string }[] = [];
    for (let at = 0; at < 40; at++) {
      const answers = parts.at(-1);
      parts.push(x.network.post(ada, `part ${at}`, answers ? { replyTo: answers as never } : {}));
    }
    const client = new XClient({ baseUrl: x.url, credentials: x.credentials, spending, log: { error: () => {} } });
    const source = new XSource(client, { maxVideoBytes: 1 });
    const read = (payer: string) => source.fetch(targetOf(parts[20]?.id ?? ''), { thread: true, payer }, NOBODY);
    const { asked, others } = await read('x:greedy');
    expect(asked.post.content).toBe('part 20');
    expect(others.length).toBeGreaterThan(5);
    expect(await outcome('x:greedy')).toBe('share spent');
    await expect(read('x:greedy')).rejects.toThrow(ShareSpent);
    expect(await outcome()).toBe('may read');
  });
});
