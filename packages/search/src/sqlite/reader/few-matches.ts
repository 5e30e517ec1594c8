import type { Question } from '../../question.ts';
import type { Clause } from './clause.ts';
import { allOf, fullTextWhere, isFullTextAlone } from './plan.ts';
import type { Statements } from './statements.ts';

/** Up to this number, one query reads all matches, which gives both page and total. */
const FEW = 200;
const KEPT = 500;

/** The newest matches of a question; all matches if they are few. */
export interface NewestMatches {
  /** Newest first. */
  ranks: bigint[];
  isAll: boolean;
}

/**
 * Finds the newest matches of questions that the full text alone decides. Few matches are kept until the archive
 * changes. While a visitor types, each longer text matches a subset, so only the kept posts are tested.
 */
export class FewMatches {
  readonly #file: Statements;
  readonly #kept = new Map<string, bigint[]>();
  #version = -1;

  constructor(file: Statements) {
    this.#file = file;
  }

  /** Null if the full text alone does not decide the question. */
  find(question: readonly Question[], version: number, clauses: Clause[]): NewestMatches | null {
    if (!isFullTextAlone(clauses)) return null;
    if (version !== this.#version) this.#kept.clear();
    this.#version = version;
    // The text that the visitor is typing is the last one.
    const typed = question.findLastIndex((part) => textOf(part) !== undefined);
    const needle = textOf(question[typed]) ?? '';
    const asked = JSON.stringify(question.toSpliced(typed, typed < 0 ? 0 : 1));
    const within = this.#longestPartOf(needle, asked);
    const ranks = within ? this.#test(within, clauses) : this.#ask(clauses);
    const isAll = ranks.length <= FEW;
    if (isAll) this.#keep(`${asked} ${needle}`, ranks);
    return { ranks, isAll };
  }

  /** The kept matches of the longest known beginning of a text. Every post that holds the text holds its beginning. */
  #longestPartOf(needle: string, asked: string): bigint[] | undefined {
    for (let length = needle.length; length >= 0; length--) {
      // A lone `@` is looked for as text, but `@x` as `x` in handles. So `@` is no beginning of `@x`.
      if (length === 1 && needle.length > 1 && needle.startsWith('@')) continue;
      const kept = this.#kept.get(`${asked} ${needle.slice(0, length)}`);
      if (kept) return kept;
    }
    return undefined;
  }

  #ask(clauses: Clause[]): bigint[] {
    const condition = allOf(fullTextWhere(clauses));
    return this.#file
      .allBig<{ rank: bigint }>(
        `SELECT search.rowid AS rank FROM search WHERE ${condition.sql} ORDER BY search.rowid DESC LIMIT ${FEW + 1}`,
        ...condition.values,
      )
      .map((row) => row.rank);
  }

  #test(ranks: bigint[], clauses: Clause[]): bigint[] {
    const tests = allOf(clauses.map((clause) => clause.test('post.rank')));
    return this.#file
      .allBig<{ rank: bigint }>(
        `SELECT post.rank AS rank FROM post WHERE post.rank IN (SELECT value FROM json_each(?)) AND ${tests.sql}
         ORDER BY post.rank DESC`,
        toList(ranks),
        ...tests.values,
      )
      .map((row) => row.rank);
  }

  #keep(key: string, ranks: bigint[]): void {
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size >= KEPT) this.#kept.delete(oldest);
    this.#kept.set(key, ranks);
  }
}

/** The text that a part looks for anywhere. `@x` also counts: it is looked for in handle and content. */
function textOf(part: Question | undefined): string | undefined {
  if (!part || 'not' in part) return undefined;
  if ('any' in part) {
    const [inHandle, inContent, ...more] = part.any.flatMap((one) => ('by' in one && one.by === 'text' ? [one] : []));
    const isAt = more.length === 0 && part.any.length === 2 && inContent?.text === `@${inHandle?.text}`;
    return isAt && inHandle?.in === 'handle' && inContent?.in === 'content' ? inContent.text : undefined;
  }
  return part.by === 'text' && part.in === 'anywhere' ? part.text : undefined;
}

/** Ranks as one JSON value. With one placeholder per rank, every length would need its own statement. */
export function toList(ranks: readonly bigint[]): string {
  return `[${ranks.join()}]`;
}
