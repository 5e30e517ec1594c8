import { cutCodePoints, HEAD_TEXT_LENGTH, type Post, PRODUCT_NAME, postTitle, printFilters } from '@archive/contracts';
import { strictAddress } from '../markup/web-address.ts';
import type { PageHead } from './head-html.ts';
import { CARD_HEIGHT, CARD_WIDTH } from './picture/card.ts';
import { pictureKey } from './picture/share-pictures.ts';
import { authorPath } from './plain-html.ts';

/** The head data of a post's page. */
export function describePost(post: Post, origin: string): PageHead {
  const page = `${origin}/post/${post._id}`;
  const description = cutCodePoints(post.content, HEAD_TEXT_LENGTH);
  return {
    title: postTitle(post),
    previewTitle: `${post.author} (@${post.authorUsername})`,
    description,
    type: 'article',
    canonical: page,
    image: sharePictureOf(post, origin),
    feeds: `?${printFilters({ handle: post.authorUsername })}`,
    oembed: `${origin}/oembed?url=${encodeURIComponent(page)}`,
    jsonLd: postJsonLd(post, { origin, page }),
  };
}

/** The picture's address contains the key of its content, because caches go by the address. */
export function sharePictureOf(post: Post, origin: string): PageHead['image'] {
  return {
    url: `${origin}/share/${post._id}?v=${pictureKey(post)}`,
    alt: `A post by ${post.author}, as kept in ${PRODUCT_NAME}`,
    width: CARD_WIDTH,
    height: CARD_HEIGHT,
  };
}

/** The post in schema.org terms. */
function postJsonLd(post: Post, { origin, page }: { origin: string; page: string }): object {
  const original = strictAddress(post.url);
  const pictures = post.sensitive ? [] : post.media.flatMap(({ preview }) => preview ?? []);
  return {
    '@context': 'https://schema.org',
    '@type': 'SocialMediaPosting',
    '@id': page,
    url: page,
    mainEntityOfPage: page,
    headline: postTitle(post),
    articleBody: post.content,
    datePublished: post.timestamp,
    author: {
      '@type': 'Person',
      name: post.author,
      alternateName: `@${post.authorUsername}`,
      url: `${origin}${authorPath(post.authorUsername)}`,
    },
    ...(original ? { isBasedOn: original } : {}),
    ...(post.language ? { inLanguage: post.language } : {}),
    ...(pictures.length > 0 ? { image: pictures.map((path) => `${origin}${path}`) } : {}),
  };
}
