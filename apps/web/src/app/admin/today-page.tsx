import { formatCount } from '../../lib/format.ts';
import { formatMoment } from '../../lib/format-moment.ts';
import { AlertIcon } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useSessionAnswer } from '../../wallet/session-answer.ts';
import heads from './admin-head.module.css';
import styles from './today-page.module.css';

const REFRESH_MS = 60_000;

/** Figures of the last 24 hours, and what needs hands. */
export function TodayPage() {
  const { data, error, reload } = useSessionAnswer('adminToday', {
    refreshInterval: REFRESH_MS,
    shouldRetryOnError: false,
  });
  if (data === undefined) {
    if (error !== undefined) {
      return <Notice title="The figures could not be loaded." detail="Nothing is lost." onRetry={reload} />;
    }
    return <p role="status">Loading figures...</p>;
  }
  const { reportsOpen, hiddenByReports, hours } = data;
  const sum = (of: (hour: (typeof hours)[number]) => number) => hours.reduce((all, hour) => all + of(hour), 0);
  const failed = sum(({ failedSaves }) => failedSaves);
  return (
    <>
      <header className={heads['head']}>
        <h1 data-page-title tabIndex={-1}>
          Today
        </h1>
        <p className={heads['note']}>{formatMoment(new Date().toISOString())}</p>
      </header>
      {hiddenByReports.isOver && (
        <p className={styles['alarm']}>
          <AlertIcon size={16} />
          <span>
            <b>Reports have hidden {hiddenByReports.today} posts within a day.</b>
            They hide no more than {hiddenByReports.atMost}. A flood of reports is likely: look at the queue.
          </span>
        </p>
      )}
      <div className={styles['figures']}>
        <Figure
          name="Posts"
          value={sum(({ posts }) => posts)}
          note="in 24 hours"
          bars={hours.map(({ posts }) => posts)}
        />
        <Figure
          name="Saves"
          value={sum(({ saves }) => saves)}
          note={`in 24 hours, ${failed} failed`}
          bars={hours.map(({ saves }) => saves)}
        />
        <Figure name="Reports open" value={reportsOpen} note="posts that wait for somebody" />
        <Figure
          name="Hidden by reports"
          value={hiddenByReports.today}
          note={`in 24 hours, of ${hiddenByReports.atMost}`}
        />
      </div>
    </>
  );
}

interface FigureProps {
  name: string;
  value: number;
  note: string;
  /** By the hour, oldest first; the last has not ended. */
  bars?: readonly number[];
}

function Figure({ name, value, note, bars }: FigureProps) {
  const most = Math.max(1, ...(bars ?? []));
  return (
    <section className={styles['figure']} aria-label={name}>
      <h2>{name}</h2>
      <b>{formatCount(value)}</b>
      <p>{note}</p>
      {bars && (
        <>
          <ol className={styles['bars']} aria-hidden="true">
            {bars.map((one, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place.
              <li key={at} data-bar={Math.round((one / most) * 20)} data-unfinished={at === bars.length - 1} />
            ))}
          </ol>
          <p className={styles['ends']} aria-hidden="true">
            <span>24 h ago</span>
            <span>now</span>
          </p>
          <table className="visually-hidden">
            <caption>{name} by the hour, oldest first</caption>
            <tbody>
              {bars.map((one, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place.
                <tr key={at}>
                  <th scope="row">{bars.length - 1 - at} hours ago</th>
                  <td>{one}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  );
}
