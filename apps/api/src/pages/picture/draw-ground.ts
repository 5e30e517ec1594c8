import { PRODUCT_NAME, PRODUCT_SLUG } from '@archive/contracts';
import { Resvg } from '@resvg/resvg-js';
import satori, { type Font } from 'satori';
import sharp from 'sharp';
import { CARD_HEIGHT, CARD_WIDTH } from './card.ts';
import { OWN_FACE } from './letters.ts';

/** The dark slab of `ui/tokens.css`; colours are adapted, since a picture cannot use its variables. */
const GROUND = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630">
<defs>
<radialGradient id="light" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="1" gradientTransform="translate(133 -11) scale(1279 551)"><stop offset="0" stop-color="#875200"/><stop offset=".62" stop-color="#875200" stop-opacity="0"/></radialGradient>
<radialGradient id="deep" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="1" gradientTransform="translate(1200 558) scale(1112 597)"><stop offset="0" stop-color="#431f07"/><stop offset=".66" stop-color="#431f07" stop-opacity="0"/></radialGradient>
<radialGradient id="flow" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="1" gradientTransform="translate(1245 365) scale(1056 734)"><stop offset=".65" stop-color="#431f07" stop-opacity=".14"/><stop offset=".651" stop-color="#dea052" stop-opacity=".07"/><stop offset=".95" stop-color="#dea052" stop-opacity="0"/></radialGradient>
<radialGradient id="glow"><stop offset="0" stop-color="#ab7225" stop-opacity=".22"/><stop offset="1" stop-color="#ab7225" stop-opacity="0"/></radialGradient>
<path id="slab" d="M88 44H1110A46 52 0 0 1 1156 96V456A48 47 0 0 1 1108 503H78A34 36 0 0 1 44 467V90A44 46 0 0 1 88 44Z"/>
</defs>
<rect width="1200" height="630" fill="#140f0b"/>
<ellipse cx="600" cy="505" rx="560" ry="46" fill="url(#glow)"/>
<use href="#slab" fill="#713c00"/><use href="#slab" fill="url(#deep)"/><use href="#slab" fill="url(#light)"/><use href="#slab" fill="url(#flow)"/>
<use href="#slab" fill="none" stroke="#ab7225" stroke-opacity=".5"/>
<path d="M78 45H1110" stroke="#faeec9" stroke-opacity=".28" stroke-width="1.5"/>
<g transform="translate(44 543) scale(.75)"><path fill="#f0a72f" d="M37.4 3.2C50.3 3.6 60.6 13 61.3 25.7 62.1 40.6 50.4 60.9 31.3 60.8 15.2 60.7 3.6 50.7 2.8 36.9 1.9 20.5 18.6 2.6 37.4 3.2Z"/><g fill="#381804"><path transform="translate(9.6 15.4) scale(1.16)" d="M13.9.2c1.9.4 2.4 2.2 1.2 3.6-2.5 2.6-3.9 5-4.4 7.4 3.9.8 6.6 3.9 6.6 8 0 4.8-3.8 8.5-8.7 8.5C2.9 27.7-1.2 23-1.2 16.5-1.2 8.4 4.5 1.8 13.9.2Z"/><path transform="translate(34.2 15.4) scale(1.16)" d="M13.9.2c1.9.4 2.4 2.2 1.2 3.6-2.5 2.6-3.9 5-4.4 7.4 3.9.8 6.6 3.9 6.6 8 0 4.8-3.8 8.5-8.7 8.5C2.9 27.7-1.2 23-1.2 16.5-1.2 8.4 4.5 1.8 13.9.2Z"/></g></g>
</svg>`;

/** The part that all pictures share, as RGB pixels. */
export async function drawGround(fonts: Font[]): Promise<Buffer> {
  const own = { display: 'flex', position: 'absolute', fontFamily: OWN_FACE };
  const words = await satori(
    box({ display: 'flex', width: CARD_WIDTH, height: CARD_HEIGHT }, [
      box({ ...own, left: 108, top: 542, fontSize: 38, fontWeight: 600, color: '#f1ece4' }, PRODUCT_NAME),
      box({ ...own, right: 44, top: 550, fontSize: 26, color: '#c5bcb1' }, `Posts, kept in ${PRODUCT_SLUG}`),
    ]),
    { width: CARD_WIDTH, height: CARD_HEIGHT, fonts },
  );
  const drawn = new Resvg(words, { font: { loadSystemFonts: false } }).render();
  const ground = new Resvg(GROUND, { font: { loadSystemFonts: false } }).render();
  const size = { width: CARD_WIDTH, height: CARD_HEIGHT, channels: 4 as const, premultiplied: true };
  return sharp(ground.asPng())
    .composite([{ input: Buffer.from(drawn.pixels), raw: size }])
    .removeAlpha()
    .raw()
    .toBuffer();
}

type Style = Record<string, string | number>;
type Inside = string | Box | readonly (Box | string)[];

interface Box {
  type: 'div';
  props: { style: Style; children: Inside };
}

/** A layout element with a style and children. */
export function box(style: Style, children: Inside) {
  return { type: 'div', props: { style, children } } as Box & Parameters<typeof satori>[0];
}
