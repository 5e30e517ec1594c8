import { ENDPOINTS, type EndpointName, LEGACY_PATHS } from '@archive/contracts';
import fc from 'fast-check';
import type { Attackers } from './attackers.ts';
import { bodies, DESCRIBED, type RightValues, rightValue, type SentBody } from './bodies.ts';
import { oddName, oddText } from './odd-values.ts';

/** One request as sent. */
export interface AttackRequest {
  method: string;
  /** Path and query, encoded correctly or wrongly. */
  target: string;
  headers: Record<string, string>;
  body?: Buffer;
}

export const NAMES = Object.keys(ENDPOINTS) as EndpointName[];
/** Weights of calls: the list has the most parameters. */
const WEIGHTS: { [N in EndpointName]?: number } = {
  listArchives: NAMES.length >> 3,
  exportArchives: 1,
  // Only one random query in a hundred names a post and has no invalid parameter.
  oembed: 10,
};
/** Factor for calls that were not answered yet: a valid request of some calls is rare by chance. */
const LACKING = 16;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'];
const NO_PATHS = [
  '/',
  '//',
  '/amber',
  '/amber/',
  '/amber//archives',
  '/amber/nothing',
  '/amber/archives/%',
  '/amber/archives/%E0%A4%A',
  '/amber/archives/%00',
  '/amber/archives/a/b/c',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/../../etc/passwd',
  '/docs/..%2f..%2fpackage.json',
  '/.env',
  '/amber/ARCHIVES',
  '/launches/',
  `/${'a'.repeat(4_000)}`,
  `/amber/archives/${'%41'.repeat(2_000)}`,
  '/amber/archives?search=%ff%fe',
  '/amber/archives?%ff=%',
  '/\xff\xfe',
  '/amber/archives?search=\xff',
];

/** Requests over the whole contract: valid, nearly valid and hostile. Calls that lack an answer occur more often. */
export function requests(
  attackers: Attackers,
  isLacking: (name: EndpointName) => boolean,
): fc.Arbitrary<AttackRequest> {
  const { right } = attackers;
  const calls = NAMES.map((name) => ({
    weight: (isForOperators(name) ? 3 : 4 * (WEIGHTS[name] ?? 2)) * (isLacking(name) ? LACKING : 1),
    arbitrary: callOf(name, attackers, right),
  }));
  return fc.oneof(...calls, {
    weight: 12,
    arbitrary: fc.record({
      method: fc.constantFrom(...METHODS),
      target: fc.constantFrom(...NO_PATHS),
      headers: fc.constant({}),
    }),
  });
}

/** Calls that must never serve an attacker. */
function isForOperators(name: EndpointName): boolean {
  return ENDPOINTS[name].path.startsWith('/amber/admin/');
}

/** Whether an attacker can get a success from the call. Credits exist only after payments that came too late. */
export function isServable(name: EndpointName): boolean {
  return !isForOperators(name) && name !== 'useFeatureCredits';
}

function callOf(name: EndpointName, attackers: Attackers, right: RightValues): fc.Arbitrary<AttackRequest> {
  const { method, path } = ENDPOINTS[name];
  const { params, query: asked, body: sent } = DESCRIBED.get(name) ?? {};
  const isRead = method === 'GET';
  const body = sent && bodies(attackers.body(name) ?? rightValue(sent, '', right));
  return fc
    .record({
      method: fc.oneof(
        { weight: 30, arbitrary: fc.constant(method) },
        { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
      ),
      path: pathOf([path, ...(LEGACY_PATHS[name] ?? [])], params?.properties ?? {}, right),
      query: queryOf(asked?.properties ?? {}, right),
      caller: callers(name, attackers),
      headers: fc.array(oddHeader, { maxLength: 2 }),
      // A call without a body sometimes gets one all the same.
      body: body ?? fc.option(bodies(fc.constant({})), { freq: isRead ? 20 : 5 }),
    })
    .map(({ method, path, query, caller, headers, body }) => ({
      method,
      target: query ? `${path}?${query}` : path,
      headers: { ...caller, ...(body ? headersOf(body) : {}), ...Object.fromEntries(headers) },
      ...(body ? { body: body.bytes } : {}),
    }));
}

function headersOf({ type = 'application/json', encoding }: SentBody): Record<string, string> {
  return { 'content-type': type, ...(encoding ? { 'content-encoding': encoding } : {}) };
}

function pathOf(paths: string[], schemas: Record<string, object>, right: RightValues): fc.Arbitrary<string> {
  const names = Object.keys(schemas);
  const values = names.map((name) =>
    fc.oneof({ weight: 3, arbitrary: rightValue(schemas[name] ?? {}, name, right) }, { weight: 1, arbitrary: oddText }),
  );
  return fc
    .tuple(fc.constantFrom(...paths), fc.tuple(...values))
    .map(([path, chosen]) => path.replace(/:(\w+)/g, (_, name: string) => encode(String(chosen[names.indexOf(name)]))));
}

function queryOf(schemas: Record<string, object>, right: RightValues): fc.Arbitrary<string> {
  const names = Object.keys(schemas);
  const known = names.map((name) =>
    fc.oneof(
      { weight: 3, arbitrary: rightValue(schemas[name] ?? {}, name, right).map((value) => [name, String(value)]) },
      { weight: 2, arbitrary: oddText.map((value) => [name, value]) },
    ),
  );
  const odd = fc.tuple(fc.oneof(oddName, oddText), oddText);
  const pair =
    known.length > 0 ? fc.oneof({ weight: 9, arbitrary: fc.oneof(...known) }, { weight: 1, arbitrary: odd }) : odd;
  const pairs = fc.array(pair, { maxLength: names.length > 0 ? 5 : 1 });
  return fc.tuple(pairs, fc.nat(40)).map(([chosen, broken]) => {
    const text = chosen.map(([name = '', value = '']) => `${encode(name)}=${encode(value)}`).join('&');
    // Sometimes bytes that are not UTF-8, or an incomplete escape.
    if (broken === 0) return `search=%ff%fe&${text}`;
    return broken === 1 ? `${text}&page=%` : text;
  });
}

/** Usually the session that the call wants; else another one, none, or an invalid one. */
function callers(name: EndpointName, { tokens, key }: Attackers): fc.Arbitrary<Record<string, string>> {
  const isOwned = /:(savedSearch|collection)/.test(ENDPOINTS[name].path);
  const token = fc.nat(isOwned ? 0 : tokens.length - 1).map((at) => tokens[at] ?? '');
  const usual = name === 'ingestArchives' ? fc.constant(key) : token;
  const odd = fc.oneof(
    fc.constantFrom('', 'null', 'a.b.c', `${NO_ALGORITHM}.`, key, `${key}x`, 'x'.repeat(5_000)),
    token.map((one) => one.slice(0, -3)),
    token.map((one) => `${NO_ALGORITHM.split('.')[0]}.${one.split('.')[1]}.`),
    token.map((one) => one.replace('.', ' ')),
    token,
  );
  return fc.oneof(
    { weight: 6, arbitrary: usual.map((one) => ({ authorization: `Bearer ${one}` })) },
    { weight: 3, arbitrary: fc.constant({}) },
    { weight: 2, arbitrary: odd.map((one) => ({ authorization: `Bearer ${one}` })) },
    { weight: 1, arbitrary: odd.map((one) => ({ authorization: `Basic ${one}` })) },
  );
}

const NO_ALGORITHM = ['{"alg":"none","typ":"JWT"}', '{"walletAddress":"x","id":"x"}']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.');

const oddHeader: fc.Arbitrary<[string, string]> = fc.constantFrom<[string, string][]>(
  ['accept-encoding', 'gzip'],
  ['accept-encoding', 'br;q=0.1, gzip;q=0, *'],
  ['accept-encoding', 'deflate'],
  ['accept-encoding', 'identity;q=0'],
  ['if-none-match', '*'],
  ['if-none-match', `${'"a",'.repeat(1_000)}"b"`],
  ['if-modified-since', 'never'],
  ['range', 'bytes=0-0,-1,5-2'],
  ['accept', 'text/html'],
  ['accept', ';;q=,'],
  ['accept-language', '*'.repeat(2_000)],
  ['origin', 'https://elsewhere.example'],
  ['origin', 'null'],
  ['host', 'elsewhere.example'],
  ['host', ''],
  ['x-forwarded-for', '1.2.3.4, nobody, ::ffff:127.0.0.1'],
  ['x-forwarded-host', 'elsewhere.example'],
  ['x-forwarded-proto', 'javascript'],
  ['x-http-method-override', 'DELETE'],
  ['x-request-id', '<script>'],
  ['cookie', '__proto__=1; session=x'],
  ['content-type', 'application/json; charset=utf-7'],
  ['content-type', 'APPLICATION/JSON'],
  ['content-type', 'application/problem+json'],
  ['sec-fetch-site', 'cross-site'],
  ['x-odd', '\xff\xfe'],
) as fc.Arbitrary<[string, string]>;

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
