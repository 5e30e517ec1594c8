import { gzipSync } from 'node:zlib';
import { BODY_BYTES, ENDPOINTS, type EndpointName, INGEST_BODY_BYTES } from '@archive/contracts';
import { INPUTS, type InputSchemas } from '@archive/contracts/schemas';
import fc from 'fast-check';
import { z } from 'zod';
import { oddJson, oddName, oddText } from './odd-values.ts';

/** A body as sent; `type` and `encoding` only if unusual. */
export interface SentBody {
  bytes: Buffer;
  type?: string;
  encoding?: string;
}

/** Valid values by field name, if the schema alone does not tell them. */
export type RightValues = Record<string, fc.Arbitrary<unknown>>;

interface JsonSchema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  format?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  anyOf?: JsonSchema[];
  examples?: unknown[];
}

const describe = (schema: z.ZodType | undefined): JsonSchema | undefined =>
  schema && (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema);

/** The inputs of every call as JSON schemas. */
export const DESCRIBED = new Map(
  (Object.keys(ENDPOINTS) as EndpointName[]).map((name) => {
    const { params, query, body }: InputSchemas = INPUTS[name];
    return [name, { params: describe(params), query: describe(query), body: describe(body) }];
  }),
);

/** Valid values of a schema, as far as the schema tells them. */
export function rightValue(schema: JsonSchema, field: string, right: RightValues): fc.Arbitrary<unknown> {
  if (right[field]) return right[field];
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => rightValue(one, '', right)));
  if (schema.examples) return fc.constantFrom(...schema.examples);
  if (schema.type === 'integer') {
    const { minimum = 0, maximum = 1_000 } = schema;
    return fc.oneof(fc.constantFrom(minimum, maximum), fc.integer({ min: minimum, max: Math.min(maximum, 30) }));
  }
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'null') return fc.constant(null);
  if (schema.format === 'date') return fc.constantFrom('2025-12-31', '2026-01-01', '2026-01-02', '2030-02-28');
  if (schema.type === 'object') {
    const fields = Object.entries(schema.properties ?? {}).map(([key, one]) => [key, rightValue(one, key, right)]);
    const model: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(fields);
    return fc.record(model, { requiredKeys: schema.required ?? [] });
  }
  return fc.constantFrom('word', 'мир', 'post');
}

/** Bodies of every kind, based on valid ones: valid, slightly wrong, completely wrong, and not JSON. */
export function bodies(right: fc.Arbitrary<unknown>): fc.Arbitrary<SentBody> {
  const asJson = (value: unknown) => ({ bytes: Buffer.from(JSON.stringify(value) ?? '') });
  const changed = fc.tuple(right, fc.array(change, { minLength: 1, maxLength: 3 })).map(([value, changes]) => {
    let result: unknown = structuredClone(value);
    for (const one of changes) result = one(result);
    return result;
  });
  return fc.oneof(
    { weight: 7, arbitrary: right.map(asJson) },
    { weight: 8, arbitrary: changed.map(asJson) },
    { weight: 2, arbitrary: oddJson.map(asJson) },
    { weight: 3, arbitrary: fc.tuple(right, fc.constantFrom(...SPOILERS)).map(([value, spoil]) => spoil(text(value))) },
  );
}

function text(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

const json = (text: string) => ({ bytes: Buffer.from(text) });
const MEGABYTES = Buffer.alloc(4 << 20, ' ');
const BOMB = gzipSync(MEGABYTES);
/** Texts at the limits of a body, and one byte longer. */
const LARGE = [BODY_BYTES, BODY_BYTES + 1, INGEST_BODY_BYTES, INGEST_BODY_BYTES + 1].map(
  (bytes) => `"${'x'.repeat(bytes - 2)}"`,
);

/** Ways in which JSON may be damaged or misused. */
const SPOILERS: ((text: string) => SentBody)[] = [
  (text) => json(text.slice(0, -1)),
  (text) => json(text.slice(0, text.length >> 1)),
  (text) => json(`${text}${text}`),
  (text) => json(`\ufeff${text}`),
  (text) => json(text.replace('{', '{"walletAddress":"x","walletAddress":"y","__proto__":{"polluted":1},')),
  (text) => json(text.replace(/"[^"]*"$/, '1e999999')),
  (text) => json(`${'['.repeat(40_000)}${text}${']'.repeat(40_000)}`),
  (text) => json(`${'{"a":'.repeat(15_000)}${text}${'}'.repeat(15_000)}`),
  (text) => json(text.replaceAll('"', "'")),
  (text) => ({ bytes: Buffer.concat([Buffer.from(text.slice(0, -2)), Buffer.from([0xff, 0xfe, 0xc0, 0x80])]) }),
  (text) => ({ bytes: Buffer.from(text.replace(/[a-z]/, '\u00e9'), 'latin1') }),
  (text) => ({ bytes: Buffer.from(text, 'utf16le'), type: 'application/json; charset=utf-16' }),
  (text) => ({ bytes: Buffer.from(text), type: 'application/json; charset=nothing' }),
  (text) => ({ bytes: Buffer.from(text), type: 'text/plain' }),
  (text) => ({ bytes: Buffer.from(text), type: 'application/x-www-form-urlencoded' }),
  (text) => ({ bytes: Buffer.from(text), type: 'multipart/form-data; boundary=x' }),
  (text) => ({ bytes: Buffer.from(text), type: ';;;' }),
  (text) => ({ bytes: gzipSync(text), encoding: 'gzip' }),
  (text) => ({ bytes: Buffer.from(text), encoding: 'gzip' }),
  (text) => ({ bytes: Buffer.from(text), encoding: 'zstd, nothing' }),
  () => ({ bytes: BOMB, encoding: 'gzip' }),
  () => json(''),
  () => json('\u0000'),
  ...LARGE.map((text) => () => json(text)),
];

type Change = (value: unknown) => unknown;

/** Makes one error somewhere in a valid value. */
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(fc.nat(1_000), oddJson).map(([at, odd]) => atLeaf(at, () => odd)),
  fc.tuple(fc.nat(1_000), oddText).map(([at, odd]) => atLeaf(at, (leaf) => `${leaf}${odd}`)),
  fc.tuple(fc.nat(1_000), fc.nat(100)).map(([at, cut]) => atLeaf(at, (leaf) => String(leaf).slice(cut % 7))),
  fc.nat(1_000).map((at) => atLeaf(at, (leaf) => [leaf])),
  fc.nat(1_000).map((at) => atLeaf(at, (leaf) => String(leaf).toUpperCase())),
  fc.nat(1_000).map((at) => atLeaf(at, (leaf) => ({ $eq: leaf }))),
  fc.nat(1_000).map((at) => atLeaf(at, () => undefined)),
  fc.tuple(oddName, oddJson).map(([name, odd]) => (value: unknown) => {
    if (value === null || typeof value !== 'object') return odd;
    return Object.defineProperty(value, name, { value: odd, enumerable: true, configurable: true, writable: true });
  }),
);

/** Replaces one of the values within. */
function atLeaf(at: number, replace: (leaf: unknown) => unknown): Change {
  return (root) => {
    const holder = { root };
    const places = placesIn(holder as Record<string, unknown>);
    const [owner, key] = places[at % places.length] as [Record<string, unknown>, string];
    const value = replace(owner[key]);
    Object.defineProperty(owner, key, { value, enumerable: true, configurable: true, writable: true });
    return holder.root;
  };
}

function placesIn(owner: Record<string, unknown>, depth = 0): [Record<string, unknown>, string][] {
  return Object.keys(owner).flatMap((key) => {
    const value = owner[key];
    const isDeep = value !== null && typeof value === 'object' && depth < 6 && Object.keys(value).length > 0;
    return isDeep ? placesIn(value as Record<string, unknown>, depth + 1) : [[owner, key]];
  });
}
