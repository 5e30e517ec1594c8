import { PRODUCT_NAME } from '@archive/contracts';
import { escapeText, scriptJson } from '../markup/clean-text.ts';

/** Data of a page for clients that do not render it. */
export interface PageHead {
  title: string;
  description: string;
  /** Title for previews, if it differs; for a post, its author. */
  previewTitle?: string;
  type: 'website' | 'article' | 'profile';
  /** The canonical address; null if the page has none. */
  canonical: string | null;
  image: { url: string; alt: string; width: number; height: number };
  /** Query of its feeds with the question mark; null without feeds. */
  feeds: string | null;
  oembed?: string;
  jsonLd?: object;
}

const FEEDS = { atom: 'application/atom+xml', rss: 'application/rss+xml', json: 'application/feed+json' };

/** The elements of a page's head. The page's script finds those that change with the view by `data-view`. */
export function headHtml(head: PageHead): string {
  const { title, description, previewTitle = title, type, canonical, image, feeds, oembed, jsonLd } = head;
  const meta = (kind: 'name' | 'property', name: string, content: string | number) =>
    `<meta ${kind}="${name}" content="${escapeText(String(content))}" />`;
  const link = (rel: string, href: string, more = '') => `<link rel="${rel}" href="${escapeText(href)}"${more} />`;
  return [
    `<title>${escapeText(title)}</title>`,
    meta('name', 'description', description),
    canonical ? link('canonical', canonical, ' data-view="page"') : meta('name', 'robots', 'noindex'),
    meta('property', 'og:site_name', PRODUCT_NAME),
    meta('property', 'og:type', type),
    meta('property', 'og:title', previewTitle),
    meta('property', 'og:description', description),
    ...(canonical ? [meta('property', 'og:url', canonical)] : []),
    meta('property', 'og:image', image.url),
    meta('property', 'og:image:width', image.width),
    meta('property', 'og:image:height', image.height),
    meta('property', 'og:image:alt', image.alt),
    meta('name', 'twitter:card', 'summary_large_image'),
    meta('name', 'twitter:title', previewTitle),
    meta('name', 'twitter:description', description),
    meta('name', 'twitter:image', image.url),
    meta('name', 'twitter:image:alt', image.alt),
    ...(feeds === null
      ? []
      : Object.entries(FEEDS).map(([format, mime]) =>
          link('alternate', `/feed.${format}${feeds}`, ` type="${mime}" data-view="${format}"`),
        )),
    ...(oembed ? [link('alternate', oembed, ' type="application/json+oembed"')] : []),
    ...(jsonLd ? [`<script type="application/ld+json">${scriptJson(jsonLd)}</script>`] : []),
  ].join('\n    ');
}
