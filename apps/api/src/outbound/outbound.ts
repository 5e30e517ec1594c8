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

/** Who may be asked: hosts by name, or `anybody`, who has a public address and redirects nowhere. */
export type Hosts = readonly string[] | 'anybody';

export interface OutboundRequest {
  hosts: Hosts;
  /** Of the whole answer; counted while it comes, whatever is said about it before. */
  maxBytes: number;
  /** For everything: name, connection, redirects and the last byte. */
  timeoutMs?: number;
  headers?: Record<string, string>;
  /** Told of the bytes of each part of the answer, those too of an answer that is refused. */
  onBytes?: ((count: number) => void) | undefined;
  /** Given up when this is aborted; its reason is thrown. */
  signal?: AbortSignal | undefined;
}

export interface OutboundAnswer {
  bytes: Buffer;
  headers: IncomingHttpHeaders;
  /** Where it came from in the end. */
  url: string;
}

export type OutboundStatus = Pick<OutboundAnswer, 'headers'> & { status: number };

interface Options {
  /** `host:port` of servers that may be private and speak http, whoever else may be asked: tests and the demo. */
  localHosts?: readonly string[];
  resolve?: (name: string) => Promise<string[]>;
}

/** Asks others' servers at addresses that others give. Never one inside our own network, and never more than is told. */
export class Outbound {
  readonly #localHosts: ReadonlySet<string>;
  readonly #resolve: (name: string) => Promise<string[]>;

  constructor({ localHosts = [], resolve = resolveHost }: Options = {}) {
    this.#localHosts = new Set(localHosts);
    this.#resolve = resolve;
  }

  /** The whole answer of status 200, or `OutboundRefusal`. */
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
   * Sends bytes and answers with what status they were taken, whatever it is; of the answer no more is read than it may
   * hold. No redirect is followed. Throws `OutboundRefusal` where there was no answer.
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

  /** Whether an address is one that may be asked, as far as it tells by itself; its name is looked up when it is asked. */
  mayAsk(address: string, hosts: Hosts): boolean {
    try {
      this.#allowed(address, hosts);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * A WebSocket to a host that has a public address, not open yet; a message of more than `maxBytes` ends it. Nothing is
   * packed and no redirect followed. Throws `OutboundRefusal` where that address may not be asked.
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

  /** The address, where it is one that may be asked. */
  #allowed(address: string, hosts: Hosts): URL {
    const refuse = (why: string) => new OutboundRefusal('not_allowed', why);
    const url = parseUrl(address);
    if (!url) throw refuse('it is no address');
    if (url.username || url.password) throw refuse('it holds a name or a password');
    if (this.#isLocal(url)) return url;
    // The usual port is never written: any other may be a service that is not meant for us.
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
        // A connection of its own: whose address was looked at for this request.
        agent: false as const,
        headers: { 'User-Agent': PRODUCT_NAME, Accept: '*/*', ...headers, 'Accept-Encoding': 'identity' },
        signal,
        ...this.#connection(url),
      };
      send(url, options, resolve).once('error', reject).end(body);
    });
  }

  /** Only local hosts are looked up as the system does it. */
  #connection(url: URL): { lookup?: LookupFunction } {
    return this.#isLocal(url) ? {} : { lookup: this.#lookup };
  }

  /** In place of the system's: what is connected to is what was looked at, so that no second answer can differ. */
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

/** No bare address, which has nobody who answers for it, and no name of a single word, which a network gives its own. */
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
  // Nobody was asked to pack it; unpacked it could be a thousand times as large.
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
