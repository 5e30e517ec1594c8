/** Formats full dates and times. */
import { formatDay, formatWith } from './format.ts';

const longDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const DAY_MS = 86_400_000;

/** `20 November 2026, 09:41 UTC`. */
export function formatMoment(instant: string): string {
  const date = formatWith(longDay, instant);
  return date === '' ? '' : `${date}, ${formatWith(clock, instant)} UTC`;
}

/** `09:41 UTC` */
export function formatClock(instant: string): string {
  return `${formatWith(clock, instant)} UTC`;
}

/** `today`, `yesterday`, then the day; in UTC. */
export function formatRecentDay(instant: string, now: number): string {
  const days = Math.floor(now / DAY_MS) - Math.floor(Date.parse(instant) / DAY_MS);
  return days === 0 || days === 1 ? relative.format(-days, 'day') : formatDay(instant);
}
