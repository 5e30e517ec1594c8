import { primaryLanguage } from '@archive/contracts';

const number = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const language = new Intl.DisplayNames('en', { type: 'language' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const DAY_MS = 86_400_000;
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
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

/** `Portuguese` for `pt` and `pt-BR`; the tag where nobody has named it. */
export function formatLanguage(tag: string): string {
  const primary = primaryLanguage(tag);
  return language.of(primary) ?? primary;
}

/** An address or wallet by its first 6 and last 4 characters. */
export function shorten(address: string): string {
  return address.length <= 11 ? address : `${address.slice(0, 6)}…${address.slice(-4)}`;
}

/** Nothing where an instant is none. */
export function formatWith(format: Intl.DateTimeFormat, instant: string): string {
  const at = Date.parse(instant);
  return Number.isNaN(at) ? '' : format.format(at);
}
