import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Font } from 'satori';

const require = createRequire(import.meta.url);

/** Each part of a typeface is a file and, for what sets the words, a typeface: one without a letter is followed by the next. */
const SCRIPTS = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese'];
export const POST_FACE = SCRIPTS.map((script) => `literata-${script}`).join(', ');
export const OWN_FACE = ['latin', 'latin-ext'].map((script) => `instrument-sans-${script}`).join(', ');

/** The typefaces of the page, as far as they are drawn with; read once. */
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

/** An emoji as an SVG's data address; null where there is no drawing of it. */
export function emojiPicture(emoji: string): string | null {
  const points = Array.from(emoji, (character) => (character.codePointAt(0) as number).toString(16));
  // The files are named without the sign that asks for colour, but where others are joined to it.
  const name = (points.includes('200d') ? points : points.filter((point) => point !== 'fe0f')).join('-');
  try {
    const folder = dirname(require.resolve('@twemoji/svg/package.json'));
    return `data:image/svg+xml;base64,${readFileSync(join(folder, `${name}.svg`)).toString('base64')}`;
  } catch {
    return null;
  }
}
