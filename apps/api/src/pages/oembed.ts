import { cutCodePoints, type Post, PRODUCT_NAME, parseUrl, postTitle } from '@archive/contracts';
import { AppError } from '../app-error.ts';
import { escapeText } from '../markup/clean-text.ts';
import { authorPath } from './plain-html.ts';

const WIDTH = 550;
/** Of a frame's own edges; a line of words has what is left. */
const EDGES = 48;
/** About what the embedded page needs: a line of words, a frame around them, a row of pictures. */
const HEIGHT = { line: 26, frame: 170, media: 300, least: 200, most: 800 };
const LETTER = 8.4;

/** What oEmbed 1.0 answers of a post, as type `rich`. */
export type OEmbed = Record<string, string | number>;

/** The id in the address of a post's page here, or of its embedded one. */
export function embeddedId(url: string, origin: string): string {
  const { origin: asked, pathname } = parseUrl(url) ?? { origin: '', pathname: '' };
  const id = asked === origin ? /^\/(?:post|embed)\/([^/]{1,200})$/.exec(pathname)?.[1] : undefined;
  if (id === undefined) throw new AppError('not_found', 'This is not the page of a post here.');
  return decodeURIComponent(id);
}

/** `most`: what the page that shows it has room for. */
export function describeEmbed(post: Post, origin: string, most: { width?: number; height?: number }): OEmbed {
  const width = Math.min(WIDTH, most.width ?? WIDTH);
  const room = Math.max(LETTER, width - EDGES);
  const lines = post.content.split('\n').reduce((sum, line) => sum + Math.ceil((line.length * LETTER + 1) / room), 0);
  const needed = HEIGHT.frame + lines * HEIGHT.line + (post.media.length > 0 ? HEIGHT.media : 0);
  const height = Math.round(Math.min(most.height ?? HEIGHT.most, HEIGHT.most, Math.max(HEIGHT.least, needed)));
  const address = `${origin}/embed/${post._id}`;
  const title = cutCodePoints(postTitle(post), 120);
  return {
    version: '1.0',
    type: 'rich',
    provider_name: PRODUCT_NAME,
    provider_url: origin,
    title,
    author_name: `${post.author} (@${post.authorUsername})`,
    author_url: `${origin}${authorPath(post.authorUsername)}`,
    html: `<iframe src="${address}" title="${escapeText(title)}" width="${width}" height="${height}" style="border:0;max-width:100%" loading="lazy" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`,
    width,
    height,
    // A removal reaches whoever asks again.
    cache_age: 60,
  };
}

export function oembedXml(answer: OEmbed): string {
  const fields = Object.entries(answer).map(([name, value]) => `<${name}>${escapeText(String(value))}</${name}>`);
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>${fields.join('')}</oembed>\n`;
}
