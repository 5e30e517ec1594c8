import { type ArchiveFilter, type ArchiveSort, TREND_DAYS } from '@archive/contracts';
import type {
  AnalyticsAnswer,
  AuthorFigures,
  ExploreAnswer,
  InTime,
  ListAnswer,
  ListQuestion,
  Neighbours,
  Questions,
  Suggestions,
  TimelineAnswer,
  Typed,
} from '../../archive-index.ts';
import { DAY_MS } from '../../figures.ts';
import { type Question, questionOf } from '../../question.ts';
import type { IndexFile } from '../index-file.ts';
import type { Asked } from '../messages.ts';
import { lastOf, startOf } from './after.ts';
import { figuresOf } from './authors.ts';
import type { Clause } from './clause.ts';
import { activeAuthors, countCategories, explore, postAt } from './explore.ts';
import { exportAll } from './export.ts';
import { FewMatches, type NewestMatches, toList } from './few-matches.ts';
import { findPage, pageOfFew, pageOfNewest, type Way } from './page.ts';
import { allOf, type Plan, planFor } from './plan.ts';
import { ShortTexts } from './short-texts.ts';
import { Statements } from './statements.ts';
import { Stats } from './stats.ts';
import type { Steps } from './steps.ts';
import { suggestAuthors, suggestWords } from './suggest.ts';
import { Timelines } from './timeline.ts';
import { type Total, Totals } from './total.ts';
import type { LeftOut } from './walk.ts';

const TOP_AUTHORS = 10;
/** A question compiled for the present state of the file. */
interface Prepared {
  plan: Plan;
  short: ShortTexts;
  clauses: Plan;
  newest: NewestMatches | null;
  /** All matches, if they are known and few. */
  few: bigint[] | null;
}

/** The progress to a page, and the id of the post that it leaves out. */
interface Begun {
  way: Way;
  left: string | null;
}

/**
 * Answers questions from an index file that another thread writes. `question.ts` turns a filter into a question;
 * `compile.ts` and `plan.ts` turn the question into a plan. `short-texts.ts` resolves its short texts, `total.ts`
 * counts the matches, and `page.ts` reads a page of them.
 */
export class IndexReader {
  readonly #file: Statements;
  readonly #few: FewMatches;
  readonly #totals: Totals;
  readonly #timelines: Timelines;
  readonly #stats: Stats;
  readonly #turn: number | undefined;

  /** `turn` is the number of rows after which another question may run. */
  constructor(db: IndexFile, turn?: number) {
    this.#turn = turn;
    this.#file = new Statements(db);
    this.#few = new FewMatches(this.#file);
    this.#totals = new Totals(this.#file, turn);
    this.#timelines = new Timelines(this.#file, this.#totals);
    this.#stats = new Stats(this.#file);
  }

  /** Before the matches are counted, `onAhead` receives the posts that the page will probably show. */
  *list(question: Asked<'list'>, onAhead?: (oids: Uint8Array[]) => void): Steps<ListAnswer> {
    const startedAt = performance.now();
    const parts = questionOf(question.filter, question.now);
    let asked = this.#ask(parts, question.version);
    if (asked.newest && !asked.few) this.#tellAhead(asked.newest.ranks, question, onAhead);
    const plannedAt = performance.now();
    // Counted once for all turns: during writes each turn would count a different total.
    const counted = asked.few
      ? { total: asked.few.length, ms: 0 }
      : yield* this.#totals.of(parts, question.version, {
          plan: asked.plan,
          resolve: () => asked.short.resolve('total'),
          newest: asked.newest,
        });
    const countedAt = performance.now();
    const spent = () => performance.now() - countedAt + plannedAt - startedAt;
    for (let begun: Begun | null = null; ; asked = this.#ask(parts, question.version)) {
      const turn = this.#file.atOneMoment(() => this.#turnTo(question, asked, counted, begun));
      if ('oids' in turn) return { ...turn, spent: { total: counted.ms, rest: spent() } };
      begun = turn;
      yield;
    }
  }

  /** Compiles the question. Called again at each turn, because ranks may have changed. */
  #ask(question: readonly Question[], version: number): Prepared {
    const plan = planFor(question, this.#file);
    const short = new ShortTexts(this.#file, plan ?? []);
    const clauses = plan && short.resolve('page');
    const newest = clauses ? this.#few.find(question, version, clauses) : { ranks: [], isAll: true };
    return { plan, short, clauses, newest, few: newest?.isAll ? newest.ranks : null };
  }

  /** Runs one turn. Returns the answer, or the progress to the page. */
  #turnTo(
    question: Asked<'list'>,
    { plan, clauses, newest, few }: Prepared,
    { total }: Total,
    begun: Begun | null,
  ): Omit<ListAnswer, 'spent'> | Begun {
    const isFirst = question.offset === 0 && !question.after;
    const isFeaturedAsked = total > 0 && (question.split || isFirst);
    const featured = isFeaturedAsked ? this.#featured(plan ?? []) : undefined;
    const left = question.split ? (featured ?? null) : null;
    const { clauses: beyond, offset } = startOf(this.#file, question);
    const slice = { ...question, offset };
    const isNewest = newest && !begun && beyond.length === 0;
    const page = few
      ? pageOfFew(
          this.#file,
          few,
          slice,
          left,
          beyond.map((clause) => clause.test('post.rank')),
        )
      : ((isNewest ? pageOfNewest(this.#file, newest.ranks, slice, left) : null) ??
        this.#page([...beyond, ...(clauses ?? [])], slice, { total, left, begun }));
    if (!Array.isArray(page)) return page;
    return {
      oids: page,
      total,
      last: lastOf(this.#file, question, page),
      featured: featured?.oid ?? null,
      stats: this.#stats.of(question.version, question.now),
    };
  }

  analytics({ now }: { now: number }): AnalyticsAnswer {
    return this.#file.atOneMoment(() => {
      const topAuthors = activeAuthors(this.#file, TOP_AUTHORS);
      const today = Math.floor(now / DAY_MS);
      return {
        topAuthors,
        categories: countCategories(this.#file),
        days: this.#file.all(
          'SELECT day, posts FROM day WHERE posts > 0 AND day BETWEEN ? AND ? ORDER BY day',
          today - TREND_DAYS + 1,
          today,
        ),
      };
    });
  }

  explore({ now }: { now: number }): ExploreAnswer {
    return this.#file.atOneMoment(() => explore(this.#file, now));
  }

  at({ place }: { place: number }): Uint8Array | null {
    return this.#file.atOneMoment(() => postAt(this.#file, place));
  }

  *timeline({ filter, now, version }: Asked<'timeline'>): Steps<TimelineAnswer> {
    const question = questionOf(filter, now);
    const { plan, short, clauses, newest } = this.#ask(question, version);
    return yield* this.#timelines.of(question, version, {
      plan: clauses && plan,
      resolve: () => short.resolve('total'),
      newest,
    });
  }

  author({ handle }: { handle: string }): Steps<AuthorFigures | null> {
    return figuresOf(this.#file, handle);
  }

  suggest({ from, word }: Typed): Suggestions {
    return this.#file.atOneMoment(() => ({
      authors: from ? suggestAuthors(this.#file, from) : [],
      words: word ? suggestWords(this.#file, word) : [],
    }));
  }

  neighbours({ at, oid }: InTime): Neighbours {
    const next = (beyond: '<' | '>', order: 'DESC' | 'ASC') =>
      this.#file.first<{ oid: Uint8Array }>(
        `SELECT oid FROM post INDEXED BY post_time WHERE (at, oid) ${beyond} (?, ?) ORDER BY at ${order}, oid ${order} LIMIT 1`,
        at,
        oid,
      )?.oid ?? null;
    return this.#file.atOneMoment(() => ({ before: next('<', 'DESC'), after: next('>', 'ASC') }));
  }

  walk({ after, limit }: Questions['walk']['asked']): Uint8Array[] {
    const rows = this.#file.all<{ oid: Uint8Array }>(
      'SELECT oid FROM post WHERE oid > ? ORDER BY oid LIMIT ?',
      after ?? new Uint8Array(1),
      limit,
    );
    return rows.map(({ oid }) => oid);
  }

  /** Every match in order, in chunks. */
  export(filter: ArchiveFilter, sort: ArchiveSort, now: number): Generator<Uint8Array[]> {
    const plan = planFor(questionOf(filter, now), this.#file);
    const clauses = plan && new ShortTexts(this.#file, plan).resolve('total');
    return exportAll(this.#file, clauses, sort);
  }

  /** Sends one post more than the page holds, because one may be left out. */
  #tellAhead(
    newest: bigint[],
    { sort, offset, limit, after }: ListQuestion,
    onAhead: ((oids: Uint8Array[]) => void) | undefined,
  ): void {
    if (!onAhead || after || sort.sortBy !== 'timestamp' || sort.sortOrder !== 'desc') return;
    const ranks = newest.slice(offset, offset + limit + 1);
    if (ranks.length <= limit) return;
    const rows = this.#file.all<{ oid: Uint8Array }>(
      'SELECT oid FROM post WHERE rank IN (SELECT value FROM json_each(?))',
      toList(ranks),
    );
    onAhead(rows.map(({ oid }) => oid));
  }

  #page(
    clauses: Clause[],
    question: ListQuestion,
    { total, left, begun }: { total: number; left: LeftOut | null; begun: Begun | null },
  ): Uint8Array[] | Begun {
    const without = left && Buffer.from(left.oid).toString('hex');
    const way = begun?.left === without ? begun.way : null;
    const page = findPage(this.#file, clauses, question, { total, left, way, turn: this.#turn });
    return Array.isArray(page) ? page : { way: page, left: without };
  }

  /** The most recently featured post among the matches. */
  #featured(clauses: Clause[]): LeftOut | undefined {
    const where = allOf(clauses.map((clause) => clause.test('post.at')));
    const [row] = this.#file.allBig<LeftOut>(
      `SELECT post.oid, post.rank FROM featured CROSS JOIN post ON post.rank = featured.rank
       WHERE ${where.sql} ORDER BY featured.at DESC, post.oid LIMIT 1`,
      ...where.values,
    );
    return row;
  }
}
