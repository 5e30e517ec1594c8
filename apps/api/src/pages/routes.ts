import { ERROR_STATUS } from '@archive/contracts';
import { AppError } from '../app-error.ts';
import { bytes, streamed } from '../http/replies.ts';
import type { Routes } from '../http/route.ts';
import { JSON_TYPE, Written } from '../http/written.ts';
import { given, isHeldBack } from '../posts/held-back.ts';
import { findPost, isNotShown } from '../posts/live-post.ts';
import { llmsTxt, robotsTxt } from './crawler-texts.ts';
import { EMBED_HEADERS, embedNote, embedPage } from './embed-page.ts';
import type { ViewNeeds } from './find-view.ts';
import { describeEmbed, embeddedId, oembedXml } from './oembed.ts';
import type { Pages } from './pages.ts';
import { PART_COST } from './sitemap.ts';

type Needs = ViewNeeds & { pages: Pages };

const TEXT = 'text/plain; charset=utf-8';
const XML = 'application/xml; charset=utf-8';
const HTML = 'text/html; charset=utf-8';
/** Short, so that caches drop a removed post within a minute. */
const FOR_A_MINUTE = { 'Cache-Control': 'public, max-age=60' };
const FOR_AN_HOUR = { 'Cache-Control': 'public, max-age=3600' };
/** Pages of other sites may ask how to show a post. */
const ELSEWHERE = { 'Access-Control-Allow-Origin': '*' };

export const pageRoutes = {
  robots: {
    access: 'anyone',
    run: ({ config }) => new Written(TEXT, robotsTxt(config.publicUrl.origin), { headers: FOR_AN_HOUR }),
  },
  llms: {
    access: 'anyone',
    run: ({ config }) => new Written(TEXT, llmsTxt(config.publicUrl.origin), { headers: FOR_AN_HOUR }),
  },
  sitemap: {
    access: 'anyone',
    needsIndex: true,
    addressBudget: 'crawl',
    run: ({ config, pages }, { asker }) => streamed(XML, () => pages.sitemap.parts(config.publicUrl.origin, asker)),
  },
  sitemapPart: {
    access: 'anyone',
    needsIndex: true,
    addressBudget: 'crawl',
    addressCost: PART_COST,
    run: ({ config, pages }, { params, asker }) =>
      streamed(XML, () => pages.sitemap.part(params.part.slice(0, 24), config.publicUrl.origin, asker)),
  },
  oembed: {
    access: 'anyone',
    addressBudget: 'crawl',
    run: async (context, { query: { url, format, maxwidth: width, maxheight: height } }) => {
      const { origin } = context.config.publicUrl;
      const post = await findPost(context, embeddedId(url, origin));
      if (isHeldBack(post, context.config))
        throw new AppError('not_found', 'This post is shown on its own page alone.');
      const answer = describeEmbed(given(post, context.config), origin, {
        ...(width ? { width } : {}),
        ...(height ? { height } : {}),
      });
      const headers = { ...FOR_A_MINUTE, ...ELSEWHERE };
      return format === 'xml'
        ? new Written('text/xml; charset=utf-8', oembedXml(answer), { headers })
        : new Written(JSON_TYPE, JSON.stringify(answer), { headers });
    },
  },
  embed: {
    access: 'anyone',
    addressBudget: 'crawl',
    refusal: ({ config }, error) =>
      isNotShown(error) ? embedded(embedNote(error.message, config.publicUrl.origin), ERROR_STATUS[error.code]) : null,
    run: async (context, { params }) => {
      const { origin } = context.config.publicUrl;
      const post = await findPost(context, params.id);
      if (isHeldBack(post, context.config))
        return embedded(embedNote('A post of X. Open its page to read it.', origin));
      return embedded(embedPage(given(post, context.config), origin));
    },
  },
  sharePicture: {
    access: 'anyone',
    addressBudget: 'crawl',
    run: async (context, { params, asker }) => {
      const { key, png } = await context.pages.pictures.find(
        given(await findPost(context, params.id), context.config),
        asker,
      );
      return bytes('image/png', png, { ...FOR_A_MINUTE, ETag: `"${key}"` });
    },
  },
} satisfies Routes<'robots' | 'llms' | 'sitemap' | 'sitemapPart' | 'oembed' | 'embed' | 'sharePicture', Needs>;

function embedded(html: string, status = 200): Written {
  // Replaces the page's own policy, which forbids frames.
  return new Written(HTML, html, { status, headers: { ...EMBED_HEADERS, 'X-Frame-Options': null } });
}
