import type { AnswerOf } from '@archive/contracts';
import { type ReactNode, useEffect, useState } from 'react';
import { saveSentence, shortAddress } from '../../features/saves/save-words.ts';
import { shorten } from '../../lib/format.ts';
import { Link } from '../../ui/link.tsx';
import { LAUNCH_STATES, PAYMENT_STATES } from './state-words.ts';
import styles from './today-panels.module.css';
import { useAdminCall } from './use-admin-call.ts';

const ROWS = 5;
const UNSETTLED = ['confirmed', 'applied'] as const;
const UNDER_WAY = ['claimed', 'signed', 'sent', 'confirmed'] as const;

interface PanelProps {
  /** The panel reloads whenever this object changes. */
  today: AnswerOf<'adminToday'>;
}

interface Row {
  id: string;
  what: ReactNode;
  state: string;
  since: string;
}

/** Unfinished saves, payments and launches, longest waiting first. */
export function NotAtRest({ today, isAdmin }: PanelProps & { isAdmin: boolean }) {
  const call = useAdminCall();
  const rows = useRows(today, async () => {
    const saves = call('listSaves', { query: { state: 'open', page: '1', limit: String(ROWS) } });
    const payments = UNSETTLED.map((state) => isAdmin && call('listPayments', { query: { state } }));
    const launches = UNDER_WAY.map((state) => isAdmin && call('listLaunches', { query: { state } }));
    const found: Row[] = [
      ...(await saves).data.map((save) => ({
        id: save._id,
        what: kindOf('Save', <bdi>{shortAddress(save.url)}</bdi>),
        state: saveSentence(save),
        since: save.createdAt,
      })),
      ...dataOf(await Promise.all(payments)).map(({ _id, state, createdAt }) => ({
        id: _id,
        what: kindOf('Payment', <code>{shorten(_id)}</code>),
        state: PAYMENT_STATES[state][1],
        since: createdAt,
      })),
      ...dataOf(await Promise.all(launches)).map(({ archiveId, symbol, state, createdAt }) => ({
        id: archiveId,
        what: kindOf('Launch', <bdi>{symbol}</bdi>),
        state: LAUNCH_STATES[state][1],
        since: createdAt,
      })),
    ];
    return found.toSorted((one, other) => Date.parse(one.since) - Date.parse(other.since)).slice(0, ROWS);
  });
  return (
    <Panel title="In progress" rows={rows} empty="Nothing is waiting." link={['All saves', '/admin/saves']}>
      {({ id, what, state, since }) => (
        <li key={id}>
          <span>{what}</span>
          <span className={styles['state']}>{state}</span>
          <time dateTime={since}>{ageOf(since)}</time>
        </li>
      )}
    </Panel>
  );
}

/** The newest entries of the log of acts. */
export function LatestActs({ today }: PanelProps) {
  const call = useAdminCall();
  const rows = useRows(today, async () => (await call('listLog', { query: {} })).data.slice(0, ROWS));
  return (
    <Panel title="Latest acts" rows={rows} empty="Nothing was done yet." link={['The log', '/admin/log']}>
      {({ seq, at, act, subject, actor }) => (
        <li key={seq}>
          <time dateTime={at} title={at}>
            {at.slice(11, 16)}
          </time>
          <span className={styles['state']}>
            <b>{act}</b> {subject.kind} {shorten(subject.id)}
          </span>
          <span>{actor.id === null ? actor.kind : <code>{shorten(actor.id)}</code>}</span>
        </li>
      )}
    </Panel>
  );
}

interface PanelListProps<R> {
  title: string;
  rows: readonly R[] | null;
  empty: string;
  link: readonly [label: string, href: string];
  children: (row: R) => ReactNode;
}

function Panel<R>({ title, rows, empty, link: [label, href], children }: PanelListProps<R>) {
  return (
    <section className={styles['panel']} aria-label={title}>
      <header className={styles['head']}>
        <h2>{title}</h2>
        <Link href={href}>{label}</Link>
      </header>
      {rows === null ? (
        <p>Loading...</p>
      ) : rows.length === 0 ? (
        <p>{empty}</p>
      ) : (
        <ul className={styles['rows']}>{rows.map(children)}</ul>
      )}
    </section>
  );
}

/** Rows to show. The old rows stay until the new ones arrive, and also if loading fails. */
function useRows<R>(today: object, load: () => Promise<R[]>): R[] | null {
  const [rows, setRows] = useState<R[] | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is loaded with each new figures, not with each drawing.
  useEffect(() => {
    let isWanted = true;
    load().then(
      (found) => isWanted && setRows(found),
      () => isWanted && setRows((old) => old ?? []),
    );
    return () => {
      isWanted = false;
    };
  }, [today]);
  return rows;
}

function dataOf<R>(pages: (false | { data: R[] })[]): R[] {
  return pages.flatMap((page) => (page ? page.data : []));
}

function kindOf(kind: string, what: ReactNode) {
  return (
    <>
      <b>{kind}</b> {what}
    </>
  );
}

/** `40 s`, `4 min`, `18 h`, `3 days`. */
function ageOf(since: string): string {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(since)) / 1_000));
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  return seconds < 48 * 3_600 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}
