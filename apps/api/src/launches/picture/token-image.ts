import { createHash } from 'node:crypto';
import { encodeIndexedPng } from './indexed-png.ts';
import { PEN, type Point, type Stroke, setLine } from './stroke-font.ts';

const SIZE = 512;
const CENTRE = SIZE / 2;
const COIN_RADIUS = 250;
const RIM_WIDTH = 17;
const FACE_RADIUS = COIN_RADIUS - RIM_WIDTH;
/** Radius of the circle that contains all text. */
const TEXT_RADIUS = 203;
/** Greatest height of the pen's path, so that a single letter does not fill the coin. */
const MAX_HEIGHT = 196;
const LETTERS_IN_LINE = 5;
/** Distance from the foot of one line to the top of the next; the height of the pen's path is 1. */
const LEADING = 0.3 + PEN;

/** The fold between the two tones is part of a circle, as in the logo. Unit: radii of the face. */
const FOLD_DISTANCE = 0.9;
const FOLD_RADIUS = 1.22;
const FOLD_LEAN = -0.17;
const FOLD_SWING = 0.7;

/** Two bubbles and a filled speck: offset from the centre of the group, radius, and line width. */
const BUBBLES = [
  { x: -8, y: -8, radius: 16, width: 5.5 },
  { x: 19, y: 9, radius: 8, width: 5 },
  { x: -4, y: 24, radius: 2, width: 4 },
];
const BUBBLES_RADIUS = 32;
const BUBBLES_CLEARANCE = 12;
const PLACES = 48;

/** Colours of the logo: honey above the fold and resin below it, each from the lightest to the deepest. */
const HONEY: readonly [Colour, Colour] = [
  [0xf8, 0xc7, 0x5c],
  [0xf1, 0xa6, 0x34],
];
const RESIN: readonly [Colour, Colour] = [
  [0xe5, 0x9f, 0x2d],
  [0xcc, 0x74, 0x14],
];
const INK: Colour = [0x38, 0x18, 0x04];
const GLEAM: Colour = [0xff, 0xf0, 0xc4];
/** Verdigris. */
const RIM: Colour = [0x2d, 0x78, 0x63];

/** Each pixel is one of 32 steps between two colours, so that a palette of 256 colours holds all soft edges. */
const LAST_STEP = 31;
const STEPS = LAST_STEP + 1;
/** Index of the first step from one colour to another; an array holds the values above and below the fold. */
const NOTHING_TO_RIM = 0;
const RIM_TO_TONE = [STEPS, STEPS * 2] as const;
const HONEY_TO_RESIN = STEPS * 3;
const TONE_TO_INK = [STEPS * 4, STEPS * 5] as const;
const TONE_TO_GLEAM = [STEPS * 6, STEPS * 7] as const;

const ALPHAS = Uint8Array.from({ length: STEPS }, (_, at) => Math.round((at * 255) / LAST_STEP));

interface Placed {
  strokes: Stroke[];
  penWidth: number;
}

/**
 * Draws a token's picture: its symbol on an amber coin. The mint selects tone, fold and bubbles. A PNG of 512 by 512,
 * since many wallets show no SVG, transparent around the coin. It depends only on symbol and mint, so it need not be
 * stored.
 */
export function drawTokenImage(symbol: string, mint: string): Buffer {
  const [tone = 0, fold = 0, place = 0] = createHash('sha256').update(mint).digest();
  const text = placeText(symbol);
  const pixels = drawCoin((fold / 255 - 0.5) * FOLD_SWING);
  lay(pixels, paintText(text), TONE_TO_INK);
  lay(pixels, paintBubbles(text, place), TONE_TO_GLEAM);
  return encodeIndexedPng(pixels, SIZE, palette(tone / 255), ALPHAS);
}

/** Sets the symbol in one or two lines, as large as the coin allows. */
function placeText(symbol: string): Placed {
  const lines = breakSymbol(symbol).map(setLine);
  const height = lines.length + (lines.length - 1) * LEADING;
  const strokes = lines.flatMap(({ strokes: ofLine, width }, at) =>
    ofLine.map((stroke) => stroke.map(([x, y]): Point => [x - width / 2, y + at * (1 + LEADING) - height / 2])),
  );
  const reach = Math.max(...strokes.flat().map(([x, y]) => Math.sqrt(x * x + y * y))) + PEN / 2;
  const scale = Math.min(MAX_HEIGHT, TEXT_RADIUS / reach);
  return {
    strokes: strokes.map((stroke) => stroke.map(([x, y]): Point => [CENTRE + x * scale, CENTRE + y * scale])),
    penWidth: PEN * scale,
  };
}

/** Breaks a long symbol into two lines, between letters and digits if both lines then fit. */
function breakSymbol(symbol: string): string[] {
  if (symbol.length <= LETTERS_IN_LINE) return [symbol];
  const seam = symbol.search(/(?<=[A-Z])(?=[0-9])|(?<=[0-9])(?=[A-Z])/);
  const isRoomy = seam > 1 && Math.max(seam, symbol.length - seam) <= LETTERS_IN_LINE;
  const at = isRoomy ? seam : Math.ceil(symbol.length / 2);
  return [symbol.slice(0, at), symbol.slice(at)];
}

/** The empty coin: a rim, and two tones with a fold between them. */
function drawCoin(swing: number): Uint8Array {
  const pixels = new Uint8Array(SIZE * SIZE);
  const foldX = CENTRE + FOLD_DISTANCE * FACE_RADIUS * (FOLD_LEAN + swing);
  const foldY = CENTRE - FOLD_DISTANCE * FACE_RADIUS;
  for (let y = 0; y < SIZE; y++) {
    const across = (COIN_RADIUS + 1) ** 2 - (y + 0.5 - CENTRE) ** 2;
    if (across <= 0) continue;
    const first = Math.max(0, Math.floor(CENTRE - Math.sqrt(across)));
    for (let x = first; x < SIZE - first; x++) {
      const radius = distance(x + 0.5 - CENTRE, y + 0.5 - CENTRE);
      const below = step(distance(x + 0.5 - foldX, y + 0.5 - foldY) - FOLD_RADIUS * FACE_RADIUS);
      const outer = step(COIN_RADIUS - radius);
      const inner = step(FACE_RADIUS - radius);
      pixels[y * SIZE + x] =
        outer < LAST_STEP
          ? NOTHING_TO_RIM + outer
          : inner < LAST_STEP
            ? RIM_TO_TONE[below > LAST_STEP / 2 ? 1 : 0] + inner
            : HONEY_TO_RESIN + below;
    }
  }
  return pixels;
}

/** Draws a layer on the coin's face. */
function lay(pixels: Uint8Array, layer: Uint8Array, steps: readonly [number, number]): void {
  for (let at = 0; at < layer.length; at++) {
    const painted = layer[at] as number;
    if (painted === 0) continue;
    const isBelow = (pixels[at] as number) - HONEY_TO_RESIN > LAST_STEP / 2;
    pixels[at] = (isBelow ? steps[1] : steps[0]) + painted;
  }
}

function paintText({ strokes, penWidth }: Placed): Uint8Array {
  const layer = new Uint8Array(SIZE * SIZE);
  for (const stroke of strokes) {
    for (let at = 1; at < stroke.length; at++) {
      paintSegment(layer, stroke[at - 1] as Point, stroke[at] as Point, penWidth / 2);
    }
  }
  return layer;
}

/** Paints all pixels within the pen's radius of a segment; the edge is soft over one pixel. */
function paintSegment(layer: Uint8Array, from: Point, to: Point, radius: number): void {
  const margin = radius + 1;
  const [left, right] = [Math.min(from[0], to[0]) - margin, Math.max(from[0], to[0]) + margin];
  const [top, bottom] = [Math.min(from[1], to[1]) - margin, Math.max(from[1], to[1]) + margin];
  for (let y = Math.floor(top); y < bottom; y++) {
    for (let x = Math.floor(left); x < right; x++) {
      const painted = step(radius - distanceToSegment(x + 0.5, y + 0.5, from, to));
      const at = y * SIZE + x;
      if (painted > (layer[at] as number)) layer[at] = painted;
    }
  }
}

/**
 * Paints the bubbles at the first place near the rim where they do not touch the text. The mint selects the first place
 * tried.
 */
function paintBubbles(text: Placed, chosen: number): Uint8Array {
  const layer = new Uint8Array(SIZE * SIZE);
  const centre = Array.from({ length: PLACES }, (_, at) => placeAt(chosen + at)).find(
    (place) => distanceToText(place, text) > BUBBLES_RADIUS + BUBBLES_CLEARANCE,
  );
  if (!centre) return layer;
  for (const { x, y, radius, width } of BUBBLES) paintRing(layer, [centre[0] + x, centre[1] + y], radius, width / 2);
  return layer;
}

function placeAt(index: number): Point {
  const angle = (index * 2 * Math.PI) / PLACES;
  const radius = FACE_RADIUS - BUBBLES_RADIUS - 14;
  return [CENTRE + Math.round(radius * Math.cos(angle)), CENTRE + Math.round(radius * Math.sin(angle))];
}

function distanceToText([x, y]: Point, { strokes, penWidth }: Placed): number {
  const distances = strokes.flatMap((stroke) =>
    stroke.map((point, at) => distanceToSegment(x, y, stroke[at - 1] ?? point, point)),
  );
  return Math.min(...distances) - penWidth / 2;
}

function paintRing(layer: Uint8Array, [centreX, centreY]: Point, radius: number, halfWidth: number): void {
  const reach = Math.ceil(radius + halfWidth + 1);
  for (let y = Math.floor(centreY) - reach; y <= centreY + reach; y++) {
    for (let x = Math.floor(centreX) - reach; x <= centreX + reach; x++) {
      const away = Math.abs(distance(x + 0.5 - centreX, y + 0.5 - centreY) - radius);
      const at = y * SIZE + x;
      layer[at] = Math.max(layer[at] as number, step(halfWidth - away));
    }
  }
}

/** The coverage of a pixel in steps; `within` is the distance of its centre inside an edge. */
function step(within: number): number {
  return within <= -0.5 ? 0 : within >= 0.5 ? LAST_STEP : Math.round((within + 0.5) * LAST_STEP);
}

function distanceToSegment(x: number, y: number, from: Point, to: Point): number {
  const [alongX, alongY] = [to[0] - from[0], to[1] - from[1]];
  const squared = alongX * alongX + alongY * alongY;
  const share = squared === 0 ? 0 : ((x - from[0]) * alongX + (y - from[1]) * alongY) / squared;
  const nearest = Math.min(1, Math.max(0, share));
  return distance(x - from[0] - nearest * alongX, y - from[1] - nearest * alongY);
}

function distance(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}

/** The RGB palette with all steps. */
function palette(tone: number): Uint8Array {
  const honey = mix(HONEY[0], HONEY[1], tone);
  const resin = mix(RESIN[0], RESIN[1], tone);
  const ramps = [
    [RIM, RIM],
    [RIM, honey],
    [RIM, resin],
    [honey, resin],
    [honey, INK],
    [resin, INK],
    [honey, GLEAM],
    [resin, GLEAM],
  ] as const;
  return Uint8Array.from(
    ramps.flatMap(([from, to]) => Array.from({ length: STEPS }, (_, at) => mix(from, to, at / LAST_STEP)).flat()),
  );
}

type Colour = readonly [red: number, green: number, blue: number];

function mix(from: Colour, to: Colour, share: number): Colour {
  const channel = (at: 0 | 1 | 2) => Math.round(from[at] + (to[at] - from[at]) * share);
  return [channel(0), channel(1), channel(2)];
}
