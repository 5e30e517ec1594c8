import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inOldNames } from './answers.ts';
import { type Endpoint, type Fault, Faults } from './faults.ts';
import { type Account, Network } from './network.ts';
import { type Credentials, SignatureCheck } from './oauth.ts';
import { type Answer, Refusal, ROUTES, tellRefusal } from './routes.ts';

/** The names of fields in its answers: X is changing from the old names to the new ones. */
export type Vocabulary = 'old' | 'new' | 'alternating';

/** One call and its answer. */
export interface Answered {
  endpoint: Endpoint;
  query: Record<string, string>;
  /** The body as sent. */
  request: unknown;
  status: number;
  type: string;
  body: unknown;
  vocabulary: 'old' | 'new';
  /** Posts that X would charge for. */
  reads: number;
  /** The fault of this call, if any. */
  fault: Fault['kind'] | null;
}

export interface XStandIn extends AsyncDisposable {
  url: string;
  credentials: Credentials;
  /** The account of the credentials. */
  agent: Account;
  network: Network;
  faults: Faults;
  /** All calls so far, oldest first. */
  answered: Answered[];
  close(): Promise<void>;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const MOST_BYTES = 100_000;

/** A small X on loopback, for tests: the parts of its API that the archive uses, with accounts of its own. */
export async function startXStandIn(
  options: { agent?: string; vocabulary?: Vocabulary; now?: () => Date } = {},
): Promise<XStandIn> {
  const { vocabulary = 'new', now = () => new Date() } = options;
  const network = new Network(now);
  const agent = network.account(options.agent ?? 'amberkeeps');
  const secret = () => randomBytes(20).toString('hex');
  const credentials: Credentials = {
    apiKey: secret(),
    apiSecret: `${secret()}+/=~`,
    accessToken: `${agent.id}-${secret()}`,
    accessSecret: secret(),
  };
  const signatures = new SignatureCheck(credentials);
  const faults = new Faults();
  const answered: Answered[] = [];
  const stops = new AbortController();

  const server = createServer((request, response) => {
    respond(request, response).catch((error) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', url);
    const bytes = await readBody(request);
    const found = Object.entries(ROUTES).find(
      ([, { method, path }]) => method === request.method && path.test(pathname),
    );
    if (!found) return void response.writeHead(404).end();
    const [endpoint, { path, answer }] = found as [Endpoint, (typeof ROUTES)[Endpoint]];
    const { method = '', headers } = request;
    const refusal = signatures.refusalOf({
      method,
      address: url + pathname,
      query,
      authorization: headers.authorization,
    });
    const fault = refusal ? null : faults.take(endpoint);
    const asked = Object.fromEntries(query);
    if (fault?.kind === 'again') query.delete('since_id');
    const body = bytes.length > 0 ? JSON.parse(bytes.toString('utf8')) : null;
    const id = path.exec(pathname)?.[1] ?? '';
    const told = refusal
      ? unauthorized(refusal)
      : (faultyAnswer(fault) ?? answerOrRefuse(() => answer({ network, agent, id, query, body })));
    const names = vocabulary === 'alternating' ? (answered.length % 2 === 0 ? 'old' : 'new') : vocabulary;
    if (fault?.kind === 'duplicates' && Array.isArray(told.body['data'])) told.body['data'].push(...told.body['data']);
    const sent = names === 'old' ? inOldNames(told.body) : told.body;
    const isProblem = told.status === 400;
    const type = isProblem ? 'application/problem+json; charset=utf-8' : JSON_TYPE;
    const { status, reads } = told;
    answered.push({
      endpoint,
      query: asked,
      request: body,
      status,
      type,
      body: sent,
      vocabulary: names,
      reads,
      fault: fault?.kind ?? null,
    });
    if (fault?.kind === 'slow') await wait(fault.ms, stops.signal);
    // The call took effect, but its answer is lost.
    if (fault?.kind === 'lost') return void request.socket.destroy();
    const text = JSON.stringify(sent);
    response.writeHead(status, { 'content-type': type, ...limitHeaders(fault) });
    if (fault?.kind === 'cut') {
      response.write(text.slice(0, text.length / 2));
      return void setImmediate(() => request.socket.destroy());
    }
    if (fault?.kind === 'endless') return writeEndlessly(response);
    response.end(text);
  }

  const close = async () => {
    stops.abort();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url, credentials, agent, network, faults, answered, close, [Symbol.asyncDispose]: close };
}

function unauthorized(why: string): Answer {
  const body = { title: 'Unauthorized', type: 'about:blank', status: 401, detail: why, code: 32, message: why };
  return { status: 401, body, reads: 0 };
}

function answerOrRefuse(answer: () => Answer): Answer {
  try {
    return answer();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.status, body: tellRefusal(error), reads: 0 };
  }
}

function faultyAnswer(fault: Fault | null): Answer | null {
  if (fault?.kind === 'shape') return { status: 200, body: fault.body as Answer['body'], reads: 0 };
  if (fault?.kind === 'status')
    return { status: fault.status, body: (fault.body ?? problem(fault.status)) as Answer['body'], reads: 0 };
  return fault?.kind === 'rate-limit' ? { status: 429, body: problem(429), reads: 0 } : null;
}

function problem(status: number): Record<string, unknown> {
  const titles: Record<number, string> = {
    402: 'CreditsDepleted',
    429: 'Too Many Requests',
    503: 'Service Unavailable',
  };
  const title = titles[status] ?? 'Error';
  return { title, type: 'about:blank', status, detail: title, code: status, message: title };
}

function limitHeaders(fault: Fault | null): Record<string, string> {
  const isSpent = fault?.kind === 'rate-limit';
  const reset = (isSpent && fault.resetAt) || new Date(Date.now() + 900_000);
  return {
    'x-rate-limit-limit': '300',
    'x-rate-limit-remaining': isSpent ? '0' : '299',
    'x-rate-limit-reset': String(Math.ceil(reset.getTime() / 1_000)),
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function writeEndlessly(response: ServerResponse): void {
  const more = ' '.repeat(65_536);
  const write = () => {
    while (!response.destroyed && response.write(more));
  };
  response.on('drain', write);
  write();
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
