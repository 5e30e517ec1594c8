import type { Post, PostLink, PostMedia } from '@archive/contracts';
import { escapeText } from './clean-text.ts';
import { isWebAddress } from './web-address.ts';

/** A post's words, quote and pictures as HTML; `origin` is the archive's own, since it is read elsewhere. */
export function postHtml(post: Post, origin: string): string {
  const { content, links, media, quoted, sensitive } = post;
  return [
    `<p>${linkedWords(content, links)}</p>`,
    quoted ? quoteHtml(quoted, origin) : '',
    ...media.map((one) => mediaHtml(one, { origin, page: `${origin}/post/${post._id}`, sensitive })),
  ].join('');
}

/** Words with the links that stand in them, as HTML. */
export function linkedWords(content: string, links: readonly PostLink[]): string {
  const points = Array.from(content);
  const parts: string[] = [];
  let done = 0;
  for (const { start, end, url } of links.toSorted((one, other) => one.start - other.start)) {
    if (start < done || start >= end || end > points.length || !isWebAddress(url)) continue;
    const words = points.slice(start, end).join('');
    // X puts an address of its own in place of every link: what is shown is where it leads.
    const shown = /^https?:\/\/t\.co\/\w+$/.test(words) ? url : words;
    parts.push(wordsHtml(points.slice(done, start).join('')), linkHtml(url, shown));
    done = end;
  }
  return [...parts, wordsHtml(points.slice(done).join(''))].join('');
}

/** A link to elsewhere; what it leads to learns nothing of the page. */
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

/** A picture small, linked to the whole; of what is sensitive, or missing, the description alone. */
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
