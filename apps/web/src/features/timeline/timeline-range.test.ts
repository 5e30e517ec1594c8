import { dayNumber } from '@archive/contracts';
import { describe, expect, it } from '@jest/globals';
import { barsOf, barsWithin, datesOf, rangeText, spanText, ticksOf, underTick, widened } from './buckets.ts';
import { rangeOf, withoutRange, withRange } from './timeline-range.ts';

const RANGE = { since: '2026-02-01', until: '2026-08-31' };

describe('dates of a list', () => {
  it('are written as the panel writes them, and taken away again', () => {
    expect(withRange({}, RANGE).q).toBe('since:2026-02-01 until:2026-08-31');
    expect(withRange({ search: 'ferry' }, RANGE).q).toBe('ferry since:2026-02-01 until:2026-08-31');
    // An exact text stays quoted.
    expect(withRange({ search: 'night bus' }, RANGE).q).toBe('"night bus" since:2026-02-01 until:2026-08-31');
    expect(withRange({ search: 'night bus', match: 'words' }, RANGE).q).toBe(
      'night bus since:2026-02-01 until:2026-08-31',
    );
    expect(withRange({ search: 'late night bus', match: 'most' }, RANGE).q).toBe(
      'late OR night late OR bus night OR bus since:2026-02-01 until:2026-08-31',
    );
    expect(withRange({ q: 'from:ann since:2020-01-01' }, RANGE).q).toBe('from:ann since:2026-02-01 until:2026-08-31');
    expect(withRange({ q: 'ferry since:2026-02-01' }, {})).toEqual({ match: undefined, search: 'ferry', q: undefined });
    expect(withRange({ q: 'since:2026-02-01' }, {})).toEqual({ match: undefined, search: undefined, q: undefined });
  });

  it('are read from its words, and the plot is drawn without them', () => {
    expect(rangeOf({ q: 'ferry since:2026-02-01 until:2026-08-31' })).toEqual(RANGE);
    expect(rangeOf({ search: 'ferry' })).toEqual({});
    expect(withoutRange({ handle: 'ann', q: 'ferry -bus since:2026-02-01' })).toMatchObject({
      handle: 'ann',
      q: 'ferry -bus',
    });
    // Two separate words stay separate.
    expect(withoutRange({ q: 'plan options since:2015-01-01' })).toEqual({ q: 'plan options' });
    expect(withoutRange({ q: 'since:2015-01-01' })).toEqual({ q: undefined });
  });
});

describe('bars of a timeline', () => {
  const now = Date.parse('2026-11-23T10:00:00Z');
  const bars = barsOf(
    {
      bucket: 'month',
      counts: [
        { from: '2025-11-01', count: 3 },
        { from: '2026-02-01', count: 1 },
        { from: '2026-11-01', count: 2 },
      ],
    },
    now,
  );

  it('fill what is empty, and leave the bucket of today open', () => {
    expect(bars.map(({ value }) => value)).toEqual([3, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
    expect(bars.filter(({ isUnfinished }) => isUnfinished).map(({ label }) => label)).toEqual(['Nov 2026']);
    expect(ticksOf('month', bars)).toEqual([
      { at: 0, label: '2025' },
      { at: 2, label: '2026' },
    ]);
    expect(underTick('month', bars, 2)).toEqual([2, 12]);
  });

  it('stand for their days', () => {
    expect(datesOf(bars, [3, 5])).toEqual({ since: '2026-02-01', until: '2026-04-30' });
    expect(barsWithin(bars, { since: '2026-02-14', until: '2026-04-01' })).toEqual([3, 5]);
    expect(barsWithin(bars, { until: '2020-01-01' })).toBeNull();
    expect(barsWithin(bars, {})).toBeNull();
    expect(bars[3]).toMatchObject({ from: dayNumber('2026-02-01'), to: dayNumber('2026-02-28') });
    expect(rangeText({ since: '2026-02-01', until: '2026-08-31' })).toBe('1 Feb to 31 Aug 2026');
  });

  it('are named by a year of which there are posts', () => {
    const few = barsOf({ bucket: 'month', counts: [{ from: '2014-01-01', count: 1 }] }, now);
    const wide = [...barsOf({ bucket: 'month', counts: [{ from: '2013-12-01', count: 0 }] }, now), ...few];
    expect(ticksOf('month', wide)).toEqual([{ at: 1, label: '2014' }]);
  });

  it('are never so few that one is a slab', () => {
    const one = (from: string) => barsOf({ bucket: 'day', counts: [{ from, count: 1 }] }, now);
    const alone = widened('day', one('2014-09-22'), now);
    expect([alone.length, alone[0]?.from, alone.at(-1)?.from]).toEqual([
      21,
      dayNumber('2014-09-12'),
      dayNumber('2014-10-02'),
    ]);
    expect(alone.map(({ value }) => value).reduce((sum, value) => sum + value)).toBe(1);
    expect(spanText(alone)).toBe('September 2014');
    // A future day is not an empty day.
    expect(widened('day', one('2026-11-23'), now).at(-1)?.from).toBe(dayNumber('2026-11-23'));
    expect(widened('day', [], now)).toEqual([]);
    expect(widened('month', bars, now).slice(-bars.length)).toEqual(bars);
  });
});

describe('the bars that dates reach over', () => {
  const bars = barsOf({ bucket: 'month', counts: [1, 2, 3].map((at) => ({ from: `2026-0${at}-01`, count: at })) }, 0);

  it.each([
    ['2026-01-31', '2026-02-01', [0, 1]],
    ['2026-02-01', '2026-02-28', [1, 1]],
    ['2026-02-28', '2026-03-01', [1, 2]],
    ['2025-01-01', '2025-12-31', null],
    ['2026-04-01', '2026-05-01', null],
    [undefined, '2026-01-01', [0, 0]],
    ['2026-03-31', undefined, [2, 2]],
  ])('from %s to %s', (since, until, expected) => {
    expect(barsWithin(bars, { since, until })).toEqual(expected);
  });
});

it.each([
  [{}, ''],
  [{ until: '2026-08-31' }, 'until 31 Aug 2026'],
  [{ since: '2026-02-01' }, 'from 1 Feb 2026'],
  [{ since: '2026-02-01', until: '2026-02-01' }, '1 Feb 2026'],
  [{ since: '2025-12-31', until: '2026-01-01' }, '31 Dec 2025 to 1 Jan 2026'],
])('the dates of %j are written as %j', (range, words) => {
  expect(rangeText(range)).toBe(words);
});

it('over few months each is named, and a year at its first one', () => {
  const bars = barsOf(
    {
      bucket: 'week',
      counts: [
        { from: '2025-11-24', count: 1 },
        { from: '2026-02-09', count: 1 },
      ],
    },
    0,
  );
  expect(ticksOf('week', bars).map(({ label }) => label)).toEqual(['Nov 2025', 'Dec', 'Jan 2026', 'Feb']);
});
