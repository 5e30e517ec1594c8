import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newPostSchema } from '@archive/contracts/schemas';
import { seeded } from '@archive/testing/generate-posts';
import { pick } from '../../bench/archive-questions.ts';
import { readPosts } from '../../src/ingest/read-posts.ts';
import { csvHeader, csvRow } from '../../src/posts/csv.ts';
import { ODD_TEXTS } from './odd-values.ts';
import { PARSERS, type Parser, Wrong } from './parsers.ts';

/** Records per file; each counts as an input. */
const RECORDS = 50;
/** A costly parser gets one in this many of its turns. */
const COSTLY_SHARE = 10;
/** One input in this many is a record of a file. */
const FILE_SHARE = 5;

export interface FuzzReport {
  inputs: number;
  byParser: Record<string, number>;
  slowestMs: number;
  wrong: string[];
}

/**
 * Gives the parsers a number of inputs in total, made from valid ones. A parser must throw only its intended errors,
 * and must not take long.
 */
export async function fuzzParsers(options: {
  inputs: number;
  seed: number;
  slowestMs?: number;
  onRound?: (line: string) => void;
}): Promise<FuzzReport> {
  const { inputs, seed, slowestMs = Number.POSITIVE_INFINITY, onRound } = options;
  const random = seeded(seed);
  const report: FuzzReport = { inputs: 0, byParser: {}, slowestMs: 0, wrong: [] };
  const note = (name: string, count: number, ms: number, wrong: string | null, input: string) => {
    report.inputs += count;
    report.byParser[name] = (report.byParser[name] ?? 0) + count;
    report.slowestMs = Math.max(report.slowestMs, ms);
    const late = ms > slowestMs ? `took ${Math.round(ms)} ms` : null;
    for (const one of [wrong, late])
      if (one) report.wrong.push(`${name}: ${one}: ${JSON.stringify(input.slice(0, 300))}`);
  };
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
  try {
    let told = 0;
    for (let round = 0; report.inputs < inputs; round++) {
      for (let at = 0; at < RECORDS * FILE_SHARE; at++) {
        const parser = PARSERS[at % PARSERS.length] as Parser;
        if (parser.isCostly && random() > 1 / COSTLY_SHARE) continue;
        const text = spoil(pick(parser.right, random), random);
        const startedAt = performance.now();
        const wrong = read(parser, text);
        note(parser.name, 1, performance.now() - startedAt, wrong, text);
      }
      const [kind, write] = FILES[round % FILES.length] as (typeof FILES)[number];
      const path = join(folder, `posts.${kind}`);
      const content = spoilFile(write(random), random);
      writeFileSync(path, content);
      const startedAt = performance.now();
      const wrong = await readFile(path);
      note(`files .${kind}`, RECORDS, performance.now() - startedAt, wrong, content.toString('latin1'));
      if (report.inputs - told >= 50_000) {
        told = report.inputs;
        onRound?.(`${report.inputs} inputs, ${report.wrong.length} wrong`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return report;
}

/** Returns the error as text, or null. */
function read(parser: Parser, text: string): string | null {
  try {
    parser.read(text);
    return null;
  } catch (error) {
    if (!(error instanceof Wrong) && parser.meant?.(error)) return null;
    return String((error as Error).stack ?? error).slice(0, 300);
  }
}

async function readFile(path: string): Promise<string | null> {
  try {
    for await (const { post, problem } of readPosts(path)) {
      if ((post === undefined) === (problem === undefined)) return 'neither a post nor a problem';
      void newPostSchema.safeParse(post);
    }
    return null;
  } catch (error) {
    // For a file that is not a list of posts, this error with its name is intended.
    return (error as Error).message?.startsWith(`${path}: `)
      ? null
      : String((error as Error).stack ?? error).slice(0, 300);
  }
}

type Random = () => number;

/** Changes a text up to four times: cut, duplicate, reverse, insert or delete, at any position. */
function spoil(text: string, random: Random): string {
  let result = text;
  for (let times = Math.floor(random() * 5); times > 0; times--) result = pick(CHANGES, random)(result, random);
  return result;
}

const place = (text: string, random: Random) => Math.floor(random() * (text.length + 1));

const CHANGES: ((text: string, random: Random) => string)[] = [
  (text, random) => text.slice(0, place(text, random)),
  (text, random) => text.slice(place(text, random)),
  (text, random) => insert(text, pick(ODD_TEXTS, random), random),
  (text, random) => insert(text, pick([...'"\\{}[],:=&%+-.0\n\r\t '], random), random),
  (text, random) => insert(text, String.fromCharCode(Math.floor(random() * 0x10000)), random),
  (text, random) => {
    const at = place(text, random);
    return text.slice(0, at) + text.slice(at + 1 + Math.floor(random() * 4));
  },
  (text, random) => {
    const at = place(text, random);
    const part = text.slice(at, at + 1 + Math.floor(random() * 8));
    return insert(text, part.repeat(1 + Math.floor(random() * 50)), random);
  },
  (text) => text.toUpperCase(),
  (text, random) => text.replace(/\d+/, () => pick(['0', '-1', '1e999', '99999999999999999999', '1.5', 'NaN'], random)),
  (text, random) => text.replace(/"[^"]*"/, () => JSON.stringify(pick(ODD_TEXTS, random))),
  (text, random) => text.replace(/:\s*"[^"]*"/, () => pick([':null', ':{}', ':[]', ':true', ':{"$ne":1}'], random)),
];

function insert(text: string, part: string, random: Random): string {
  const at = place(text, random);
  return text.slice(0, at) + part + text.slice(at);
}

const right = (name: string) => PARSERS.find((parser) => parser.name === name)?.right[0] as string;
const POST = right('posts');
const TWEET = right('posts of X');
const ROW = csvRow({ ...JSON.parse(POST), timestamp: '2026-01-15T09:30:00.000Z' });

const records = (text: string, random: Random) => Array.from({ length: RECORDS }, () => spoil(text, random));

/** Files of every kind; most of their records are valid or nearly so. */
const FILES: [string, (random: Random) => string][] = [
  ['ndjson', (random) => records(POST, random).join('\n')],
  ['jsonl', (random) => records(TWEET, random).join('\r\n')],
  ['csv', (random) => csvHeader() + records(ROW, random).join('')],
  ['json', (random) => `[${Array.from({ length: RECORDS }, () => POST).join(',\n')}${spoil(']', random)}`],
  ['json', (random) => `{"posts":[${records(POST, random).join(',')}]}`],
  ['js', (random) => `window.YTD.tweets.part0 = [${records(TWEET, random).join(',')}]`],
];

/** Sometimes returns bytes that are not UTF-8, an incomplete file, or something else. */
function spoilFile(text: string, random: Random): Buffer {
  const bytes = Buffer.from(text);
  const act = random();
  if (act < 0.1) return bytes.subarray(0, Math.floor(random() * bytes.length));
  if (act < 0.3)
    for (let times = 0; times < 20; times++) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
  if (act > 0.97) return Buffer.from(pick(ODD_TEXTS, random));
  return bytes;
}
