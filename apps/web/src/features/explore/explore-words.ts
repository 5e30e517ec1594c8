import { formatWith } from '../../lib/format.ts';

const short = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const long = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** `May 2026` for `2026-05`. */
export function formatMonth(month: string): string {
  return formatWith(short, `${month}-01`);
}

/** `March 2021` */
export function formatLongMonth(instant: string): string {
  return formatWith(long, instant);
}

/** `24 November` */
export function formatDayOfYear(date: string): string {
  return formatWith(day, date);
}

export function posts(count: number): string {
  return count === 1 ? 'post' : 'posts';
}
