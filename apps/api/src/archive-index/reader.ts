import {
  type ArchiveFilter,
  type ArchiveSort,
  RECENT_DAYS,
  type SortField,
  type SortOrder,
  TREND_DAYS,
} from '@archive/contracts';
import {
  allOf,
  type Condition,
  dateConditions,
  type FilterPlan,
  matchExpression,
  planFilter,
  type TextCondition,
  textConditions,
} from './filter-plan.ts';
import { type IndexFile, Query, type Value } from './index-file.ts';
import type { AnalyticsAnswer, IndexStats, ListAnswer, ListQuestion } from './messages.ts';
import { RANK_BITS } from './schema.ts';

const DAY_MS = 86_400_000;
const RECENT_MS = RECENT_DAYS * DAY_MS;
const TOP_AUTHORS = 10;

/** Rows of a scan between two looks at the mailbox: about 5 ms. */
const SCAN_SLICE = 20_000;
/** Newest rows tried, to learn how common a short text is. */
const PROBE = 4_000;
/** Fewer hits among them: too rare for a newest-first scan to find a page soon. */
const RARE_HITS = 24;
/** Beyond this share of all posts, counting by reading them is faster than by posting lists. */
const DENSE = 0.7;
/** Single letters begin hundreds of trigrams; beyond this share enumerating them does not pay. */
const DENSE_LETTER = 0.05;
/** Trigrams that may stand for one short text. */
const ALTERNATIVES = 400;
/** So few matches are read whole in one pass, which gives page and total alike. */
const FEW = 64;
const KEPT_STATEMENTS = 300;
const KEPT_TOTALS = 2_000;

/** Measured costs in microseconds, to choose between walking an order and sorting the matches. */
const COST = { walkIndex: 0.01, walkRow: 1, sortMatch: 0.5 };

interface Row {
  oid: Uint8Array;
  key: Value;
  tie: Value;
}

interface Probe {
  text: TextCondition;
  isRare: boolean;
  isDense: boolean;
  /** Asked for once; null where they are too many. */
  trigrams: string[] | null | undefined;
}

/** Rows in an order in which posts of equal key stand by `tie`, which may not be the order wanted. */
interface Walk {
  from: string;
  where: Condition[];
  key: string;
  tie: string;
  order: SortOrder;
}

/** Answers questions over an index file that another thread writes. */
export class IndexReader {
  readonly #db: IndexFile;
  readonly #statements = new Map<string, Query<unknown>>();
  readonly #totals = new Map<string, number>();
  #totalsVersion = -1;

  constructor(db: IndexFile) {
    this.#db = db;
  }

  async list(question: ListQuestion & { version: number }): Promise<ListAnswer> {
    const startedAt = performance.now();
    const plan = this.#plan(question.filter);
    const probes = this.#probeShort(plan);
    const few = this.#fewMatches(plan, probes);
    const probedAt = performance.now();
    const total = few ? few.length : await this.#total(plan, probes, question.filter, question.version);
    const totalMs = performance.now() - probedAt;
    return this.#atOneMoment(() => {
      const featured = total > 0 && (question.split || question.offset === 0) ? this.#featured(plan) : undefined;
      const left = question.split ? (featured ?? null) : null;
      const oids =
        total === 0
          ? []
          : few
            ? this.#pageOfFew(few, question, left)
            : this.#page(plan, this.#alternatives(probes, 'page'), question, total, left);
      return {
        oids,
        total,
        featured: featured?.oid ?? null,
        stats: this.#stats(question.now),
        spent: { total: totalMs, rest: performance.now() - startedAt - totalMs },
      };
    });
  }

  analytics(now: number): AnalyticsAnswer {
    return this.#atOneMoment(() => {
      const topAuthors = this.#all<{ handle: string; posts: number; newest: Uint8Array }>(
        `SELECT author.handle, author.posts, post.oid AS newest
         FROM (SELECT * FROM author ORDER BY posts DESC, handle LIMIT ?) AS author
         JOIN post ON post.rank = author.newest ORDER BY author.posts DESC, author.handle`,
        TOP_AUTHORS,
      );
      const today = Math.floor(now / DAY_MS);
      return {
        topAuthors,
        categories: this.#all('SELECT category, posts FROM category WHERE posts > 0 ORDER BY posts DESC, category'),
        days: this.#all(
          'SELECT day, posts FROM day WHERE posts > 0 AND day BETWEEN ? AND ? ORDER BY day',
          today - TREND_DAYS + 1,
          today,
        ),
      };
    });
  }

  walk(after: Uint8Array | null, limit: number): Uint8Array[] {
    const rows = after
      ? this.#all<{ oid: Uint8Array }>('SELECT oid FROM post WHERE oid > ? ORDER BY oid LIMIT ?', after, limit)
      : this.#all<{ oid: Uint8Array }>('SELECT oid FROM post ORDER BY oid LIMIT ?', limit);
    return rows.map((row) => row.oid);
  }

  /** Every match in order, read as one unchanging state of the file for as long as the walk lasts. */
  *export(filter: ArchiveFilter, sort: ArchiveSort): Generator<Uint8Array> {
    const plan = this.#plan(filter);
    const alternatives = this.#alternatives(this.#probeShort(plan), 'total');
    if (plan.isImpossible || [...alternatives.values()].some((trigrams) => trigrams.length === 0)) return;
    const { from, where } = this.#matches(plan, alternatives);
    const condition = allOf(where);
    const rows = new Query<{ oid: Uint8Array }>(
      this.#db,
      `SELECT post.oid FROM ${from} WHERE ${condition.sql} ORDER BY ${KEYS[sort.sortBy]} ${sort.sortOrder}, post.oid`,
    );
    for (const row of rows.iterate(...condition.values)) yield row.oid;
  }

  #plan(filter: ArchiveFilter): FilterPlan {
    return planFilter(
      filter,
      (handle) => this.#all<{ id: number }>('SELECT id FROM author WHERE handle = ?', handle)[0]?.id,
    );
  }

  /** How common each short text is, and by which trigrams it may be found instead. */
  #probeShort(plan: FilterPlan): Probe[] {
    if (plan.isImpossible || plan.author !== null) return [];
    // Names repeat so much that nearly every pair in them is common, and the vocabulary does not tell columns apart.
    const texts = plan.short.filter((text) => text.scope !== 'author');
    return texts.map((text) => {
      const [test] = textConditions([text]) as [Condition];
      const [{ hits, rows }] = this.#all<{ hits: number; rows: number }>(
        `SELECT coalesce(sum(${test.sql}), 0) AS hits, count(*) AS rows
         FROM (SELECT * FROM post ORDER BY rank DESC LIMIT ${PROBE}) AS post`,
        ...test.values,
      ) as [{ hits: number; rows: number }];
      const share = hits / Math.max(1, rows);
      const isLetter = Array.from(text.needle).length === 1;
      return {
        text,
        isRare: hits < RARE_HITS,
        isDense: share > (isLetter ? DENSE_LETTER : DENSE),
        trigrams: undefined,
      };
    });
  }

  /**
   * Trigrams in place of short texts, where that pays. For a page only the rare ones: a common one is found sooner by
   * reading the newest posts.
   */
  #alternatives(probes: Probe[], use: 'page' | 'total'): Map<TextCondition, string[]> {
    const found = new Map<TextCondition, string[]>();
    for (const probe of probes) {
      if (use === 'page' ? !probe.isRare : probe.isDense) continue;
      probe.trigrams ??= this.#trigramsOf(probe.text.needle);
      if (probe.trigrams) found.set(probe.text, probe.trigrams);
    }
    return found;
  }

  /** Every trigram that begins with this; null where there are too many. */
  #trigramsOf(start: string): string[] | null {
    const rows = this.#all<{ term: string }>(
      `SELECT term FROM term WHERE term >= ? AND term < ? LIMIT ${ALTERNATIVES + 1}`,
      start,
      `${start}\u{10ffff}`,
    );
    return rows.length > ALTERNATIVES ? null : rows.map((row) => row.term);
  }

  /** The ranks of all matches of a text question, where there are few of them. */
  #fewMatches(plan: FilterPlan, probes: Probe[]): bigint[] | null {
    if (plan.isImpossible) return [];
    if (plan.author !== null) return null;
    const alternatives = this.#alternatives(probes, 'page');
    if ([...alternatives.values()].some((trigrams) => trigrams.length === 0)) return [];
    if (plan.long.length + alternatives.size === 0 || plan.short.length > alternatives.size) return null;
    const condition = allOf([this.#match(plan, alternatives), ...dateConditions(plan, 'search.rowid')]);
    const rows = this.#all<{ rank: bigint }>(
      `SELECT search.rowid AS rank FROM search WHERE ${condition.sql} ORDER BY search.rowid DESC LIMIT ${FEW + 1}`,
      ...condition.values,
      BIG,
    );
    return rows.length > FEW ? null : rows.map((row) => row.rank);
  }

  #pageOfFew(few: bigint[], { sort, offset, limit }: ListQuestion, left: { rank: bigint } | null): Uint8Array[] {
    const ranks = few.filter((rank) => rank !== left?.rank);
    return this.#all<{ oid: Uint8Array }>(
      `SELECT oid FROM post WHERE rank IN (${ranks.map(() => '?').join(', ')})
       ORDER BY ${KEYS[sort.sortBy]} ${sort.sortOrder}, oid LIMIT ? OFFSET ?`,
      ...ranks,
      limit,
      offset,
    ).map((row) => row.oid);
  }

  async #total(plan: FilterPlan, probes: Probe[], filter: ArchiveFilter, version: number): Promise<number> {
    if (plan.isImpossible) return 0;
    if (version !== this.#totalsVersion) {
      this.#totals.clear();
      this.#totalsVersion = version;
    }
    const key = JSON.stringify(filter);
    const known = this.#totals.get(key);
    if (known !== undefined) return known;
    const alternatives = this.#alternatives(probes, 'total');
    const isAbsent = [...alternatives.values()].some((trigrams) => trigrams.length === 0);
    const total = isAbsent ? 0 : await this.#countMatches(plan, alternatives);
    if (version === this.#totalsVersion) {
      if (this.#totals.size >= KEPT_TOTALS) this.#totals.clear();
      this.#totals.set(key, total);
    }
    return total;
  }

  #countMatches(plan: FilterPlan, alternatives: Map<TextCondition, string[]>): number | Promise<number> {
    const unresolved = plan.short.filter((text) => !alternatives.has(text));
    const hasText = plan.long.length + plan.short.length > 0;
    if (!hasText && plan.author === null) {
      if (plan.category === null) return this.#sumDays(plan);
      if (plan.from === null && plan.to === null) {
        const [row] = this.#all<{ posts: number }>('SELECT posts FROM category WHERE category = ?', plan.category);
        return row?.posts ?? 0;
      }
    }
    if (unresolved.length > 0 && plan.long.length === 0 && alternatives.size === 0 && plan.author === null) {
      return this.#scanCount(plan);
    }
    const { from, where } = this.#matches(plan, alternatives);
    const isTextAlone = hasText && plan.author === null && unresolved.length === 0;
    const condition = isTextAlone
      ? allOf([this.#match(plan, alternatives), ...dateConditions(plan, 'search.rowid')])
      : allOf(where);
    const [row] = this.#all<{ n: number }>(
      `SELECT count(*) AS n FROM ${isTextAlone ? 'search' : from} WHERE ${condition.sql}`,
      ...condition.values,
    );
    return row?.n ?? 0;
  }

  #sumDays(plan: FilterPlan): number {
    const first = plan.from === null ? Number.MIN_SAFE_INTEGER : plan.from / DAY_MS;
    const after = plan.to === null ? Number.MAX_SAFE_INTEGER : plan.to / DAY_MS;
    const [row] = this.#all<{ n: number }>(
      'SELECT coalesce(sum(posts), 0) AS n FROM day WHERE day >= ? AND day < ?',
      first,
      after,
    );
    return row?.n ?? 0;
  }

  /** Counts by reading every row, in slices, so that other questions are answered in between. */
  async #scanCount(plan: FilterPlan): Promise<number> {
    const tests = allOf([
      ...(plan.category === null ? [] : [{ sql: 'post.category = ?', values: [plan.category] }]),
      ...textConditions(plan.short),
    ]);
    const dates = allOf(dateConditions(plan, 'post.rank'));
    let total = 0;
    let last: Value = BEFORE_ALL_RANKS;
    for (;;) {
      const [slice] = this.#all<{ n: bigint; hits: bigint; last: bigint }>(
        `SELECT count(*) AS n, coalesce(sum(hit), 0) AS hits, max(rank) AS last FROM (
           SELECT post.rank AS rank, (${tests.sql}) AS hit FROM post
           WHERE post.rank > ? AND ${dates.sql} ORDER BY post.rank LIMIT ${SCAN_SLICE})`,
        ...tests.values,
        last,
        ...dates.values,
        BIG,
      ) as [{ n: bigint; hits: bigint; last: bigint }];
      total += Number(slice.hits);
      if (slice.n < SCAN_SLICE) return total;
      last = slice.last;
      await new Promise(setImmediate);
    }
  }

  #stats(now: number): IndexStats {
    const [row] = this.#all<IndexStats>(
      `SELECT (SELECT coalesce(sum(posts), 0) FROM category) AS total,
              (SELECT count(*) FROM author) AS authors,
              (SELECT count(*) FROM post INDEXED BY post_time WHERE at > ? AND at <= ?) AS recent`,
      now - RECENT_MS,
      now,
    ) as [IndexStats];
    return row;
  }

  /** The most recently featured post among the matches. */
  #featured(plan: FilterPlan): { oid: Uint8Array; rank: bigint } | undefined {
    const where = allOf([
      ...(plan.category === null ? [] : [{ sql: 'post.category = ?', values: [plan.category] }]),
      ...(plan.author === null ? [] : [{ sql: 'post.author = ?', values: [plan.author] }]),
      ...dateConditions(plan, 'post.at'),
      ...textConditions([...plan.long, ...plan.short]),
    ]);
    const [row] = this.#all<{ oid: Uint8Array; rank: bigint }>(
      `SELECT post.oid, post.rank FROM featured CROSS JOIN post ON post.rank = featured.rank
       WHERE ${where.sql} ORDER BY featured.at DESC, post.oid LIMIT 1`,
      ...where.values,
      BIG,
    );
    return row;
  }

  #page(
    plan: FilterPlan,
    alternatives: Map<TextCondition, string[]>,
    question: ListQuestion,
    total: number,
    left: { oid: Uint8Array; rank: bigint } | null,
  ): Uint8Array[] {
    const { sort, offset, limit } = question;
    if (offset >= total) return [];
    if (sort.sortBy === 'timestamp') {
      const isText = plan.long.length + alternatives.size > 0 && plan.author === null;
      return isText
        ? this.#pageOfMatches(plan, alternatives, sort.sortOrder, offset, limit, left)
        : this.#pageOfWalk(this.#timeWalk(plan, sort.sortOrder, left), offset, limit);
    }
    const walk = this.#keyWalk(plan, sort, left);
    const isCovered = plan.long.length + plan.short.length === 0 && plan.author === null;
    const isWhole = isCovered && plan.category === null && plan.from === null && plan.to === null;
    const stepCost = isCovered ? COST.walkIndex : COST.walkRow;
    const walked = ((offset + limit) * this.#size()) / total;
    if (isWhole || walked * stepCost < total * COST.sortMatch) return this.#pageOfWalk(walk, offset, limit);
    return this.#pageSorted(plan, alternatives, sort, offset, limit, left);
  }

  #size(): number {
    return this.#all<{ n: number }>('SELECT coalesce(sum(posts), 0) AS n FROM category')[0]?.n ?? 0;
  }

  /** Where the matches come from fastest, whatever their order. */
  #matches(plan: FilterPlan, alternatives: Map<TextCondition, string[]>): { from: string; where: Condition[] } {
    const category = plan.category === null ? [] : [{ sql: 'post.category = ?', values: [plan.category] }];
    if (plan.author !== null) {
      return {
        from: 'post INDEXED BY post_handle',
        where: [
          { sql: 'post.author = ?', values: [plan.author] },
          ...dateConditions(plan, 'post.at'),
          ...category,
          ...textConditions([...plan.long, ...plan.short]),
        ],
      };
    }
    if (plan.long.length + alternatives.size > 0) {
      const unresolved = plan.short.filter((text) => !alternatives.has(text));
      return {
        from: 'search CROSS JOIN post ON post.rank = search.rowid',
        where: [
          this.#match(plan, alternatives),
          ...dateConditions(plan, 'search.rowid'),
          ...textConditions(unresolved),
        ],
      };
    }
    return {
      from: `post INDEXED BY ${plan.category === null ? 'post_time' : 'post_category_time'}`,
      where: [...category, ...dateConditions(plan, 'post.at'), ...textConditions(plan.short)],
    };
  }

  #match(plan: FilterPlan, alternatives: Map<TextCondition, string[]>): Condition {
    return { sql: 'search MATCH ?', values: [matchExpression(plan, alternatives)] };
  }

  #timeWalk(plan: FilterPlan, order: SortOrder, left: { oid: Uint8Array } | null): Walk {
    const { from, where } = this.#matches({ ...plan, short: [...plan.short, ...plan.long], long: [] }, new Map());
    return { from, where: [...where, ...without(left)], key: 'post.at', tie: 'post.oid', order };
  }

  /** Walks the order asked for and tests every post on the way. */
  #keyWalk(plan: FilterPlan, sort: ArchiveSort, left: { oid: Uint8Array } | null): Walk {
    return {
      from: `post INDEXED BY ${KEY_INDEXES[sort.sortBy]}`,
      where: [
        ...(plan.category === null ? [] : [{ sql: 'post.category = ?', values: [plan.category] }]),
        ...(plan.author === null ? [] : [{ sql: 'post.author = ?', values: [plan.author] }]),
        ...dateConditions(plan, 'post.rank'),
        ...textConditions([...plan.long, ...plan.short]),
        ...without(left),
      ],
      key: KEYS[sort.sortBy],
      tie: 'post.oid',
      order: sort.sortOrder,
    };
  }

  /** Collects the matches and sorts them: best where they are few. */
  #pageSorted(
    plan: FilterPlan,
    alternatives: Map<TextCondition, string[]>,
    sort: ArchiveSort,
    offset: number,
    limit: number,
    left: { oid: Uint8Array } | null,
  ): Uint8Array[] {
    const { from, where } = this.#matches(plan, alternatives);
    const condition = allOf([...where, ...without(left)]);
    return this.#all<{ oid: Uint8Array }>(
      `SELECT post.oid FROM ${from} WHERE ${condition.sql}
       ORDER BY ${KEYS[sort.sortBy]} ${sort.sortOrder}, post.oid LIMIT ? OFFSET ?`,
      ...condition.values,
      limit,
      offset,
    ).map((row) => row.oid);
  }

  /** Newest or oldest matches straight off the posting lists, which end in time order. */
  #pageOfMatches(
    plan: FilterPlan,
    alternatives: Map<TextCondition, string[]>,
    order: SortOrder,
    offset: number,
    limit: number,
    left: { rank: bigint } | null,
  ): Uint8Array[] {
    const unresolved = textConditions(plan.short.filter((text) => !alternatives.has(text)));
    const where = [
      this.#match(plan, alternatives),
      ...dateConditions(plan, 'search.rowid'),
      ...(left ? [{ sql: 'search.rowid <> ?', values: [left.rank] }] : []),
      ...(unresolved.length === 0
        ? []
        : [
            {
              sql: `EXISTS (SELECT 1 FROM post WHERE post.rank = search.rowid AND ${allOf(unresolved).sql})`,
              values: allOf(unresolved).values,
            },
          ]),
    ];
    const condition = allOf(where);
    const rows = this.#all<{ rank: bigint; oid: Uint8Array }>(
      `SELECT post.rank AS rank, post.oid AS oid FROM
         (SELECT search.rowid AS r FROM search WHERE ${condition.sql} ORDER BY search.rowid ${order} LIMIT ? OFFSET ?)
       CROSS JOIN post ON post.rank = r`,
      ...condition.values,
      limit,
      offset,
      BIG,
    ).map((row) => ({ oid: row.oid, key: row.rank >> RANK_BITS, tie: row.rank }));
    const groupRows = (key: Value): { oid: Uint8Array; tie: Value }[] => {
      const low = (key as bigint) << RANK_BITS;
      const group = allOf([
        ...where,
        { sql: 'search.rowid >= ? AND search.rowid < ?', values: [low, low + (1n << RANK_BITS)] },
      ]);
      return this.#all<{ oid: Uint8Array; tie: bigint }>(
        `SELECT post.oid AS oid, post.rank AS tie FROM search CROSS JOIN post ON post.rank = search.rowid WHERE ${group.sql}`,
        ...group.values,
        BIG,
      );
    };
    return orderTies(rows, {
      isAlone: (key) => this.#isAlone(key as bigint),
      before: (row) =>
        groupRows(row.key).filter(({ tie }) =>
          order === 'desc' ? (tie as bigint) > (row.tie as bigint) : (tie as bigint) < (row.tie as bigint),
        ).length,
      slice: (key, skip, take) =>
        groupRows(key)
          .map((row) => row.oid)
          .sort(compareBytes)
          .slice(skip, skip + take),
    });
  }

  /** Whether at most one post of the archive has this millisecond: then there are no ties to order. */
  #isAlone(millisecond: bigint): boolean {
    const low = millisecond << RANK_BITS;
    return (
      this.#all('SELECT 1 FROM post WHERE rank >= ? AND rank < ? LIMIT 2', low, low + (1n << RANK_BITS)).length < 2
    );
  }

  #pageOfWalk(walk: Walk, offset: number, limit: number): Uint8Array[] {
    const condition = allOf(walk.where);
    const rows = this.#all<Row>(
      `SELECT post.oid AS oid, ${walk.key} AS key, ${walk.tie} AS tie FROM ${walk.from} WHERE ${condition.sql}
       ORDER BY ${walk.key} ${walk.order}, ${walk.tie} ${walk.order} LIMIT ? OFFSET ?`,
      ...condition.values,
      limit,
      offset,
    );
    if (walk.order === 'asc') return rows.map((row) => row.oid);
    const inGroup = (key: Value) => allOf([...walk.where, { sql: `${walk.key} = ?`, values: [key] }]);
    return orderTies(rows, {
      isAlone: () => false,
      before: (row) => {
        const group = inGroup(row.key);
        const [counted] = this.#all<{ n: number }>(
          `SELECT count(*) AS n FROM ${walk.from} WHERE ${group.sql} AND ${walk.tie} > ?`,
          ...group.values,
          row.tie,
        );
        return counted?.n ?? 0;
      },
      slice: (key, skip, take) => {
        const group = inGroup(key);
        return this.#all<{ oid: Uint8Array }>(
          `SELECT post.oid AS oid FROM ${walk.from} WHERE ${group.sql} ORDER BY post.oid LIMIT ? OFFSET ?`,
          ...group.values,
          take,
          skip,
        ).map((row) => row.oid);
      },
    });
  }

  #atOneMoment<T>(work: () => T): T {
    this.#db.exec('BEGIN');
    try {
      return work();
    } finally {
      this.#db.exec('COMMIT');
    }
  }

  #all<T>(sql: string, ...values: (Value | typeof BIG)[]): T[] {
    const big = values.at(-1) === BIG;
    if (big) values.pop();
    const name = big ? `${sql} -- big` : sql;
    let statement = this.#statements.get(name);
    if (!statement) {
      if (this.#statements.size >= KEPT_STATEMENTS) this.#statements.clear();
      statement = new Query<unknown>(this.#db, sql, { big });
      this.#statements.set(name, statement);
    }
    return statement.all(...(values as Value[])) as T[];
  }
}

const BEFORE_ALL_RANKS = -(2n ** 63n);

/** Last value of a question whose whole numbers shall come back as bigint. */
const BIG = Symbol('big');

const KEYS: Record<SortField, string> = {
  timestamp: 'post.at',
  author: 'post.author_key',
  content: 'coalesce(post.content_key, post.content)',
  category: 'post.category',
};

const KEY_INDEXES: Record<SortField, string> = {
  timestamp: 'post_time',
  author: 'post_author',
  content: 'post_content',
  category: 'post_category',
};

function without(left: { oid: Uint8Array } | null): Condition[] {
  return left ? [{ sql: 'post.oid <> ?', values: [left.oid] }] : [];
}

interface Ties {
  isAlone(key: Value): boolean;
  /** How many of the row's group the walk passed before it. */
  before(row: Row): number;
  /** Part of a group, by oid ascending. */
  slice(key: Value, skip: number, take: number): Uint8Array[];
}

/**
 * Puts posts of equal key by `_id` ascending. Groups that lie whole within the page are sorted in place; of the first
 * and the last one a part may stand on another page, so they are asked for.
 */
function orderTies(rows: Row[], ties: Ties): Uint8Array[] {
  const groups: { key: Value; rows: Row[] }[] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    if (group && group.key === row.key) group.rows.push(row);
    else groups.push({ key: row.key, rows: [row] });
  }
  return groups.flatMap((group, index) => {
    const isEdge = index === 0 || index === groups.length - 1;
    if (!isEdge) return group.rows.map((row) => row.oid).sort(compareBytes);
    if (ties.isAlone(group.key)) return group.rows.map((row) => row.oid);
    const skip = index === 0 ? ties.before(group.rows[0] as Row) : 0;
    return ties.slice(group.key, skip, group.rows.length);
  });
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  return Buffer.compare(a, b);
}
