import type { ReactNode } from 'react';
import buttons from '../../ui/button.module.css';
import { Notice } from '../../ui/notice.tsx';
import styles from './admin-list.module.css';
import tables from './admin-table.module.css';
import type { useAdminList } from './use-admin-list.ts';

export interface Column<Row> {
  name: string;
  of: (row: Row) => ReactNode;
  /** Whether the value may wrap. */
  isLong?: boolean;
}

interface AdminListProps<Row> {
  /** The table's name, such as `Payments`. */
  name: string;
  list: ReturnType<typeof useAdminList<Row>>;
  columns: readonly Column<Row>[];
  idOf: (row: Row) => string;
  /** The buttons of a row. */
  acts?: (row: Row) => ReactNode;
  /** Shown if there are no rows. */
  empty: string;
}

/** A table of the operators' pages, with the row's buttons in the last column. */
export function AdminList<Row>({ name, list, columns, idOf, acts, empty }: AdminListProps<Row>) {
  const { rows, hasFailed, reload, more } = list;
  if (hasFailed) return <Notice title="This could not be loaded." detail="Nothing is lost." onRetry={reload} />;
  if (rows === null) return <p role="status">Loading...</p>;
  if (rows.data.length === 0) {
    return (
      <p role="status" className={styles['empty']}>
        {empty}
      </p>
    );
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard. */}
      <section className={`${tables['frame']} ${styles['frame']}`} tabIndex={0} aria-label={name}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.name} scope="col">
                  {column.name}
                </th>
              ))}
              {acts && (
                <th scope="col">
                  <span className="visually-hidden">What can be done</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.data.map((row) => (
              <tr key={idOf(row)}>
                {columns.map((column) => (
                  <td key={column.name} data-long={column.isLong}>
                    {column.of(row)}
                  </td>
                ))}
                {acts && <td className={styles['acts']}>{acts(row)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.next !== null && (
        <button type="button" className={buttons['plain']} onClick={more}>
          More
        </button>
      )}
    </>
  );
}

interface RowActProps {
  label: string;
  /** The row's name, for screen readers. */
  of: string;
  isGrave?: boolean;
  onClick: () => void;
}

/** A button of one row. */
export function RowAct({ label, of, isGrave = false, onClick }: RowActProps) {
  return (
    <button
      type="button"
      className={styles[isGrave ? 'graveAct' : 'act']}
      onClick={onClick}
      aria-label={`${label}: ${of}`}
    >
      {label}
    </button>
  );
}

/** A state as a word. The colour repeats the word and carries nothing else. */
export function StateWord({ tone, children }: { tone: 'good' | 'busy' | 'bad' | 'rest'; children: string }) {
  return (
    <span className={styles['state']} data-tone={tone}>
      {children}
    </span>
  );
}
