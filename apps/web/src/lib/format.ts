import { primaryLanguage } from '@archive/contracts';

const number = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const language = new Intl.DisplayNames('en', { type: 'language' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
];

export function formatCount(count: number): string {
  return number.format(count);
}

/** 18400 as `18.4k`. */
export function formatCompact(count: number): string {
  return compact.format(count).replace('K', 'k');
}

/** `20 Nov 2026`, in UTC. */
export function formatDay(instant: string): string {
  return formatWith(day, instant);
}

/** `2 hours ago`. */
export function formatAgo(instant: string, now: number): string {
  const elapsedMs = Date.parse(instant) - now;
  if (Number.isNaN(elapsedMs)) return '';
  for (const [unit, unitMs] of UNITS) {
    if (Math.abs(elapsedMs) >= unitMs) return relative.format(Math.round(elapsedMs / unitMs), unit);
  }
  return 'just now';
}

/** `now`, `5 min ago`, `2 h ago`, `yesterday`, `6 days ago`, then the day. Future instants show the day. */
export function formatRelative(instant: string, now: number): string {
  const ageMs = now - Date.parse(instant);
  if (!(ageMs >= -MINUTE_MS && ageMs < WEEK_MS)) return formatDay(instant);
  if (ageMs < MINUTE_MS) return 'now';
  if (ageMs < HOUR_MS) return `${Math.floor(ageMs / MINUTE_MS)} min ago`;
  if (ageMs < DAY_MS) return `${Math.floor(ageMs / HOUR_MS)} h ago`;
  return relative.format(-Math.floor(ageMs / DAY_MS), 'day');
}

/** `Portuguese` for `pt` and `pt-BR`; an unknown tag is returned unchanged. */
export function formatLanguage(tag: string): string {
  const primary = primaryLanguage(tag);
  return language.of(primary) ?? primary;
}

/**
 * Shortens an address, wallet or other id to its first 6 and last 4 characters. Words and handles stay whole, such as
 * `command line`.
 */
export function shorten(address: string): string {
  return /^\w{24,}$/.test(address) ? `${address.slice(0, 6)}…${address.slice(-4)}` : address;
}

/** Formats an instant; an empty string for an invalid one. */
export function formatWith(format: Intl.DateTimeFormat, instant: string): string {
  const at = Date.parse(instant);
  return Number.isNaN(at) ? '' : format.format(at);
}
