/** What posts are counted by over time: calendar days, weeks (from Monday), months and years, in UTC. */
export const BUCKETS = ['day', 'week', 'month', 'year'] as const;
export type Bucket = (typeof BUCKETS)[number];

/** Calendar months that a timeline by days, weeks or months reaches over at most. */
export const DAYS_OVER_MONTHS = 3;
export const WEEKS_OVER_MONTHS = 18;
export const MONTHS_OVER_MONTHS = 240;

const DAY_MS = 86_400_000;
const WEEK = 7;
/** 1970 began on a Thursday. */
const FIRST_MONDAY = -3;

/** By the calendar months from the first to the last post of what is counted, both included. */
export function bucketOver(months: number): Bucket {
  if (months <= DAYS_OVER_MONTHS) return 'day';
  if (months <= WEEKS_OVER_MONTHS) return 'week';
  return months <= MONTHS_OVER_MONTHS ? 'month' : 'year';
}

/** Calendar months since 1970. */
export function monthOf(day: number): number {
  const date = new Date(day * DAY_MS);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

/** The day since 1970 on which a month begins. */
export function firstDayOf(month: number): number {
  const date = new Date(0);
  // Not Date.UTC: it takes the years up to 99 for others.
  date.setUTCFullYear(1970, month, 1);
  return date.getTime() / DAY_MS;
}

/** The day on which the bucket of a day begins; days since 1970. */
export function bucketStart(bucket: Bucket, day: number): number {
  switch (bucket) {
    case 'day':
      return day;
    case 'week':
      return Math.floor((day - FIRST_MONDAY) / WEEK) * WEEK + FIRST_MONDAY;
    case 'month':
      return firstDayOf(monthOf(day));
    case 'year':
      return firstDayOf(Math.floor(monthOf(day) / 12) * 12);
  }
}

/** The day on which the next one begins. */
export function nextBucket(bucket: Bucket, start: number): number {
  switch (bucket) {
    case 'day':
      return start + 1;
    case 'week':
      return start + WEEK;
    case 'month':
      return firstDayOf(monthOf(start) + 1);
    case 'year':
      return firstDayOf(monthOf(start) + 12);
  }
}

/** `2026-02-01` as days since 1970, and back. */
export function dayNumber(day: string): number {
  return Date.parse(day) / DAY_MS;
}

export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().replace(/T.*/, '');
}
