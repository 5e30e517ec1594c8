import { type AnswerOf, type Bucket, bucketStart, dayNumber, dayText, isDay, nextBucket } from '@archive/contracts';
import { formatDay, formatWith } from '../../lib/format.ts';
import type { Bar, Tick } from '../../ui/bar-plot.tsx';
import type { DayRange } from './timeline-range.ts';

type Timeline = AnswerOf<'timeline'>;

/** A bar and its first and last day. */
export interface TimeBar extends Bar {
  from: number;
  /** The last day of the bar. */
  to: number;
}

/** With more bars than this, empty ones are left out. */
const MOST_BARS = 600;
const FEWEST_BARS = 21;

const month = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const longMonth = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const monthAlone = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' });

/** Bars from the first bucket to the last, including empty ones. */
export function barsOf({ bucket, counts }: Timeline, now: number): TimeBar[] {
  const today = Math.floor(now / 86_400_000);
  const bars: TimeBar[] = [];
  for (const { from, count } of counts) {
    const start = dayNumber(from);
    let next = bars.at(-1);
    while (next && next.to + 1 < start && bars.length < MOST_BARS) {
      next = barAt(bucket, next.to + 1, 0, today);
      bars.push(next);
    }
    bars.push(barAt(bucket, start, count, today));
  }
  return bars;
}

/** With few bars, adds empty ones around them, because a single bar would fill the plot. Adds none after today. */
export function widened(bucket: Bucket, bars: readonly TimeBar[], now: number): TimeBar[] {
  const today = Math.floor(now / 86_400_000);
  const wide = [...bars];
  for (let [first, last] = [wide[0], wide.at(-1)]; first && last && wide.length < FEWEST_BARS; ) {
    first = barAt(bucket, bucketStart(bucket, first.from - 1), 0, today);
    wide.unshift(first);
    if (last.to >= today || wide.length === FEWEST_BARS) continue;
    last = barAt(bucket, last.to + 1, 0, today);
    wide.push(last);
  }
  return wide;
}

function barAt(bucket: Bucket, from: number, value: number, today: number): TimeBar {
  const to = nextBucket(bucket, from) - 1;
  const label = labelOf(bucket, from);
  return { key: String(from), label, value, from, to, isUnfinished: from <= today && today < to };
}

function labelOf(bucket: Bucket, from: number): string {
  const day = dayText(from);
  if (bucket === 'year') return yearOf(from);
  if (bucket === 'month') return formatWith(month, day);
  return bucket === 'week' ? `week of ${formatDay(day)}` : formatDay(day);
}

function yearOf(day: number): string {
  return String(new Date(day * 86_400_000).getUTCFullYear());
}

/** `March 2021 to November 2026`: from the first post to the last. */
export function spanText(bars: readonly TimeBar[]): string {
  const held = bars.filter(({ value }) => value > 0);
  const [first, last] = [held[0], held.at(-1)];
  if (!first || !last) return '';
  const [from, to] = [first.from, last.from].map((day) => formatWith(longMonth, dayText(day)));
  return from === to ? (from as string) : `${from} to ${to}`;
}

/** Ticks at the start of each year, or of each month over a short time. */
export function ticksOf(bucket: Bucket, bars: readonly TimeBar[]): Tick[] {
  const unit = bucket === 'day' || bucket === 'week' ? 'month' : 'year';
  const ticks: Tick[] = [];
  bars.forEach((bar, at) => {
    const before = bars[at - 1];
    const begun = bucketStart(unit, bar.to);
    if (before && bucketStart(unit, before.to) === begun) return;
    const isYear = unit === 'year' || !before || new Date(begun * 86_400_000).getUTCMonth() === 0;
    const label = unit === 'year' ? yearOf(bar.to) : formatWith(isYear ? month : monthAlone, dayText(begun));
    ticks.push({ at, label });
  });
  // In a narrow plot the year of the leading empty bars would hide the label of the first year with posts.
  const isEmpty = bars.slice(0, ticks[1]?.at).every(({ value }) => value === 0);
  return isEmpty ? ticks.slice(1) : ticks;
}

/** The bars of the year or month that a tick names. */
export function underTick(bucket: Bucket, bars: readonly TimeBar[], at: number): [number, number] {
  const unit = bucket === 'day' || bucket === 'week' ? 'month' : 'year';
  const begun = bucketStart(unit, (bars[at] as TimeBar).to);
  const isIn = (bar: TimeBar) => bucketStart(unit, bar.to) === begun;
  return [bars.findIndex(isIn), bars.findLastIndex(isIn)];
}

/** The bars within the chosen dates; null if none are chosen. */
export function barsWithin(bars: readonly TimeBar[], { since, until }: DayRange): [number, number] | null {
  if ((!since && !until) || bars.length === 0) return null;
  const [from, to] = [since ? dayNumber(since) : -Infinity, until ? dayNumber(until) : Infinity];
  const first = bars.findIndex((bar) => bar.to >= from);
  const last = bars.findLastIndex((bar) => bar.from <= to);
  return first === -1 || last === -1 || first > last ? null : [first, last];
}

/** The dates of a range of bars. An end outside the years that a date can express stays open. */
export function datesOf(bars: readonly TimeBar[], [first, last]: readonly [number, number]): DayRange {
  const [since, until] = [dayText((bars[first] as TimeBar).from), dayText((bars[last] as TimeBar).to)];
  return { since: isDay(since) ? since : undefined, until: isDay(until) ? until : undefined };
}

/** `1 Feb to 31 Aug 2026`. */
export function rangeText({ since, until }: DayRange): string {
  if (!since) return until ? `until ${formatDay(until)}` : '';
  if (!until) return `from ${formatDay(since)}`;
  if (since === until) return formatDay(since);
  const [first, last] = [formatDay(since), formatDay(until)];
  return `${first.slice(-4) === last.slice(-4) ? first.slice(0, -5) : first} to ${last}`;
}
