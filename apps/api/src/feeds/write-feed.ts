import { type FeedFormat, PRODUCT_NAME } from '@archive/contracts';
import { generateAtomFeed, generateRssFeed } from 'feedsmith';
import { cleanText } from '../markup/clean-text.ts';
import type { Feed, FeedEntry } from './describe-feed.ts';

/** Date of a feed without entries, constant so that its bytes stay equal. */
const NEVER = new Date(0);

/**
 * Writes a feed as text. The library escapes, but does not remove characters that XML forbids, so every text is cleaned
 * first. JSON is written here, because the library omits the required `items` of a feed without posts.
 */
export function writeFeed(format: FeedFormat, feed: Feed): string {
  return WRITERS[format](feed);
}

const WRITERS: Record<FeedFormat, (feed: Feed) => string> = {
  atom: (feed) =>
    generateAtomFeed({
      id: addressIn('atom', feed),
      title: plain(feed.title),
      updated: feed.updated ?? NEVER,
      generator: { text: PRODUCT_NAME },
      links: [
        { href: feed.page, rel: 'alternate', type: 'text/html' },
        { href: addressIn('atom', feed), rel: 'self', type: 'application/atom+xml' },
      ],
      // An entry without an author takes that of its feed.
      authors: [{ name: PRODUCT_NAME, uri: feed.page }],
      entries: feed.entries.map((entry) => ({
        id: entry.id,
        title: plain(entry.title),
        updated: entry.updated,
        published: entry.published,
        content: { value: cleanText(entry.html), type: 'html' },
        links: [
          { href: entry.id, rel: 'alternate', type: 'text/html' },
          ...(entry.original ? [{ href: entry.original, rel: 'via' }] : []),
        ],
        ...(entry.author ? { authors: [{ name: cleanText(entry.author.name), uri: entry.author.page }] } : {}),
        ...(entry.category ? { categories: [{ term: entry.category }] } : {}),
      })),
    }),
  rss: (feed) =>
    generateRssFeed({
      title: cleanText(feed.title),
      link: feed.page,
      description: `Posts kept in ${PRODUCT_NAME}, last saved first.`,
      lastBuildDate: feed.updated ?? NEVER,
      generator: PRODUCT_NAME,
      atom: { links: [{ href: addressIn('rss', feed), rel: 'self', type: 'application/rss+xml' }] },
      items: feed.entries.map((entry) => ({
        guid: { value: entry.id, isPermaLink: true },
        link: entry.id,
        title: cleanText(entry.title),
        pubDate: entry.published,
        content: { encoded: cleanText(entry.html) },
        ...(entry.author ? { dc: { creators: [cleanText(entry.author.name)] } } : {}),
        ...(entry.category ? { categories: [{ name: entry.category }] } : {}),
      })),
    }),
  json: (feed) =>
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: cleanText(feed.title),
      home_page_url: feed.page,
      feed_url: addressIn('json', feed),
      items: feed.entries.map(toJsonItem),
    }),
};

function toJsonItem({
  id,
  title,
  html,
  text,
  author,
  published,
  updated,
  category,
  language,
  original,
  picture,
}: FeedEntry) {
  return {
    id,
    url: id,
    ...(original ? { external_url: original } : {}),
    title: cleanText(title),
    content_html: cleanText(html),
    content_text: cleanText(text),
    date_published: published,
    date_modified: updated,
    ...(author ? { authors: [{ name: cleanText(author.name), url: author.page }] } : {}),
    ...(category ? { tags: [category] } : {}),
    ...(language ? { language } : {}),
    ...(picture ? { image: picture } : {}),
  };
}

function addressIn(format: FeedFormat, { address }: Feed): string {
  return `${address.start}${format}${address.query}`;
}

/** Plain text, no HTML. */
function plain(text: string) {
  return { value: cleanText(text), type: 'text' };
}
