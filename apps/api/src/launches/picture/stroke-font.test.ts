import { expect, test } from '@jest/globals';
import { PEN, type Point, type Stroke, setLine } from './stroke-font.ts';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];

/** Points along strokes, dense enough to measure distances. */
function _along(strokes: readonly Stroke[]): Point[] {
  return strokes.flatMap((stroke) =>
    stroke.flatMap((to, at) => {
      const [x, y] = stroke[at - 1] ?? to;
      const parts = Math.max(1, Math.ceil(Math.hypot(to[0] - x, to[1] - y) / 0.05));
      return Array.from({ length: parts }, (_, part): Point => {
        const share = (part + 1) / parts;
        return [x + (to[0] - x) * share, y + (to[1] - y) * share];
      });
    }),
  );
}

test('every letter is another one, as high as the others, and as wide as it says', () => {
  const drawn = LETTERS.map((letter) => setLine(letter));
  expect(new Set(drawn.map(({ strokes }) => JSON.stringify(strokes))).size).toBe(36);
  for (const { strokes, width } of drawn) {
    const [xs, ys] = [strokes.flat().map(([x]) => x), strokes.flat().map(([, y]) => y)];
    expect(Math.min(...xs)).toBeCloseTo(0, 1);
    expect(Math.max(...xs)).toBeCloseTo(width, 5);
    expect(Math.abs(Math.min(...ys))).toBeLessThan(0.03);
    expect(Math.abs(Math.max(...ys) - 1)).toBeLessThan(0.03);
  }
});

test('no letter touches the next one', () => {
  const touching = LETTERS.flatMap((left) => {
    const own = setLine(left).strokes;
    return LETTERS.filter((right) => {
      const next = _along(setLine(left + right).strokes.slice(own.length));
      const gap = Math.min(..._along(own).flatMap(([x, y]) => next.map((to) => Math.hypot(to[0] - x, to[1] - y))));
      return gap < PEN + 0.06;
    }).map((right) => left + right);
  });
  expect(touching).toEqual([]);
});
