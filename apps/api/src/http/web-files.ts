import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { WEB_ROUTES } from '@archive/contracts';
import type { Request, RequestHandler, Response, Router } from 'express';
import { sendProblem } from './problem.ts';
import type { WebRoute } from './web-page.ts';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

const PAGE = '/index.html';
/** Names that contain a hash of the content. */
const HASHED = /^\/static\/.*-[\w-]{8}\.[a-z0-9]+$/;

interface WebFile {
  type: string;
  etag: string;
  isImmutable: boolean;
  bodies: { identity: Buffer; br?: Buffer; gzip?: Buffer };
}

/** The built web app, held in memory with its precompressed forms. */
export class WebFiles {
  readonly #files = new Map<string, WebFile>();

  constructor(folder: string) {
    const names = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).split(sep).join('/'));
    const all = new Set(names);
    for (const name of names) {
      const type = TYPES[extname(name)];
      if (!type || name.startsWith('/.')) continue;
      const bodies = {
        identity: readFileSync(join(folder, name)),
        ...(all.has(`${name}.br`) ? { br: readFileSync(join(folder, `${name}.br`)) } : {}),
        ...(all.has(`${name}.gz`) ? { gzip: readFileSync(join(folder, `${name}.gz`)) } : {}),
      };
      this.#files.set(name, {
        type,
        etag: `"${createHash('sha1').update(bodies.identity).digest('base64url')}"`,
        isImmutable: HASHED.test(name),
        bodies,
      });
    }
    if (!this.#files.has(PAGE)) throw new Error(`the built web is not in ${folder}`);
  }

  /** The page as built. */
  get page(): string {
    return String(this.#files.get(PAGE)?.bodies.identity);
  }

  /** `servePage` answers the routes of the web app. */
  routes(router: Router, servePage: (route: WebRoute) => RequestHandler): void {
    for (const route of WEB_ROUTES) router.get(route, servePage(route));
    router.get('/{*path}', this.#serveFile);
  }

  /** Answers unknown addresses: browsers get the web app's page, all other clients a problem. */
  notFound: RequestHandler = (request, response) => {
    const wantsPage = request.method === 'GET' && /\btext\/html\b/.test(request.headers.accept ?? '');
    if (!wantsPage) return sendProblem(response, 'not_found', 'There is nothing at this address.');
    response.status(404);
    this.#send(request, response, PAGE);
  };

  #serveFile: RequestHandler = (request, response, next) => {
    if (request.path === PAGE || !this.#files.has(request.path)) return next();
    this.#send(request, response, request.path);
  };

  #send(request: Request, response: Response, name: string): void {
    const file = this.#files.get(name) as WebFile;
    response.setHeader('ETag', file.etag);
    response.setHeader('Cache-Control', file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
    response.setHeader('Vary', 'Accept-Encoding');
    response.setHeader('Content-Type', file.type);
    if (response.statusCode === 200 && request.headers['if-none-match'] === file.etag) {
      response.status(304).end();
      return;
    }
    const accepted = String(request.headers['accept-encoding'] ?? '');
    const encoding =
      file.bodies.br && /\bbr\b/.test(accepted) ? 'br' : file.bodies.gzip && /\bgzip\b/.test(accepted) ? 'gzip' : null;
    if (encoding) response.setHeader('Content-Encoding', encoding);
    const body = (encoding && file.bodies[encoding]) || file.bodies.identity;
    response.setHeader('Content-Length', body.length);
    response.end(request.method === 'HEAD' ? undefined : body);
  }
}
