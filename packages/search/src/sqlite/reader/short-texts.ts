import { END } from '../post-table.ts';
import { type Clause, type Expression, quote, type Short } from './clause.ts';
import type { Plan } from './plan.ts';
import type { Statements } from './statements.ts';

/** Rows that a page may read. */
const PAGE_ROWS = 4_000;
/**
 * A text with fewer hits among `PAGE_ROWS` rows is rare: a scan from the newest post on would find a page too slowly.
 */
const RARE_HITS = 24;
/** Above this share of all posts, counting by reading rows is faster than by posting lists. */
const DENSE = 0.7;
/** The same limit for single letters. It is lower, because a letter begins hundreds of trigrams. */
const DENSE_LETTER = 0.05;
/** Most trigrams that may replace one short text. */
const ALTERNATIVES = 400;

interface Probe {
  isRare: boolean;
  isDense: boolean;
  /** Undefined until looked up; null if there are too many. */
  trigrams: string[] | null | undefined;
}

/** Texts of one or two letters: how common each is, and which trigrams may replace it. */
export class ShortTexts {
  readonly #file: Statements;
  readonly #clauses: Clause[];
  readonly #probes = new Map<string, Probe>();
  readonly #isAsked: boolean;

  constructor(file: Statements, clauses: Clause[]) {
    this.#file = file;
    this.#clauses = clauses;
    this.#isAsked = !clauses.some(({ few }) => few);
  }

  /**
   * The plan with trigrams in place of short texts, where that is faster. For a page only rare texts are replaced: a
   * scan of the newest posts finds a common text sooner.
   */
  resolve(use: 'page' | 'total'): Plan {
    const resolved: Clause[] = [];
    for (const clause of this.#clauses) {
      const { unresolved } = clause;
      if (!unresolved || !this.#isAsked) resolved.push(clause);
      else if ('match' in unresolved) {
        const match = this.#write(unresolved.match, use);
        if (match === null) return null;
        resolved.push(match === undefined ? clause : { ...clause, match });
      } else {
        const except = this.#write(unresolved.except, use);
        // No post is excluded, so the clause holds for all posts.
        if (except !== null) resolved.push(except === undefined ? clause : { ...clause, except });
      }
    }
    return resolved;
  }

  /** Writes the FTS5 expression. Null if no post can match; undefined if the full text should not be asked. */
  #write(expression: Expression, use: 'page' | 'total'): string | null | undefined {
    if (typeof expression === 'string') return expression;
    if ('any' in expression) return this.#writeAny(expression.any, use);
    if ('all' in expression) {
      const all = expression.all.map((part) => this.#write(part, use));
      if (all.includes(null)) return null;
      const but = this.#writeAny(expression.but, use);
      if (all.includes(undefined) || but === undefined) return undefined;
      const told = `(${all.join(' AND ')})`;
      return but === null ? told : `(${told} NOT ${but})`;
    }
    const trigrams = this.#standIns(expression, use);
    if (trigrams === null) return undefined;
    return trigrams.length > 0 ? `(${expression.columns}(${trigrams.map(quote).join(' OR ')}))` : null;
  }

  #writeAny(expressions: Expression[], use: 'page' | 'total'): string | null | undefined {
    const parts = expressions.map((part) => this.#write(part, use));
    if (parts.includes(undefined)) return undefined;
    const told = parts.filter((part) => part !== null);
    return told.length > 0 ? `(${told.join(' OR ')})` : null;
  }

  #standIns({ needle }: Short, use: 'page' | 'total'): string[] | null {
    let probe = this.#probes.get(needle);
    if (!probe) {
      probe = this.#probe(needle);
      this.#probes.set(needle, probe);
    }
    if (use === 'page' ? !probe.isRare : probe.isDense) return null;
    if (probe.trigrams === undefined) probe.trigrams = this.#trigramsOf(needle);
    return probe.trigrams;
  }

  #probe(needle: string): Probe {
    const share = this.#shareOf(needle);
    const isLetter = Array.from(needle).length === 1;
    return {
      isRare: share * PAGE_ROWS < RARE_HITS,
      isDense: share > (isLetter ? DENSE_LETTER : DENSE),
      trigrams: undefined,
    };
  }

  /** The share of all posts that hold the text anywhere. In one column the share may be lower. */
  #shareOf(needle: string): number {
    const [row] = this.#file.all<{ share: number }>(
      `SELECT coalesce((SELECT posts FROM piece WHERE text = ?), 0) * 1.0 /
              max(1, (SELECT coalesce(sum(posts), 0) FROM category)) AS share`,
      needle,
    );
    return row?.share ?? 0;
  }

  /** Trigrams of which at least one occurs wherever the text does; null if there are too many. */
  #trigramsOf(start: string): string[] | null {
    return this.#pairsAfter(start) ?? this.#termsOf(start);
  }

  /**
   * For two letters: the text followed by each letter that follows its second letter anywhere. Some of these trigrams
   * may occur in no post. They are few and fast to find; the vocabulary would count the posts of each trigram.
   */
  #pairsAfter(start: string): string[] | null {
    const [, second, ...more] = Array.from(start);
    if (second === undefined || more.length > 0) return null;
    const [row] = this.#file.all<{ texts: string }>(
      `SELECT json_group_array(text) AS texts FROM (
         SELECT text FROM piece WHERE text > ? AND text < ? LIMIT ${ALTERNATIVES + 1})`,
      second,
      `${second}\u{10ffff}`,
    );
    const pairs: string[] = JSON.parse(row?.texts ?? '[]');
    if (pairs.length > ALTERNATIVES) return null;
    const following = [END.charAt(0), ...pairs.map((pair) => pair.slice(second.length))];
    return following.map((next) => start + next);
  }

  /** All trigrams of the vocabulary that begin with the text; null if there are too many. */
  #termsOf(start: string): string[] | null {
    const rows = this.#file.all<{ term: string }>(
      `SELECT term FROM term WHERE term >= ? AND term < ? LIMIT ${ALTERNATIVES + 1}`,
      start,
      `${start}\u{10ffff}`,
    );
    return rows.length > ALTERNATIVES ? null : rows.map((row) => row.term);
  }
}
