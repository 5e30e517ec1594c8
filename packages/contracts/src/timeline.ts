/** Bucket sizes of a timeline: calendar days, weeks (from Monday), months and years, in UTC. */
export const BUCKETS = ['day', 'week', 'month', 'year'] as const;
export type Bucket = (typeof BUCKETS)[number];

/** Longest range, in calendar months, of a timeline by days, weeks or months. */
export const DAYS_OVER_MONTHS = 3;
export const WEEKS_OVER_MONTHS = 18;
export const MONTHS_OVER_MONTHS = 240;

const DAY_MS = 86_400_000;
const WEEK = 7;
/** 1970 began on a Thursday. */
const FIRST_MONDAY = -3;

/** The bucket size for a number of calendar months: those from the first to the last counted post, both included. */
export function bucketOver(months: number): Bucket {
  if (months <= DAYS_OVER_MONTHS) return 'day';
  if (months <= WEEKS_OVER_MONTHS) return 'week';
  return months <= MONTHS_OVER_MONTHS ? 'month' : 'year';
}

/** The calendar month of a day; months and days since 1970. */
export function monthOf(day: number): number {
  const date = new Date(day * DAY_MS);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

/** The first day of a month; days and months since 1970. */
export function firstDayOf(month: number): number {
  const date = new Date(0);
  // Not `Date.UTC`, which maps the years 0 to 99 to 1900 to 1999.
  date.setUTCFullYear(1970, month, 1);
  return date.getTime() / DAY_MS;
}

/** The first day of the bucket that contains a day; days since 1970. */
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

/** The first day of the next bucket. */
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
