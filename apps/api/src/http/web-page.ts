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

/** The requested page of the web app; `name` is the id or the handle in its path. */
export interface ViewAsked {
  route: WebRoute;
  name: string;
  query: URLSearchParams;
}

/** The content that the server writes into a page, for readers that do not run its script. */
export interface View {
  status: 200 | 404 | 410 | 451 | 503;
  /** Elements of its head. */
  head: string;
  /** The content for readers without scripts. */
  plain: string;
}

export interface Views {
  find(asked: ViewAsked, asker: Asker): Promise<View>;
  /** The view that the address alone allows, without a query. */
  bare(asked: ViewAsked): View;
}

/** Longest wait for the server's content if a browser asks, since a browser draws the page itself. */
const PATIENCE_MS = 150;
/** Routes whose pages are neither cached nor described: an address that one person knows, and the operators' own. */
const PRIVATE: readonly WebRoute[] = ['/report/:secret', '/admin', '/admin/:page'];
const HTML = 'text/html; charset=utf-8';

/** The page of the web app, filled with the server's content. */
export class WebPage {
  readonly #parts: readonly string[];

  /** `html` marks the replaced part with the comments `head` and `/head`; a `noscript` follows. */
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
  indexRefusal: () => Error | null;
}

/**
 * Answers one route of the web app. Clients other than browsers are charged for the look-up and get an error if it
 * fails.
 */
export function serveWebPage(route: WebRoute, { page, views, responses, limits, indexRefusal }: Parts): RequestHandler {
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
    // Node's fetch sends `Sec-Fetch-Mode`, but only browsers send this header.
    const isBrowser = request.headers['sec-fetch-site'] !== undefined;
    const client = clientOf(request.ip);
    if (!isBrowser) await spend(limits, client, response);
    try {
      const refusal = needsIndex ? indexRefusal() : null;
      if (refusal) throw refusal;
      const make = async (signal: AbortSignal) => page.write(await views.find(asked, { client, signal }));
      const work = responses.answer(request.originalUrl, make, { who: client.prefix, gone: untilGone(response) });
      // The work continues after the page is sent without it. The page's own script asks the same index next.
      work.catch(() => {});
      const entry = await (isBrowser ? Promise.race([work, after(PATIENCE_MS)]) : work);
      if (entry) return await sendEntry(responses, request, response, entry);
    } catch (error) {
      if (response.destroyed) throw error;
    }
    response.setHeader('Cache-Control', 'no-cache');
    // For a client without scripts, a page without posts is an error. A browser asks again by itself and shows what is
    // wrong.
    if (!isBrowser) response.set(SOON);
    sendWritten(response, page.write({ ...views.bare(asked), ...(isBrowser ? {} : { status: 503 }) }));
  };
}

/** Throws if the client has read too much. A failure to count is ignored. */
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
