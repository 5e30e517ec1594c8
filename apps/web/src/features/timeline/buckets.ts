import { type AnswerOf, type Bucket, bucketStart, dayNumber, dayText, isDay, nextBucket } from '@archive/contracts';
import { formatDay, formatWith } from '../../lib/format.ts';
import type { Bar, Tick } from '../../ui/bar-plot.tsx';
import type { DayRange } from './timeline-range.ts';

type Timeline = AnswerOf<'timeline'>;

/** One bar, and the days it stands for. */
export interface TimeBar extends Bar {
  from: number;
  /** Its last day. */
  to: number;
}

/** More of them than can be told apart are drawn without those that are empty. */
const MOST_BARS = 600;
const FEWEST_BARS = 21;

const month = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const longMonth = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const monthAlone = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' });

/** Bars from the first bucket to the last, empty ones among them. */
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

/** A bar is no slab: where few have posts, empty ones stand around them, as far as time has come. */
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

/** `March 2021 to November 2026`, as far as there are posts. */
export function spanText(bars: readonly TimeBar[]): string {
  const held = bars.filter(({ value }) => value > 0);
  const [first, last] = [held[0], held.at(-1)];
  if (!first || !last) return '';
  const [from, to] = [first.from, last.from].map((day) => formatWith(longMonth, dayText(day)));
  return from === to ? (from as string) : `${from} to ${to}`;
}

/** Where a year begins, or over few months a month. */
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
  // A narrow plot would name the year of the empty bars in front instead of the first one with posts.
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

/** The bars that the dates of a list reach over; null where none are chosen. */
export function barsWithin(bars: readonly TimeBar[], { since, until }: DayRange): [number, number] | null {
  if ((!since && !until) || bars.length === 0) return null;
  const [from, to] = [since ? dayNumber(since) : -Infinity, until ? dayNumber(until) : Infinity];
  const first = bars.findIndex((bar) => bar.to >= from);
  const last = bars.findLastIndex((bar) => bar.from <= to);
  return first === -1 || last === -1 || first > last ? null : [first, last];
}

/** The dates of some bars; those of years that no date can say are open. */
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
