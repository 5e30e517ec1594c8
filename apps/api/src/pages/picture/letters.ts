import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Font } from 'satori';

const require = createRequire(import.meta.url);

/**
 * Each subset of a typeface is a file of its own and counts as a typeface. If one lacks a letter, the next one is used.
 */
const SCRIPTS = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese'];
export const POST_FACE = SCRIPTS.map((script) => `literata-${script}`).join(', ');
export const OWN_FACE = ['latin', 'latin-ext'].map((script) => `instrument-sans-${script}`).join(', ');

/** The typefaces used for pictures, read once. */
export function readFonts(): Font[] {
  return [
    ...SCRIPTS.map((script) => readFont('literata', script, 400)),
    ...(['latin', 'latin-ext'] as const).flatMap((script) =>
      ([400, 600] as const).map((weight) => readFont('instrument-sans', script, weight)),
    ),
  ];
}

function readFont(family: string, script: string, weight: 400 | 600): Font {
  const folder = dirname(require.resolve(`@fontsource/${family}/package.json`));
  const data = readFileSync(join(folder, 'files', `${family}-${script}-${weight}-normal.woff`));
  return { name: `${family}-${script}`, weight, style: 'normal', data };
}

/** An emoji as an SVG data URL; null if no drawing exists. */
export function emojiPicture(emoji: string): string | null {
  const points = Array.from(emoji, (character) => (character.codePointAt(0) as number).toString(16));
  // File names omit the variation selector, except in joined emoji.
  const name = (points.includes('200d') ? points : points.filter((point) => point !== 'fe0f')).join('-');
  try {
    const folder = dirname(require.resolve('@twemoji/svg/package.json'));
    return `data:image/svg+xml;base64,${readFileSync(join(folder, `${name}.svg`)).toString('base64')}`;
  } catch {
    return null;
  }
}
