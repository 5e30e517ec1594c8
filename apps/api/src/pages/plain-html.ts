import { type Post, PRODUCT_NAME } from '@archive/contracts';
import { escapeText } from '../markup/clean-text.ts';
import { postHtml } from '../markup/post-html.ts';
import { isWebAddress } from '../markup/web-address.ts';

/** A post for readers without scripts: author, time, full text, and source. */
export function plainPost(post: Post, origin: string): string {
  return [
    '<article>',
    `<p><a href="${authorPath(post.authorUsername)}"><bdi>${escapeText(post.author)}</bdi> <bdi>@${escapeText(post.authorUsername)}</bdi></a>`,
    ` · <a href="/post/${post._id}">${timeHtml(post.timestamp)}</a></p>`,
    `<div dir="auto">${postHtml(post, origin)}</div>`,
    isWebAddress(post.url)
      ? `<p><a href="${escapeText(post.url)}" rel="noopener nofollow ugc">The original</a></p>`
      : '',
    '</article>',
  ].join('');
}

/** A page of a list, with a link to the next page. */
export function plainList(
  list: { data: Post[]; pagination: { total: number } },
  { title, next, origin }: { title: string; next: string | null; origin: string },
) {
  const { total } = list.pagination;
  return [
    `<h1>${escapeText(title)}</h1>`,
    `<p>${total === 1 ? '1 post' : `${total.toLocaleString('en')} posts`}.</p>`,
    ...list.data.map((post) => plainPost(post, origin)),
    next ? `<p><a href="${escapeText(next)}" rel="next">More posts</a></p>` : '',
  ].join('');
}

/** A note, if there is nothing to read. */
export function plainNote(words: string): string {
  return `<p>${escapeText(words)}</p><p><a href="/">All posts in ${PRODUCT_NAME}</a></p>`;
}

export function authorPath(handle: string): string {
  return `/author/${encodeURIComponent(handle.toWellFormed())}`;
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

export function timeHtml(timestamp: string): string {
  return `<time datetime="${timestamp}">${DAY.format(new Date(timestamp))}</time>`;
}
