import type { Explore } from '@archive/contracts';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { formatCount } from '../../lib/format.ts';
import { CategoryBead } from '../../ui/category-bead.tsx';
import { Link } from '../../ui/link.tsx';
import { archiveHref, daysOfMonth, UNCATEGORIZED_HREF } from './archive-href.ts';
import styles from './category-months.module.css';
import { formatMonth, posts } from './explore-words.ts';

type Row = Explore['categories'][number];

/** The width of a bar as a fraction of its month, and the least height of a bar with posts as a fraction of its row. */
const BAR = 0.86;
const LEAST = 0.05;
/** Months between two labels; `long` applies from `longFrom` months. */
const TICKS = { long: 6, short: 3, longFrom: 13 };
/** Months shown at once, and the least number: a young archive also shows the empty months before it. */
const SHOWN = 24;
const LEAST_MONTHS = 12;

interface Cell {
  row: number;
  month: number;
}

/**
 * A row of bars per category. The pointer or the arrow keys choose one month, whose figures are shown. The plot has one
 * tab stop: a link over the chosen bar that leads to its posts.
 */
export function CategoryMonths({ explore }: { explore: Explore }) {
  const { uncategorized, onThisDay } = explore;
  const lastFrom = Math.max(0, explore.months.length - SHOWN);
  const [from, setFrom] = useState(lastFrom);
  const { months, categories } = monthsFrom(explore, Math.min(from, lastFrom));
  // Months with a gap between them are drawn apart, and the later one is labelled.
  const isGap = (at: number) => at > 0 && months[at - 1] !== monthBefore(months[at] ?? '', 1);
  const isNearGap = (at: number) => [-3, -2, -1, 1, 2, 3].some((by) => isGap(at + by));
  const tick = months.length < TICKS.longFrom ? TICKS.short : TICKS.long;
  const isLastOpen = months.at(-1) === onThisDay.day.slice(0, 7);
  const [cell, setCell] = useState<Cell>({ row: 0, month: Math.max(0, months.length - (isLastOpen ? 2 : 1)) });
  const shown = `${formatMonth(months[0] ?? '')} to ${formatMonth(months.at(-1) ?? '')}`;
  const [told, setTold] = useState('');
  const chosen = categories[Math.min(cell.row, categories.length - 1)];
  const month = months[cell.month];
  if (chosen === undefined || month === undefined) return null;

  const countOf = (row: Row, at = cell.month) => row.months[at] ?? 0;
  const nameOf = (row: Row, at = cell.month) => {
    const count = countOf(row, at);
    return `${row.category}, ${formatMonth(months[at] ?? '')}: ${formatCount(count)} ${posts(count)}`;
  };
  const hrefOf = (row: Row) => archiveHref({ category: row.category, ...daysOfMonth(month) });

  function chooseAt({ clientX, clientY, currentTarget }: PointerEvent) {
    const box = currentTarget.getBoundingClientRect();
    setCell({
      row: within(Math.floor(((clientY - box.top) / box.height) * categories.length), categories.length),
      month: within(Math.floor(((clientX - box.left) / box.width) * months.length), months.length),
    });
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = STEPS[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = {
      row: within(cell.row + step.row, categories.length),
      month: within(cell.month + step.month, months.length),
    };
    setCell(next);
    const row = categories[next.row];
    if (row !== undefined) setTold(nameOf(row, next.month));
  }

  return (
    <section className={`panel ${styles['panel']}`} aria-labelledby="category-months">
      <h2 id="category-months">
        Categories by month <span className={styles['note']}>{shown}, each row on its own scale</span>
      </h2>
      <div className={styles['plot']}>
        <span className={styles['head']} data-column="month">
          {formatMonth(month)}
        </span>
        <span className={styles['head']} data-column="all">
          in all
        </span>
        <div className={styles['band']} style={{ gridRow: `2 / span ${categories.length}` }} aria-hidden="true">
          <span style={{ left: percent(cell.month / months.length), width: percent(1 / months.length) }} />
          {months.map((name, at) => isGap(at) && <i key={name} style={{ left: percent(at / months.length) }} />)}
        </div>
        {categories.map((row, index) => (
          <div key={row.category} className={styles['row']} style={{ gridRow: index + 2 }}>
            <CategoryBead category={row.category} />
            <Bars row={row} isLastOpen={isLastOpen} />
            {/* Not a tab stop: with the keyboard, the plot itself leads there. */}
            <Link
              href={hrefOf(row)}
              className={styles['figure']}
              data-column="month"
              tabIndex={-1}
              aria-label={nameOf(row)}
            >
              {formatCount(countOf(row))}
            </Link>
            <Link
              href={archiveHref({ category: row.category })}
              className={styles['figure']}
              data-column="all"
              aria-label={`${formatCount(row.count)} ${posts(row.count)} in ${row.category}`}
            >
              {formatCount(row.count)}
            </Link>
          </div>
        ))}
        <div
          className={styles['over']}
          style={{ gridRow: `2 / span ${categories.length}` }}
          onPointerMove={(event) => event.pointerType === 'mouse' && chooseAt(event)}
          onPointerDown={chooseAt}
        >
          <Link
            href={hrefOf(chosen)}
            className={styles['stop']}
            aria-label={nameOf(chosen)}
            onKeyDown={onKeyDown}
            style={{
              left: percent(cell.month / months.length),
              width: percent(1 / months.length),
              top: percent(cell.row / categories.length),
              height: percent(1 / categories.length),
            }}
          />
        </div>
        <div className={styles['axis']} style={{ gridRow: categories.length + 2 }} aria-hidden="true">
          {months.map(
            (name, at) =>
              (isGap(at) || (at % tick === 0 && !isNearGap(at))) && (
                <span
                  key={name}
                  data-tick={isGap(at) || at % (2 * tick) === 0 ? 'year' : 'half'}
                  style={{ left: percent(at / months.length) }}
                >
                  {formatMonth(name)}
                </span>
              ),
          )}
        </div>
      </div>
      {lastFrom > 0 && (
        <label className={styles['brush']}>
          Earlier
          <input
            type="range"
            aria-label="Months shown, earlier to later"
            aria-valuetext={shown}
            min={0}
            max={lastFrom}
            value={from}
            onChange={(event) => setFrom(Number(event.target.value))}
          />
          Later
        </label>
      )}
      <p role="status" className="visually-hidden">
        {told}
      </p>
      <p className={styles['foot']}>
        {uncategorized > 0 && (
          <>
            <Link href={UNCATEGORIZED_HREF}>
              {formatCount(uncategorized)} {posts(uncategorized)}
            </Link>{' '}
            came without a category.{' '}
          </>
        )}
        <span data-by="mouse">Press a month to see its posts.</span>
        <span data-by="touch">Press a month, then its figure, to see its posts.</span>
      </p>
      <Table months={months} categories={categories} />
    </section>
  );
}

function monthsFrom({ months, categories }: Explore, from: number) {
  const [first] = months;
  const added = first === undefined ? 0 : Math.max(0, LEAST_MONTHS - months.length);
  const before = Array.from({ length: added }, (_, at) => monthBefore(first as string, added - at));
  const shown = <T,>(some: readonly T[]) => some.slice(from, from + SHOWN);
  return {
    months: [...before, ...shown(months)],
    categories: categories.map((row) => ({ ...row, months: [...before.map(() => 0), ...shown(row.months)] })),
  };
}

function monthBefore(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 - by)).toISOString().slice(0, 7);
}

const STEPS: Readonly<Record<string, Cell>> = {
  ArrowLeft: { row: 0, month: -1 },
  ArrowRight: { row: 0, month: 1 },
  ArrowUp: { row: -1, month: 0 },
  ArrowDown: { row: 1, month: 0 },
  PageUp: { row: 0, month: -12 },
  PageDown: { row: 0, month: 12 },
  Home: { row: 0, month: -Infinity },
  End: { row: 0, month: Infinity },
};

function Bars({ row, isLastOpen }: { row: Row; isLastOpen: boolean }) {
  const most = Math.max(1, ...row.months);
  const slot = 1 / row.months.length;
  return (
    <svg
      className={styles['bars']}
      style={{ color: `var(--cat-${row.category}-bead)` }}
      aria-hidden="true"
      focusable="false"
    >
      {row.months.map((count, at) => {
        if (count === 0) return null;
        const height = Math.max(LEAST, count / most);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a month is its place.
            key={at}
            x={percent(slot * (at + (1 - BAR) / 2))}
            y={percent(1 - height)}
            width={percent(slot * BAR)}
            height={percent(height)}
            rx="1.5"
            data-open={isLastOpen && at === row.months.length - 1}
          />
        );
      })}
    </svg>
  );
}

/** The same figures as a table, for screen readers. */
function Table({ months, categories }: { months: readonly string[]; categories: readonly Row[] }) {
  return (
    <div className="visually-hidden">
      <table>
        <caption>Posts of each category by month</caption>
        <thead>
          <tr>
            <th scope="col">Month</th>
            {categories.map(({ category }) => (
              <th key={category} scope="col">
                {category}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {months.map((month, at) => (
            <tr key={month}>
              <th scope="row">{formatMonth(month)}</th>
              {categories.map((row) => (
                <td key={row.category}>{formatCount(row.months[at] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function within(at: number, length: number): number {
  return Math.min(Math.max(at, 0), length - 1);
}

function percent(part: number): string {
  return `${part * 100}%`;
}
