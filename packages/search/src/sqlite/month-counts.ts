/** Posts by calendar months since January 1970. */
export type MonthCounts = Map<number, number>;

/** Before every month that a date can name. */
const FIRST = -12 * 300_000;
/** Of a byte: whether another follows, and what it tells. */
const MORE = 0x80;
const LOW = 0x7f;

/**
 * In few bytes, since most that is counted has some posts in each of many months: for every month in order how many months
 * it lies after the one before (the first after `FIRST`), and its posts, each number in base 128 with its lowest digits
 * first (LEB128). Months without posts are left out.
 */
export function packMonths(counts: MonthCounts): Uint8Array {
  const bytes: number[] = [];
  let before = FIRST;
  const held = [...counts].filter(([, posts]) => posts !== 0).sort(([one], [other]) => one - other);
  for (const [month, posts] of held) {
    put(bytes, month - before);
    put(bytes, posts);
    before = month;
  }
  return Uint8Array.from(bytes);
}

export function unpackMonths(bytes: Uint8Array): MonthCounts {
  const counts: MonthCounts = new Map();
  const numbers = readAll(bytes);
  let month = FIRST;
  for (let at = 0; at < numbers.length; at += 2) {
    month += numbers[at] as number;
    counts.set(month, numbers[at + 1] as number);
  }
  return counts;
}

function put(bytes: number[], number: number): void {
  let rest = number;
  // Not by shifts: these would cut at 32 bits.
  for (; rest > LOW; rest = Math.floor(rest / MORE)) bytes.push((rest % MORE) | MORE);
  bytes.push(rest);
}

function readAll(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  let [number, unit] = [0, 1];
  for (const byte of bytes) {
    number += (byte & LOW) * unit;
    unit *= MORE;
    if (byte & MORE) continue;
    numbers.push(number);
    [number, unit] = [0, 1];
  }
  return numbers;
}
