import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type EndpointName, PRODUCT_NAME } from '@archive/contracts';
import { problemSchema } from '@archive/contracts/schemas';
import fc from 'fast-check';
import { endpointAt, problemOf, unpacked } from '../judge-answer.ts';
import { Attackers } from './attackers.ts';
import { type AttackRequest, isServable, NAMES, requests } from './requests.ts';

const AT_ONCE = 8;
/** Requests per series. Between two series, ended sessions are renewed. */
const SERIES = 125;
/** Most additional requests while a call lacks an answer. */
const MOST_MORE = 2_000;
const TIMEOUT_MS = 120_000;
/** Additional time of a call: a launch waits for the chain before it answers. */
const WAITS_MS: Record<string, number> = { launchToken: 6_000 };

export interface AttackReport {
  requests: number;
  byStatus: Record<number, number>;
  /** Calls of the contract that succeeded, and those that were refused. */
  served: Set<string>;
  refused: Set<string>;
  p50Ms: number;
  p99Ms: number;
  slowestMs: number;
  /** Errors as text, each with its request. */
  wrong: string[];
}

export interface AttackOptions {
  /** Number of requests. More follow while a call is lacking: it was never made, or could succeed and did not. */
  requests: number;
  seed: number;
  key: string;
  posts: readonly string[];
  /** Hashes of kept pictures. */
  media?: readonly string[];
  /** Time limit; a slower answer is an error. */
  slowestMs?: number;
  onSeries?: (line: string) => void;
}

/** Sends generated requests, a few at once, and checks every answer against the contract. */
export async function attack(api: { url: string }, options: AttackOptions): Promise<AttackReport> {
  const { slowestMs = Number.POSITIVE_INFINITY } = options;
  const report: AttackReport = {
    requests: 0,
    byStatus: {},
    served: new Set(),
    refused: new Set(),
    p50Ms: 0,
    p99Ms: 0,
    slowestMs: 0,
    wrong: [],
  };
  const times: number[] = [];
  const attackers = new Attackers(api, options);
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const ask = async (sent: AttackRequest) => {
    const startedAt = performance.now();
    const answer = await send(api.url, sent, agent);
    const ms = performance.now() - startedAt;
    const [path = ''] = sent.target.split('?');
    const name = endpointAt(sent.method, path);
    const problems = judge(sent, path, answer);
    times.push(ms);
    if (ms > slowestMs + (WAITS_MS[name ?? ''] ?? 0)) problems.push(`took ${Math.round(ms)} ms`);
    if (problems.length > 0) report.wrong.push(`${problems.join('; ')}: ${describe(sent)}`);
    const isServed = answer.status > 0 && answer.status < 300;
    if (name) (isServed ? report.served : report.refused).add(name);
    if (name && isServed && sent.method !== 'HEAD') attackers.learn(name, answer.body);
    report.byStatus[answer.status] = (report.byStatus[answer.status] ?? 0) + 1;
    report.requests++;
  };
  try {
    const isLacking = (name: EndpointName) =>
      !report.served.has(name) && (isServable(name) || !report.refused.has(name));
    const isDone = (at: number) => at >= options.requests + MOST_MORE || !NAMES.some(isLacking);
    for (let at = 0; at < options.requests || !isDone(at); at += SERIES) {
      await attackers.prepare();
      const numRuns = at < options.requests ? Math.min(SERIES, options.requests - at) : SERIES;
      const sent = fc.sample(requests(attackers, isLacking), { numRuns, seed: options.seed + at });
      const next = sent.values();
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (const one of next) await ask(one);
        }),
      );
      options.onSeries?.(`${report.requests} requests, ${report.wrong.length} wrong`);
    }
  } finally {
    agent.destroy();
  }
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return { ...report, p50Ms: at(0.5), p99Ms: at(0.99), slowestMs: at(1) };
}

interface Answer {
  /** 0 if there was no answer. */
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  error?: string;
}

async function send(url: string, { method, target, headers, body }: AttackRequest, agent: Agent): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const length = body ? { 'content-length': body.length } : {};
  const sent = request({
    hostname,
    port,
    method,
    path: target,
    headers: { ...headers, ...length },
    agent,
    timeout: TIMEOUT_MS,
  });
  sent.on('timeout', () => sent.destroy(new Error('no answer')));
  const failed = new Promise<never>((_, reject) => sent.on('error', reject));
  failed.catch(() => {});
  try {
    sent.end(body);
    const [response] = (await Promise.race([once(sent, 'response'), failed])) as [IncomingMessage];
    const { statusCode = 0, headers } = response;
    // The stream has no end.
    if (headers['content-type']?.startsWith('text/event-stream')) {
      const [body] = method === 'HEAD' ? [Buffer.alloc(0)] : ((await once(response, 'data')) as [Buffer]);
      response.destroy();
      return { status: statusCode, headers, body };
    }
    return { status: statusCode, headers, body: unpacked(await buffer(response), headers['content-encoding']) };
  } catch (error) {
    return { status: 0, headers: {}, body: Buffer.alloc(0), error: String(error) };
  }
}

const FEEDS = ['feedAtom', 'feedRss', 'feedJson'];
/** Token metadata, and what other sites may embed, is readable for every origin. */
const FOR_EVERYBODY: ReadonlySet<string> = new Set(['tokenMetadata', 'tokenImage', 'oembed', ...FEEDS]);
/**
 * Their callers do not read problem+json: an error is in an answer of their own type, and contains the product's name.
 */
const IN_WORDS: ReadonlySet<string> = new Set(['embed', ...FEEDS]);
/** Internal details that no answer may reveal. */
const INSIDE = /node_modules|\bat .+:\d+:\d+|Mongo|SQLITE|ECONN|\/src\//;

function judge({ method, target }: AttackRequest, path: string, { status, headers, body, error }: Answer): string[] {
  if (status === 0) return [`no answer (${error})`];
  // Node refuses invalid and oversized requests before the product sees them.
  if (status === 431) return [];
  if (/[^!-~]/.test(target)) return status === 400 ? [] : [`${status} for what is no HTTP`];
  const wrong: string[] = [];
  const type = String(headers['content-type'] ?? '');
  if (status >= 500) wrong.push(`${status} ${body.toString().slice(0, 300)}`);
  const name = endpointAt(method, path);
  // Nothing can be checked without a body.
  const problem = name && method !== 'HEAD' && problemOf(name, status, { type, encoding: 'identity' }, body);
  if (problem) wrong.push(`${status} is outside the contract: ${problem}`);
  if (status >= 400 && method !== 'HEAD') {
    if (INSIDE.test(body.toString())) wrong.push(`tells of the inside: ${body.toString().slice(0, 300)}`);
    if (!(IN_WORDS.has(name ?? '') && body.includes(PRODUCT_NAME))) wrong.push(...judgeRefusal(type, path, body));
  }
  if (method === 'HEAD' && body.length > 0) wrong.push('HEAD with a body');
  if (headers['x-content-type-options'] !== 'nosniff') wrong.push('without nosniff');
  if (!headers['content-security-policy']) wrong.push('without a content policy');
  if (headers['set-cookie']) wrong.push('sets a cookie');
  if (headers['access-control-allow-origin'] && !FOR_EVERYBODY.has(name ?? '')) wrong.push('lets a foreign origin in');
  return wrong;
}

/** A refusal must give the reason; that of an invalid request must name the invalid part. */
function judgeRefusal(type: string, path: string, body: Buffer): string[] {
  if (!type.startsWith('application/problem+json')) return [`refused with ${type}: ${body.toString().slice(0, 100)}`];
  const problem = problemSchema.safeParse(JSON.parse(body.toString()));
  if (!problem.success) return ['the refusal is no problem'];
  const { code, message, errors } = problem.data;
  if (message === '') return ['refused without a word'];
  return code === 'invalid_request' && !path.includes('%') && errors?.[0]?.path === undefined ? ['names no field'] : [];
}

/** The request as text, to repeat it. */
function describe({ method, target, headers, body }: AttackRequest): string {
  const shown = Object.entries(headers).map(([name, value]) => `${name}: ${value.slice(0, 60)}`);
  return `${method} ${JSON.stringify(target.slice(0, 500))} ${shown.join(', ')} ${body?.toString('latin1').slice(0, 300) ?? ''}`;
}
