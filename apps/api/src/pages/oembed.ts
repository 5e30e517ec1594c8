import { cutCodePoints, type Post, PRODUCT_NAME, parseUrl, postTitle } from '@archive/contracts';
import { AppError } from '../app-error.ts';
import { escapeText } from '../markup/clean-text.ts';
import { authorPath } from './plain-html.ts';

const WIDTH = 550;
/** Width in pixels of the frame's edges; the rest is for text. */
const EDGES = 48;
/**
 * Estimated heights in the embedded page, in pixels: a line of text, the frame around it, a row of pictures, and the
 * limits.
 */
const HEIGHT = { line: 26, frame: 170, media: 300, least: 200, most: 800 };
const LETTER = 8.4;

/** An oEmbed 1.0 answer of type `rich`. */
export type OEmbed = Record<string, string | number>;

/** The post id in the address of a post's page, or of its embedded page. */
export function embeddedId(url: string, origin: string): string {
  const { origin: asked, pathname } = parseUrl(url) ?? { origin: '', pathname: '' };
  const id = asked === origin ? /^\/(?:post|embed)\/([^/]{1,200})$/.exec(pathname)?.[1] : undefined;
  if (id === undefined) throw new AppError('not_found', 'This is not the page of a post here.');
  return decodeURIComponent(id);
}

/** `most` is the room on the embedding page. */
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
    // Short, so that a removal reaches caches soon.
    cache_age: 60,
  };
}

export function oembedXml(answer: OEmbed): string {
  const fields = Object.entries(answer).map(([name, value]) => `<${name}>${escapeText(String(value))}</${name}>`);
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>${fields.join('')}</oembed>\n`;
}
