import { describe, expect, it } from '@jest/globals';
import { BUCKETS, bucketOver, bucketStart, dayNumber, dayText, monthOf, nextBucket } from './timeline.ts';

const startOf = (bucket: (typeof BUCKETS)[number], day: string) => dayText(bucketStart(bucket, dayNumber(day)));

describe('buckets of time', () => {
  it('begin weeks on Monday, months and years on their first day, before 1970 too', () => {
    expect(BUCKETS.map((bucket) => startOf(bucket, '2026-08-12'))).toEqual([
      '2026-08-12',
      '2026-08-10',
      '2026-08-01',
      '2026-01-01',
    ]);
    expect(BUCKETS.map((bucket) => startOf(bucket, '1969-12-31'))).toEqual([
      '1969-12-31',
      '1969-12-29',
      '1969-12-01',
      '1969-01-01',
    ]);
  });

  it('follow each other without gaps, and each day of one leads to its beginning', () => {
    for (const bucket of BUCKETS) {
      let start = bucketStart(bucket, dayNumber('1967-05-03'));
      for (let at = 0; at < 60; at++) {
        const next = nextBucket(bucket, start);
        for (let day = start; day < next; day++) expect(bucketStart(bucket, day)).toBe(start);
        start = next;
      }
      expect(bucketStart(bucket, start)).toBe(start);
    }
  });

  it('are days over three months, weeks over eighteen, months over twenty years', () => {
    expect([1, 3, 4, 18, 19, 240, 241].map(bucketOver)).toEqual([
      'day',
      'day',
      'week',
      'week',
      'month',
      'month',
      'year',
    ]);
    expect([monthOf(0), monthOf(-1), monthOf(dayNumber('2026-02-28'))]).toEqual([0, -1, 673]);
  });
});
