import { type Clause, type Counted, quote } from './filters.ts';
import type { Plan } from './plan.ts';
import type { Statements } from './statements.ts';

/** Newest rows: tried, to learn how common a short text is that nobody counts. */
const PROBE = 4_000;
/** Fewer hits among so many: too rare for a newest-first scan to find a page soon. */
const RARE_HITS = 24;
/** Beyond this share of all posts, counting by reading them is faster than by posting lists. */
const DENSE = 0.7;
/** Single letters begin hundreds of trigrams; beyond this share enumerating them does not pay. */
const DENSE_LETTER = 0.05;
/** Trigrams that may stand for one short text. */
const ALTERNATIVES = 400;

interface Probe {
  isRare: boolean;
  isDense: boolean;
  /** Asked for once; null where they are too many. */
  trigrams: string[] | null | undefined;
}

/** Texts of one or two letters: how common each is, and by which trigrams it may be found instead. */
export class ShortTexts {
  readonly #file: Statements;
  readonly #clauses: Clause[];
  readonly #probes = new Map<Clause, Probe>();

  constructor(file: Statements, clauses: Clause[]) {
    this.#file = file;
    this.#clauses = clauses;
    if (clauses.some(({ isFew }) => isFew)) return;
    for (const clause of clauses) if (clause.short) this.#probes.set(clause, this.#probe(clause, clause.short.needle));
  }

  /**
   * The plan with trigrams in place of short texts, where that pays. For a page only the rare ones: a common one is
   * found sooner by reading the newest posts.
   */
  resolve(use: 'page' | 'total'): Plan {
    const resolved: Clause[] = [];
    for (const clause of this.#clauses) {
      const trigrams = this.#standIns(clause, use);
      if (trigrams?.length === 0) return null;
      const match = trigrams && `(${clause.short?.columns}(${trigrams.map(quote).join(' OR ')}))`;
      resolved.push(match ? { ...clause, match } : clause);
    }
    return resolved;
  }

  #probe(clause: Clause, needle: string): Probe {
    const share = clause.counted ? this.#countedShare(clause.counted) : this.#sampledShare(clause);
    const isLetter = Array.from(needle).length === 1;
    return {
      isRare: share * PROBE < RARE_HITS,
      isDense: share > (isLetter ? DENSE_LETTER : DENSE),
      trigrams: undefined,
    };
  }

  #countedShare({ table, where }: Counted): number {
    const [row] = this.#file.all<{ share: number }>(
      `SELECT (SELECT coalesce(sum(posts), 0) FROM ${table} WHERE ${where.sql}) * 1.0 /
              max(1, (SELECT coalesce(sum(posts), 0) FROM category)) AS share`,
      ...where.values,
    );
    return row?.share ?? 0;
  }

  /** Of the newest posts. */
  #sampledShare(clause: Clause): number {
    const test = clause.test('post.at');
    const [row] = this.#file.all<{ share: number | null }>(
      `SELECT avg(${test.sql}) AS share FROM (SELECT * FROM post ORDER BY rank DESC LIMIT ${PROBE}) AS post`,
      ...test.values,
    );
    return row?.share ?? 0;
  }

  #standIns(clause: Clause, use: 'page' | 'total'): string[] | null {
    const probe = this.#probes.get(clause);
    if (!probe || !clause.short || (use === 'page' ? !probe.isRare : probe.isDense)) return null;
    if (probe.trigrams === undefined) probe.trigrams = this.#trigramsOf(clause.short.needle);
    return probe.trigrams;
  }

  /** Every trigram that begins with this; null where there are too many. */
  #trigramsOf(start: string): string[] | null {
    const rows = this.#file.all<{ term: string }>(
      `SELECT term FROM term WHERE term >= ? AND term < ? LIMIT ${ALTERNATIVES + 1}`,
      start,
      `${start}\u{10ffff}`,
    );
    return rows.length > ALTERNATIVES ? null : rows.map((row) => row.term);
  }
}
