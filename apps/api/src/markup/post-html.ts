import type { Post, PostLink, PostMedia } from '@archive/contracts';
import { escapeText } from './clean-text.ts';
import { isWebAddress } from './web-address.ts';

/**
 * A post's text, quote and pictures as HTML. `origin` makes the addresses absolute, since the HTML is shown elsewhere.
 */
export function postHtml(post: Post, origin: string): string {
  const { content, links, media, quoted, sensitive } = post;
  return [
    `<p>${linkedWords(content, links)}</p>`,
    quoted ? quoteHtml(quoted, origin) : '',
    ...media.map((one) => mediaHtml(one, { origin, page: `${origin}/post/${post._id}`, sensitive })),
  ].join('');
}

/** A text with its links, as HTML. */
export function linkedWords(content: string, links: readonly PostLink[]): string {
  const points = Array.from(content);
  const parts: string[] = [];
  let done = 0;
  for (const { start, end, url } of links.toSorted((one, other) => one.start - other.start)) {
    if (start < done || start >= end || end > points.length || !isWebAddress(url)) continue;
    const words = points.slice(start, end).join('');
    // X replaces every link by its own short address. The target is shown instead.
    const shown = /^https?:\/\/t\.co\/\w+$/.test(words) ? url : words;
    parts.push(wordsHtml(points.slice(done, start).join('')), linkHtml(url, shown));
    done = end;
  }
  return [...parts, wordsHtml(points.slice(done).join(''))].join('');
}

/** A link to another site; `noopener` keeps that site from accessing this page. */
export function linkHtml(url: string, words: string): string {
  return isWebAddress(url)
    ? `<a href="${escapeText(url)}" rel="noopener nofollow ugc">${escapeText(words)}</a>`
    : escapeText(words);
}

function wordsHtml(text: string): string {
  return escapeText(text).replaceAll('\n', '<br>');
}

function quoteHtml({ post, url }: NonNullable<Post['quoted']>, origin: string): string {
  if (!post) return `<p>${linkHtml(url, 'The post it quotes')}</p>`;
  const who = `${post.author} (@${post.authorUsername})`;
  return `<blockquote><p>${wordsHtml(post.content)}</p><p><a href="${origin}/post/${post._id}">${escapeText(who)}</a></p></blockquote>`;
}

interface Shown {
  origin: string;
  page: string;
  sensitive: boolean;
}

/** A small picture that links to the full one. For sensitive or missing media, only the description. */
function mediaHtml({ type, url, preview, width, height, alt }: PostMedia, { origin, page, sensitive }: Shown): string {
  const name = type === 'image' ? 'Picture' : type === 'gif' ? 'GIF' : 'Video';
  if (!preview || sensitive) {
    const why = sensitive ? ', marked as sensitive' : '';
    return `<p><a href="${page}">${name}${why}</a>${alt ? `: ${escapeText(alt)}` : ''}</p>`;
  }
  const size = width && height ? ` width="${width}" height="${height}"` : '';
  const picture = `<img src="${origin}${preview}" alt="${escapeText(alt ?? '')}"${size}>`;
  return `<p><a href="${url ? `${origin}${url}` : page}">${picture}</a></p>`;
}
