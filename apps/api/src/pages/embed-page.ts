import { createHash } from 'node:crypto';
import { type Post, PRODUCT_NAME, postTitle } from '@archive/contracts';
import { escapeText } from '../markup/clean-text.ts';
import { postHtml } from '../markup/post-html.ts';
import { authorPath, timeHtml } from './plain-html.ts';

/** Light and dark colours, as in `ui/tokens.css`. */
const STYLE = `
:root{color-scheme:light dark;--canvas:#fefefc;--ink:#241a13;--soft:#574a40;--line:#e0dbd4;--link:#8d480d}
@media (prefers-color-scheme:dark){:root{--canvas:#1d1713;--ink:#f1ece4;--soft:#c5bcb1;--line:#342c25;--link:#f9b55e}}
*{box-sizing:border-box}
html,body{height:100%}
body{margin:0;background:transparent;color:var(--ink);font:15px/1.5 system-ui,sans-serif}
article{display:flex;flex-direction:column;min-height:100%;padding:18px 22px;border:1px solid var(--line);border-radius:16px;background:var(--canvas)}
header{display:flex;flex-wrap:wrap;gap:2px 8px;align-items:baseline}
header a{color:inherit;font-weight:600;text-decoration:none}
header span,footer{color:var(--soft);font-size:14px}
.words{flex:1;margin:10px 0;font:17px/1.52 Charter,'Bitstream Charter','Sitka Text',Cambria,Georgia,serif;overflow-wrap:anywhere}
.words p{margin:0 0 10px}
.words img{display:block;max-width:100%;height:auto;border-radius:10px}
blockquote{margin:0 0 10px;padding:10px 14px;border:1px solid var(--line);border-radius:12px;font-size:15px}
footer{display:flex;flex-wrap:wrap;gap:4px 14px;justify-content:space-between;padding-top:10px;border-top:1px solid var(--line)}
a{color:var(--link)}
a:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:4px}
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Headers of embedded pages: no scripts, only our own pictures, and any page may frame them. */
export const EMBED_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
    'sandbox allow-popups allow-popups-to-escape-sandbox',
  ].join('; '),
  'Cache-Control': 'public, max-age=60',
  'Referrer-Policy': 'no-referrer',
};

/** A post as a page for a frame on another site. */
export function embedPage(post: Post, origin: string): string {
  const who = `<a href="${origin}${authorPath(post.authorUsername)}"><bdi>${escapeText(post.author)}</bdi></a>`;
  return framed(
    postTitle(post),
    `<header>${who}<span><bdi>@${escapeText(post.authorUsername)}</bdi> · ${timeHtml(post.timestamp)}</span></header>
<div class="words" dir="auto">${postHtml(post, origin)}</div>
<footer><a href="${origin}/post/${post._id}">Read it in ${PRODUCT_NAME}</a></footer>`,
  );
}

/** A frame with a note, if there is no post to show. */
export function embedNote(words: string, origin: string): string {
  return framed(
    words,
    `<div class="words"><p>${escapeText(words)}</p></div>\n<footer><a href="${origin}/">${PRODUCT_NAME}</a></footer>`,
  );
}

function framed(title: string, inside: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<base target="_blank">
<title>${escapeText(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<article>
${inside}
</article>
</body>
</html>
`;
}
