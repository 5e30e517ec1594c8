export type Point = readonly [x: number, y: number];
/** Points that one round pen connects in order. */
export type Stroke = readonly Point[];

/** Width of the pen; the height of its path is 1. */
export const PEN = 0.225;

/** Average distance of two letters, in the same unit. */
const FIT = 0.46;
const CLEARANCE = PEN + 0.13;
/** Larger distances count as this one, since a gap under an arm looks open at any depth. */
const OPENNESS = 0.64;
const BANDS = 20;
/** Bands above and below a stroke in which it still counts as near. */
const NEAR = 5;
const DEGREES_PER_STEP = 6;

/** The path of the pen for each letter: x to the right, y down, from the top at 0 to the foot at 1. */
const GLYPHS: Record<string, readonly Stroke[]> = {
  A: [line(0, 1, 0.4, 0, 0.8, 1), line(0.14, 0.66, 0.66, 0.66)],
  B: [
    [...line(0, 0, 0, 1, 0.36, 1), ...arc(0.36, 0.735, 0.27, 0.265, 90, -90), ...line(0, 0.47)],
    [...line(0, 0, 0.33, 0), ...arc(0.33, 0.235, 0.23, 0.235, -90, 90)],
  ],
  C: [arc(0.42, 0.5, 0.42, 0.515, -47, -313)],
  D: [[...line(0, 0), ...arc(0.25, 0.5, 0.46, 0.5, -90, 90), ...line(0, 1, 0, 0)]],
  E: [line(0.53, 0, 0, 0, 0, 1, 0.53, 1), line(0, 0.49, 0.46, 0.49)],
  F: [line(0.53, 0, 0, 0, 0, 1), line(0, 0.51, 0.45, 0.51)],
  G: [[...arc(0.42, 0.5, 0.42, 0.515, -47, -360), ...line(0.84, 0.54, 0.5, 0.54)]],
  H: [line(0, 0, 0, 1), line(0.68, 0, 0.68, 1), line(0, 0.49, 0.68, 0.49)],
  I: [line(0, 0, 0, 1)],
  J: [[...line(0.5, 0), ...arc(0.24, 0.72, 0.26, 0.29, 0, 155)]],
  K: [line(0, 0, 0, 1), line(0.62, 0, 0, 0.6), line(0.23, 0.38, 0.66, 1)],
  L: [line(0, 0, 0, 1, 0.5, 1)],
  M: [line(0, 1, 0, 0, 0.43, 0.66, 0.86, 0, 0.86, 1)],
  N: [line(0, 1, 0, 0, 0.68, 1, 0.68, 0)],
  O: [arc(0.44, 0.5, 0.44, 0.515, 0, 360)],
  P: [[...line(0, 1, 0, 0), ...arc(0.33, 0.28, 0.28, 0.28, -90, 90), ...line(0, 0.56)]],
  Q: [arc(0.44, 0.5, 0.44, 0.515, 0, 360), line(0.56, 0.72, 0.86, 1.02)],
  R: [[...line(0, 1, 0, 0), ...arc(0.33, 0.28, 0.28, 0.28, -90, 90), ...line(0, 0.56)], line(0.3, 0.56, 0.63, 1)],
  S: [[...arc(0.33, 0.245, 0.29, 0.255, -32, -270), ...arc(0.33, 0.755, 0.33, 0.255, -90, 148)]],
  T: [line(0, 0, 0.7, 0), line(0.35, 0, 0.35, 1)],
  U: [[...line(0, 0), ...arc(0.34, 0.65, 0.34, 0.36, 180, 0), ...line(0.68, 0)]],
  V: [line(0, 0, 0.4, 1, 0.8, 0)],
  W: [line(0, 0, 0.27, 1, 0.55, 0.12, 0.83, 1, 1.1, 0)],
  X: [line(0, 0, 0.66, 1), line(0.66, 0, 0, 1)],
  Y: [line(0, 0, 0.36, 0.53, 0.72, 0), line(0.36, 0.53, 0.36, 1)],
  Z: [line(0.02, 0, 0.6, 0, 0, 1, 0.62, 1)],
  0: [arc(0.34, 0.5, 0.34, 0.51, 0, 360)],
  1: [line(0, 0.21, 0.26, 0, 0.26, 1)],
  2: [[...arc(0.3, 0.295, 0.3, 0.3, -168, 45), ...line(0, 1, 0.6, 1)]],
  3: [[...arc(0.29, 0.24, 0.26, 0.25, -155, 90), ...line(0.2, 0.49)], arc(0.29, 0.745, 0.31, 0.265, -90, 152)],
  4: [line(0.5, 1, 0.5, 0, 0, 0.72, 0.68, 0.72)],
  5: [[...line(0.54, 0, 0.11, 0, 0.07, 0.44), ...arc(0.29, 0.675, 0.31, 0.335, -134, 150)]],
  6: [arc(0.33, 0.675, 0.33, 0.335, 0, 360), arc(0.53, 0.675, 0.53, 0.69, -180, -100)],
  7: [line(0, 0, 0.58, 0, 0.18, 1)],
  8: [arc(0.32, 0.24, 0.27, 0.25, 0, 360), arc(0.32, 0.745, 0.32, 0.265, 0, 360)],
  9: [arc(0.33, 0.325, 0.33, 0.335, 0, 360), arc(0.13, 0.325, 0.53, 0.69, 0, 80)],
};

/** Strokes of a line of text (A-Z and 0-9), from 0 to `width`, with optically even letter spaces. */
export function setLine(text: string): { strokes: Stroke[]; width: number } {
  const strokes: Stroke[] = [];
  let start = 0;
  let width = 0;
  let previous: readonly Stroke[] | undefined;
  for (const letter of text) {
    const glyph = GLYPHS[letter];
    if (!glyph) continue;
    if (previous) start += advance(previous, glyph);
    strokes.push(...glyph.map((stroke) => stroke.map(([x, y]): Point => [x + start, y])));
    width = Math.max(width, start + extent(glyph));
    previous = glyph;
  }
  return { strokes, width };
}

/**
 * Distance from the start of a letter to the start of the next: at least the clearance, and as open as between other
 * letters.
 */
function advance(left: readonly Stroke[], right: readonly Stroke[]): number {
  const ends = profile(left, Math.max);
  const begins = profile(right, Math.min);
  const gaps = begins.map((begin, band) => begin - (ends[band] as number));
  const nearest = begins.map(
    (begin, band) => begin - Math.max(...ends.slice(Math.max(0, band - NEAR), band + NEAR + 1)),
  );
  const meanAt = (start: number) => gaps.reduce((sum, gap) => sum + Math.min(OPENNESS, start + gap), 0) / BANDS;
  let start = CLEARANCE - Math.min(...nearest);
  while (meanAt(start) < FIT) start += 0.005;
  return start;
}

/** How far a letter extends to one side, for each band from top to foot. */
function profile(glyph: readonly Stroke[], furthest: (...values: number[]) => number): number[] {
  const reach: number[] = [];
  for (const stroke of glyph) {
    for (const [at, to] of stroke.entries()) {
      const from = stroke[at - 1] ?? to;
      for (let part = 0; part <= 1; part += 0.5 / BANDS) {
        const x = from[0] + (to[0] - from[0]) * part;
        const y = from[1] + (to[1] - from[1]) * part;
        const band = Math.min(BANDS - 1, Math.max(0, Math.floor(y * BANDS)));
        reach[band] = furthest(x, reach[band] ?? x);
      }
    }
  }
  return reach;
}

function extent(glyph: readonly Stroke[]): number {
  return Math.max(...glyph.flat().map(([x]) => x));
}

function line(...numbers: number[]): Point[] {
  return Array.from({ length: numbers.length / 2 }, (_, at) => [
    numbers[at * 2] as number,
    numbers[at * 2 + 1] as number,
  ]);
}

/** Part of an ellipse; 0 degrees is to the right, 90 down. Rounded, so that every machine draws the same. */
function arc(x: number, y: number, across: number, down: number, from: number, to: number): Point[] {
  const steps = Math.ceil(Math.abs(to - from) / DEGREES_PER_STEP);
  return Array.from({ length: steps + 1 }, (_, step) => {
    const angle = ((from + ((to - from) * step) / steps) * Math.PI) / 180;
    return [round(x + across * Math.cos(angle)), round(y + down * Math.sin(angle))];
  });
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
