import { createReadStream, type ReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { Transform, type TransformCallback } from 'node:stream';
import { parse as parseCsv } from 'csv-parse';
import StreamArray from 'stream-json/streamers/StreamArray.js';
import { CSV_COLUMNS, unguardCell } from '../posts/csv.ts';
import { fromPlatformPost, type PlatformAuthor } from './platform-post.ts';

/** One post of a file: its position, and its fields or its problem. */
export interface FilePost {
  /** Line of NDJSON and CSV, or position in a JSON list; from 1. */
  line: number;
  post?: unknown;
  problem?: string;
}

export interface ReadOptions {
  /** The author of an export of one account, since such files do not name the author. */
  author?: PlatformAuthor | undefined;
  onBytes?: (bytes: number) => void;
}

/** Longest accepted line, many times the longest post. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;

/** Reads posts from NDJSON, JSON, CSV or an X archive's `tweets.js`, by the file's extension, one after the other. */
export async function* readPosts(path: string, options: ReadOptions = {}): AsyncGenerator<FilePost> {
  const ending = extname(path).toLowerCase();
  if (ending === '.ndjson' || ending === '.jsonl') yield* readLines(path, options);
  else if (ending === '.csv') yield* readCsv(path, options);
  else if (ending === '.json' || ending === '.js') yield* readList(path, options);
  else throw new Error(`${path}: the ending must be .ndjson, .jsonl, .json, .csv or .js`);
}

async function* readLines(path: string, options: ReadOptions): AsyncGenerator<FilePost> {
  let line = 0;
  for await (const text of linesOf(openFile(path, options))) {
    line++;
    if (text === null) {
      yield { line, problem: 'is longer than 4 MB' };
      continue;
    }
    if (text.trim() === '') continue;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      yield { line, problem: 'is not valid JSON' };
      continue;
    }
    yield { line, post: fromPlatformPost(value, options.author) };
  }
}

/** Lines without their line ends; null for a line that is too long. */
async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string | null> {
  let parts: Buffer[] = [];
  let held = 0;
  let isFirst = true;
  const take = (): string | null => {
    const text = held > MAX_LINE_BYTES ? null : Buffer.concat(parts).toString('utf8');
    parts = [];
    held = 0;
    const plain = isFirst ? (text?.replace(/^\ufeff/, '') ?? null) : text;
    isFirst = false;
    return plain;
  };
  const hold = (part: Buffer) => {
    held += part.length;
    if (held <= MAX_LINE_BYTES) parts.push(part);
    else parts = [];
  };
  for await (const chunk of stream) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      hold(chunk.subarray(from, end));
      yield take();
      from = end + 1;
    }
    if (from < chunk.length) hold(chunk.subarray(from));
  }
  if (held > 0) yield take();
}

async function* readCsv(path: string, options: ReadOptions): AsyncGenerator<FilePost> {
  const broken: FilePost[] = [];
  const parser = parseCsv({
    bom: true,
    columns: false,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_LINE_BYTES,
    skip_records_with_error: true,
    on_skip: (error) => {
      const { lines, code } = (error ?? {}) as { lines?: number; code?: string };
      broken.push({ line: lines ?? 0, problem: `is not valid CSV (${code ?? 'unknown'})` });
    },
  });
  const file = openFile(path, options);
  file.on('error', (error) => parser.destroy(error));
  const records = file.pipe(parser) as AsyncIterable<{ record: string[]; info: { lines: number } }>;
  let header: string[] | undefined;
  let lastLine = 0;
  for await (const { record, info } of records) {
    // The parser reads ahead, so errors further down are reported in their place.
    while (broken[0] && broken[0].line <= info.lines) {
      lastLine = Math.max(lastLine, broken[0].line);
      yield broken.shift() as FilePost;
    }
    const line = lastLine + 1;
    lastLine = info.lines;
    if (!header) {
      header = record.map((name) => name.trim().toLowerCase());
      const lacking = CSV_COLUMNS.filter((name) => !header?.includes(name.toLowerCase()));
      if (lacking.length > 0) throw new Error(`${path}: the first line lacks ${lacking.join(', ')}`);
      continue;
    }
    if (record.length !== header.length) {
      yield { line, problem: `has ${record.length} cells where the first line has ${header.length}` };
      continue;
    }
    const cells = new Map(header.map((name, index) => [name, unguardCell(record[index] ?? '')]));
    const category = cells.get('category') ?? '';
    yield {
      line,
      post: {
        id: cells.get('id'),
        author: cells.get('author'),
        authorUsername: cells.get('username'),
        content: cells.get('content'),
        category: category.toLowerCase() === 'uncategorized' ? null : category,
        timestamp: cells.get('date'),
        url: cells.get('url'),
      },
    };
  }
  yield* broken;
}

/** Streams a JSON list of posts, `{ "posts": [...] }`, or the assignment of an X archive. */
async function* readList(path: string, options: ReadOptions): AsyncGenerator<FilePost> {
  const author = options.author ?? (await accountBeside(path));
  const file = openFile(path, options);
  const list = StreamArray.withParser();
  const fromFirstBracket = theListAlone();
  for (const stream of [file, fromFirstBracket]) stream.on('error', (error: Error) => list.destroy(error));
  file.pipe(fromFirstBracket).pipe(list);
  try {
    for await (const { key, value } of list as AsyncIterable<{ key: number; value: unknown }>) {
      yield { line: key + 1, post: fromPlatformPost(value, author) };
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code) throw error;
    throw new Error(`${path}: not a JSON list of posts (${(error as Error).message})`);
  }
}

/** Removes what surrounds the list: an assignment, or `{"posts":`, and the rest after the list. */
function theListAlone(): Transform {
  let depth = 0;
  let isInText = false;
  let isEscaped = false;
  let state: 'before' | 'in' | 'after' = 'before';
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      let from = 0;
      let to = chunk.length;
      if (state === 'before') {
        from = chunk.indexOf('[');
        if (from === -1) return done();
        state = 'in';
      }
      if (state === 'after') return done();
      for (let at = from; at < to; at++) {
        const byte = chunk[at];
        if (isInText) {
          if (isEscaped) isEscaped = false;
          else if (byte === 0x5c) isEscaped = true;
          else if (byte === 0x22) isInText = false;
        } else if (byte === 0x22) isInText = true;
        else if (byte === 0x5b || byte === 0x7b) depth++;
        else if (byte === 0x5d || byte === 0x7d) {
          depth--;
          if (depth === 0) {
            state = 'after';
            to = at + 1;
          }
        }
      }
      done(null, chunk.subarray(from, to));
    },
  });
}

function openFile(path: string, options: ReadOptions): ReadStream {
  const file = createReadStream(path, { highWaterMark: 256 * 1024 });
  if (options.onBytes) {
    const onBytes = options.onBytes;
    file.on('data', (chunk) => onBytes(chunk.length));
    file.pause();
  }
  return file;
}

/** The account of an X archive, from `account.js` beside the posts. */
async function accountBeside(path: string): Promise<PlatformAuthor | undefined> {
  const text = await readFile(join(dirname(path), 'account.js'), 'utf8').catch(() => null);
  if (text === null) return undefined;
  try {
    const [entry] = JSON.parse(text.slice(text.indexOf('['))) as {
      account?: { username?: string; accountDisplayName?: string; accountId?: string };
    }[];
    const { username: handle, accountDisplayName: name, accountId: id } = entry?.account ?? {};
    return handle ? { handle, name: name ?? handle, id } : undefined;
  } catch {
    return undefined;
  }
}
