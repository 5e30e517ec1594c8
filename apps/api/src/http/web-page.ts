import type { WEB_ROUTES } from '@archive/contracts';
import type { RequestHandler, Response } from 'express';
import { AppError } from '../app-error.ts';
import { type Client, clientOf } from '../clients.ts';
import type { Asker } from '../question-queue.ts';
import type { RateLimits } from './rate-limits.ts';
import type { ResponseCache } from './response-cache.ts';
import { sendEntry } from './serve-cached.ts';
import { SOON } from './starting.ts';
import { untilGone } from './until-gone.ts';
import { sendWritten, Written } from './written.ts';

export type WebRoute = (typeof WEB_ROUTES)[number];

/** Which page of the web is asked for; `name` is the id or the handle in its path. */
export interface ViewAsked {
  route: WebRoute;
  name: string;
  query: URLSearchParams;
}

/** What the server says in a page, for whoever does not run its script. */
export interface View {
  status: 200 | 404 | 410 | 451 | 503;
  /** Elements of its head. */
  head: string;
  /** What stands in it for readers without scripts. */
  plain: string;
}

export interface Views {
  find(asked: ViewAsked, asker: Asker): Promise<View>;
  /** As far as the address alone tells. */
  bare(asked: ViewAsked): View;
}

/** A browser draws the page itself: it waits no longer than this for what others read in it. */
const PATIENCE_MS = 150;
/** Of these nothing is kept on the way or told to anybody: an address that one person knows, and the operators' own. */
const PRIVATE: readonly WebRoute[] = ['/report/:secret', '/admin', '/admin/:page'];
const HTML = 'text/html; charset=utf-8';

/** The page of the web with what the server knows of it put in. */
export class WebPage {
  readonly #parts: readonly string[];

  /** `html` has a comment `head` and one `/head` around what is replaced, and a `noscript` after them. */
  constructor(html: string) {
    const [start = '', head] = html.split('<!--head-->');
    const [, rest] = head?.split('<!--/head-->') ?? [];
    const [middle = '', plain] = rest?.split('<noscript>') ?? [];
    const [, end] = plain?.split('</noscript>') ?? [];
    if (end === undefined) throw new Error('index.html has no place for its head, or no noscript');
    this.#parts = [start, `${middle}<noscript>`, `</noscript>${end}`];
  }

  write({ status, head, plain }: View): Written {
    const [start, middle, end] = this.#parts;
    return new Written(HTML, `${start}${head}${middle}${plain}${end}`, { status });
  }
}

interface Parts {
  page: WebPage;
  views: Views;
  responses: ResponseCache;
  limits: Pick<RateLimits, 'spendOf'>;
  isIndexReady: () => boolean;
}

/** Answers one route of the web. Programs, which are no browser's, pay for what is looked up for them, and are told when it cannot be. */
export function serveWebPage(route: WebRoute, { page, views, responses, limits, isIndexReady }: Parts): RequestHandler {
  const isPrivate = PRIVATE.includes(route);
  const needsIndex = route === '/' || route === '/author/:handle' || route === '/explore';
  return async (request, response) => {
    const [name = ''] = Object.values(request.params).map(String);
    const query = new URLSearchParams(request.originalUrl.split('?').slice(1).join('?'));
    const asked = { route, name, query };
    if (isPrivate) {
      response.set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' });
      return sendWritten(response, page.write(views.bare(asked)));
    }
    // Node's own fetch sends `Sec-Fetch-Mode`; this one only browsers send.
    const isBrowser = request.headers['sec-fetch-site'] !== undefined;
    const client = clientOf(request.ip);
    if (!isBrowser) await spend(limits, client, response);
    try {
      if (needsIndex && !isIndexReady()) throw new Error('the archive is starting');
      const make = async (signal: AbortSignal) => page.write(await views.find(asked, { client, signal }));
      const work = responses.answer(request.originalUrl, make, { who: client.prefix, gone: untilGone(response) });
      // It goes on where the page goes without it, for who asks next: the page's own script, of the same index.
      work.catch(() => {});
      const entry = await (isBrowser ? Promise.race([work, after(PATIENCE_MS)]) : work);
      if (entry) return await sendEntry(responses, request, response, entry);
    } catch (error) {
      if (response.destroyed) throw error;
    }
    response.setHeader('Cache-Control', 'no-cache');
    // A page without posts is no answer to who reads nothing else; a browser asks again by itself, and says what is wrong.
    if (!isBrowser) response.set(SOON);
    sendWritten(response, page.write({ ...views.bare(asked), ...(isBrowser ? {} : { status: 503 }) }));
  };
}

/** Who has read too much is told so; that nobody could count it is no reason. */
async function spend(limits: Parts['limits'], client: Client, response: Response): Promise<void> {
  await limits.spendOf('crawl', client, response).catch((error: unknown) => {
    if (error instanceof AppError) throw error;
  });
}

function after(ms: number): Promise<null> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms, null).unref();
  });
}
