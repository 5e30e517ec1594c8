import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { PRODUCT_NAME, parseUrl } from '@archive/contracts';
import { WebSocket } from 'ws';
import { OutboundRefusal } from './outbound-refusal.ts';
import { isPublicAddress } from './public-address.ts';
import { resolveHost } from './resolve-host.ts';

const TIMEOUT_MS = 10_000;
const REDIRECTS = 3;

/** Allowed hosts: a list of names, or `anybody` for every public address without redirects. */
export type Hosts = readonly string[] | 'anybody';

export interface OutboundRequest {
  hosts: Hosts;
  /** Bytes of the whole answer, counted as they arrive, whatever its headers say. */
  maxBytes: number;
  /** Milliseconds for everything: name, connection, redirects and the last byte. */
  timeoutMs?: number;
  headers?: Record<string, string>;
  /** Called with the bytes of each received part, also of a refused answer. */
  onBytes?: ((count: number) => void) | undefined;
  /** Aborts the request and throws its reason. */
  signal?: AbortSignal | undefined;
}

export interface OutboundAnswer {
  bytes: Buffer;
  headers: IncomingHttpHeaders;
  /** The final address after redirects. */
  url: string;
}

export type OutboundStatus = Pick<OutboundAnswer, 'headers'> & { status: number };

interface Options {
  /** `host:port` of servers that may be private and use http, for tests and the demo. */
  localHosts?: readonly string[];
  resolve?: (name: string) => Promise<string[]>;
}

/**
 * Calls servers at addresses that others have given. Never connects into our own network, and keeps the limits of each
 * request.
 */
export class Outbound {
  readonly #localHosts: ReadonlySet<string>;
  readonly #resolve: (name: string) => Promise<string[]>;

  constructor({ localHosts = [], resolve = resolveHost }: Options = {}) {
    this.#localHosts = new Set(localHosts);
    this.#resolve = resolve;
  }

  /** The whole answer of status 200; throws `OutboundRefusal` otherwise. */
  async get(address: string, request: OutboundRequest): Promise<OutboundAnswer> {
    const { timeoutMs = TIMEOUT_MS, signal } = request;
    const late = AbortSignal.timeout(timeoutMs);
    const given = signal ? AbortSignal.any([late, signal]) : late;
    try {
      return await this.#follow(address, request, given);
    } catch (error) {
      signal?.throwIfAborted();
      if (late.aborted) throw new OutboundRefusal('too_slow', `no whole answer in ${timeoutMs} ms`, { cause: error });
      if (error instanceof OutboundRefusal) throw error;
      throw new OutboundRefusal('unreachable', 'there was no whole answer', { cause: error });
    }
  }

  /**
   * Sends bytes and returns the status, whatever it is. Reads at most `maxBytes` of the answer and follows no redirect.
   * Throws `OutboundRefusal` if there is no answer.
   */
  async post(address: string, request: OutboundRequest & { body: Buffer }): Promise<OutboundStatus> {
    const { timeoutMs = TIMEOUT_MS, maxBytes } = request;
    const late = AbortSignal.timeout(timeoutMs);
    const given = request.signal ? AbortSignal.any([late, request.signal]) : late;
    try {
      const answer = await this.#ask(this.#allowed(address, request.hosts), request, given);
      const { statusCode: status = 0, headers } = answer;
      try {
        if (status >= 300 && status < 400) throw new OutboundRefusal('redirected', 'it leads elsewhere');
        await readAtMost(answer, { maxBytes });
      } finally {
        answer.destroy();
      }
      return { status, headers };
    } catch (error) {
      request.signal?.throwIfAborted();
      if (late.aborted) throw new OutboundRefusal('too_slow', `no whole answer in ${timeoutMs} ms`, { cause: error });
      if (error instanceof OutboundRefusal) throw error;
      throw new OutboundRefusal('unreachable', 'there was no whole answer', { cause: error });
    }
  }

  /** Whether an address is allowed by its form alone; the name is looked up with the request. */
  mayAsk(address: string, hosts: Hosts): boolean {
    try {
      this.#allowed(address, hosts);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Creates a WebSocket to a host with a public address; it is not open yet. A message above `maxBytes` closes it. No
   * compression, no redirects. Throws `OutboundRefusal` if the address is not allowed.
   */
  openSocket(address: string, { maxBytes }: { maxBytes: number }): WebSocket {
    const url = this.#allowed(address.replace(/^ws(?=s?:)/i, 'http'), 'anybody');
    return new WebSocket(url, {
      headers: { 'User-Agent': PRODUCT_NAME },
      handshakeTimeout: TIMEOUT_MS,
      maxPayload: maxBytes,
      perMessageDeflate: false,
      followRedirects: false,
      ...this.#connection(url),
    });
  }

  async #follow(address: string, request: OutboundRequest, signal: AbortSignal): Promise<OutboundAnswer> {
    let url = this.#allowed(address, request.hosts);
    for (let redirects = 0; ; redirects++) {
      const answer = await this.#ask(url, request, signal);
      try {
        const next = redirectOf(answer);
        if (next === null) return { bytes: await read(answer, request), headers: answer.headers, url: url.href };
        const led = parseUrl(next, url);
        if (request.hosts === 'anybody' || redirects >= REDIRECTS || !led)
          throw new OutboundRefusal('redirected', 'it leads elsewhere');
        url = this.#allowed(led.href, request.hosts);
      } finally {
        answer.destroy();
      }
    }
  }

  /** Parses the address; throws if it is not allowed. */
  #allowed(address: string, hosts: Hosts): URL {
    const refuse = (why: string) => new OutboundRefusal('not_allowed', why);
    const url = parseUrl(address);
    if (!url) throw refuse('it is no address');
    if (url.username || url.password) throw refuse('it holds a name or a password');
    if (this.#isLocal(url)) return url;
    // The URL parser drops the default port. Another port may belong to a service that is not public.
    if (url.protocol !== 'https:' || url.port) throw refuse('only https at its usual port is asked');
    const isNamed = hosts === 'anybody' ? isDomain(url.hostname) : hosts.includes(url.hostname);
    if (!isNamed) throw refuse('this host is not asked');
    return url;
  }

  #isLocal(url: URL): boolean {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
    return this.#localHosts.has(`${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`);
  }

  #ask(url: URL, request: OutboundRequest & { body?: Buffer }, signal: AbortSignal): Promise<IncomingMessage> {
    const { headers, body } = request;
    return new Promise((resolve, reject) => {
      const send = url.protocol === 'https:' ? requestHttps : requestHttp;
      const options = {
        method: body ? 'POST' : 'GET',
        // A new connection, whose address was checked for this request.
        agent: false as const,
        headers: { 'User-Agent': PRODUCT_NAME, Accept: '*/*', ...headers, 'Accept-Encoding': 'identity' },
        signal,
        ...this.#connection(url),
      };
      send(url, options, resolve).once('error', reject).end(body);
    });
  }

  /** Only local hosts use the system's look-up. */
  #connection(url: URL): { lookup?: LookupFunction } {
    return this.#isLocal(url) ? {} : { lookup: this.#lookup };
  }

  /**
   * Replaces the system's look-up. The connection uses exactly the checked addresses, so that a second answer cannot
   * differ.
   */
  #lookup: LookupFunction = (name, options, callback) => {
    this.#resolve(name).then(
      (addresses) => {
        const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        const [first] = all;
        const isPublic = first !== undefined && addresses.every(isPublicAddress);
        if (!isPublic) callback(new OutboundRefusal('not_allowed', 'its address is not public'), '');
        else if (options.all) callback(null, all);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, ''),
    );
  };
}

/** Refuses IP addresses, and single-word names, which a local network may define. */
function isDomain(host: string): boolean {
  const words = host.split('.').filter((word) => word !== '');
  return words.length > 1 && /^[a-z]/.test(words.at(-1) ?? '');
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage): string | null {
  return statusCode >= 300 && statusCode < 400 && headers.location !== undefined ? headers.location : null;
}

type Bounds = Pick<OutboundRequest, 'maxBytes' | 'onBytes'>;

async function read(answer: IncomingMessage, bounds: Bounds): Promise<Buffer> {
  const { statusCode: status = 0, headers } = answer;
  if (status !== 200) throw new OutboundRefusal('status', `the server answered ${status}`, { status });
  // Compression was not requested, and the content could be a thousand times as large.
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw new OutboundRefusal('encoded', 'it came packed');
  return readAtMost(answer, bounds);
}

async function readAtMost(answer: IncomingMessage, { maxBytes, onBytes }: Bounds): Promise<Buffer> {
  const tooLarge = () => new OutboundRefusal('too_large', `more than ${maxBytes} bytes`);
  if (Number(answer.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    onBytes?.(chunk.length);
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
