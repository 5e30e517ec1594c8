import type { Question } from '../../question.ts';
import type { Clause } from './clause.ts';
import { allOf, fullTextWhere, isFullTextAlone } from './plan.ts';
import type { Statements } from './statements.ts';

/** So few matches are read whole in one pass, which gives page and total alike. */
const FEW = 200;
const KEPT = 500;

/** The newest matches of a question: all of them where they are few. */
export interface NewestMatches {
  /** Newest first. */
  ranks: bigint[];
  isAll: boolean;
}

/**
 * The newest matches of questions that the full text alone answers. Where they are few they are remembered until the
 * archive changes: who types on asks for some of these, which is told by looking at them alone.
 */
export class FewMatches {
  readonly #file: Statements;
  readonly #kept = new Map<string, bigint[]>();
  #version = -1;

  constructor(file: Statements) {
    this.#file = file;
  }

  /** Null where something else than the full text is asked. */
  find(question: readonly Question[], version: number, clauses: Clause[]): NewestMatches | null {
    if (!isFullTextAlone(clauses)) return null;
    if (version !== this.#version) this.#kept.clear();
    this.#version = version;
    // The one that is being typed stands last.
    const typed = question.findLastIndex((part) => textOf(part) !== undefined);
    const needle = textOf(question[typed]) ?? '';
    const asked = JSON.stringify(question.toSpliced(typed, typed < 0 ? 0 : 1));
    const within = this.#longestPartOf(needle, asked);
    const ranks = within ? this.#test(within, clauses) : this.#ask(clauses);
    const isAll = ranks.length <= FEW;
    if (isAll) this.#keep(`${asked} ${needle}`, ranks);
    return { ranks, isAll };
  }

  /** What is remembered of the longest beginning of a text: whatever holds the text holds that. */
  #longestPartOf(needle: string, asked: string): bigint[] | undefined {
    for (let length = needle.length; length >= 0; length--) {
      // A lone @ is looked for as it is, more after it in handles without it.
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

/** The text that is looked for anywhere; of `@x` it is looked for in two places. */
function textOf(part: Question | undefined): string | undefined {
  if (!part || 'not' in part) return undefined;
  if ('any' in part) {
    const [inHandle, inContent, ...more] = part.any.flatMap((one) => ('by' in one && one.by === 'text' ? [one] : []));
    const isAt = more.length === 0 && part.any.length === 2 && inContent?.text === `@${inHandle?.text}`;
    return isAt && inHandle?.in === 'handle' && inContent?.in === 'content' ? inContent.text : undefined;
  }
  return part.by === 'text' && part.in === 'anywhere' ? part.text : undefined;
}

/** Ranks as one value of a statement: with a place for each, every length would be a statement of its own. */
export function toList(ranks: readonly bigint[]): string {
  return `[${ranks.join()}]`;
}
