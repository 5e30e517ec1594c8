import { type AnswerOf, PLATFORM_NAMES } from '@archive/contracts';
import { type ReactNode, useEffect, useState } from 'react';
import { formatCount } from '../../lib/format.ts';
import { formatMoment } from '../../lib/format-moment.ts';
import { AlertIcon } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useSessionAnswer } from '../../wallet/session-answer.ts';
import heads from './admin-head.module.css';
import type { AdminPageProps } from './admin-page-props.ts';
import { inSol } from './in-sol.ts';
import styles from './today-page.module.css';
import { LatestActs, NotAtRest } from './today-panels.tsx';
import { useAdminCall } from './use-admin-call.ts';

const REFRESH_MS = 60_000;
/** The same threshold as in `docker/alerts.yml`. */
const BEHIND_MS = 60_000;
const FEW_LAUNCHES = 10;

/** Figures of the last 24 hours, and the problems that need an operator. */
export function TodayPage({ me }: AdminPageProps) {
  const { data, error, reload } = useSessionAnswer('adminToday', {
    refreshInterval: REFRESH_MS,
    shouldRetryOnError: false,
  });
  const key = useLaunchKey(me.role === 'admin');
  const head = (
    <header className={heads['head']}>
      <h1 data-page-title tabIndex={-1}>
        Today
      </h1>
      <p className={heads['note']}>{formatMoment(new Date().toISOString())}</p>
    </header>
  );
  if (data === undefined) {
    return (
      <>
        {head}
        {error === undefined ? (
          <p role="status">Loading figures...</p>
        ) : (
          <Notice title="The figures could not be loaded." detail="Nothing is lost." onRetry={reload} />
        )}
      </>
    );
  }
  const { reportsOpen, hiddenByReports, hours, payments, launches, indexBehindMs, search, disk, agentsAway } = data;
  const isKeyLow = key !== null && isLow(key);
  const isDiskLow = disk.freeBytes < disk.floorBytes;
  const isIndexBehind = indexBehindMs >= BEHIND_MS;
  const sum = (of: (hour: (typeof hours)[number]) => number) => hours.reduce((all, hour) => all + of(hour), 0);
  const failed = sum(({ failedSaves }) => failedSaves);
  return (
    <>
      {head}
      {hiddenByReports.isOver && (
        <Alarm title={`Reports have hidden ${hiddenByReports.today} posts within a day.`}>
          They hide no more than {hiddenByReports.atMost}. A flood of reports is likely: look at the queue.
        </Alarm>
      )}
      {isKeyLow && (
        <Alarm title={`The launch key holds ${inSol(key.lamports)} SOL.`}>
          Launching stops by itself below {inSol(key.floorLamports)}: send SOL to its address, which stands at Launches.
          Payments are not touched.
        </Alarm>
      )}
      {isDiskLow && (
        <Alarm title={`The disk has ${inGigabytes(disk.freeBytes)} GB left.`}>
          Below {inGigabytes(disk.floorBytes)} GB nothing new is kept. What is kept is safe.
        </Alarm>
      )}
      {isIndexBehind && (
        <Alarm title={`The index is ${inSeconds(indexBehindMs)} s behind.`}>
          What was just saved may not be found yet. It catches up by itself.
        </Alarm>
      )}
      {search !== null && (
        <Alarm title={`Search: ${search}.`}>
          No post is lost: the cluster holds nothing that the database does not hold. The page on scale in the docs says
          what to do.
        </Alarm>
      )}
      {agentsAway.map(({ platform, since }) => (
        <Alarm key={platform} title={`No mention on ${PLATFORM_NAMES[platform]} is read.`}>
          {since ? `The agent has not reached it since ${formatMoment(since)}.` : 'No agent is running.'} What was
          written meanwhile is read once it is back. See its log.
        </Alarm>
      ))}
      <div className={styles['figures']}>
        <Figure
          name="Posts"
          value={sum(({ posts }) => posts)}
          note="came in within 24 hours"
          bars={hours.map(({ posts }) => posts)}
        />
        <Figure
          name="Saves"
          value={sum(({ saves }) => saves)}
          note={`in 24 hours, ${failed} failed`}
          bars={hours.map(({ saves }) => saves)}
        />
        <Figure
          name="Reports open"
          value={reportsOpen}
          note={`${hiddenByReports.today} of ${hiddenByReports.atMost} posts hidden by reports in 24 hours`}
        />
        <Figure
          name="Payments in progress"
          value={payments.unsettled}
          note={`${formatCount(payments.credits)} ${payments.credits === 1 ? 'credit' : 'credits'} unused`}
          bars={hours.map((hour) => hour.payments)}
          barsOf="Payments"
        />
        <Figure
          name="Launches in progress"
          value={launches.unsettled}
          note={`${launches.today} launched in 24 hours`}
        />
        {key !== null && (
          <Figure
            name="Launch key"
            value={`${inSol(key.lamports)} SOL`}
            note={
              key.launchesLeft === null
                ? 'no launch yet to reckon by'
                : `about ${formatCount(key.launchesLeft)} launches left`
            }
            isBad={isKeyLow}
          />
        )}
        <Figure
          name="Index behind by"
          value={`${inSeconds(indexBehindMs)} s`}
          note={`alarm at ${inSeconds(BEHIND_MS)} s`}
          isBad={isIndexBehind}
        />
        <Figure
          name="Disk left"
          value={`${inGigabytes(disk.freeBytes)} GB`}
          note={`of ${inGigabytes(disk.totalBytes)} GB`}
          isBad={isDiskLow}
        />
      </div>
      <div className={styles['panels']}>
        <NotAtRest today={data} isAdmin={me.role === 'admin'} />
        {me.role === 'admin' && <LatestActs today={data} />}
      </div>
    </>
  );
}

function Alarm({ title, children }: { title: string; children: ReactNode }) {
  return (
    <p className={styles['alarm']}>
      <AlertIcon size={16} />
      <span>
        <b>{title}</b>
        {children}
      </span>
    </p>
  );
}

/** The balance of the launch key; null if launches are off, or until the answer comes. */
function useLaunchKey(isAsked: boolean): AnswerOf<'launchKey'> | null {
  const call = useAdminCall();
  const [key, setKey] = useState<AnswerOf<'launchKey'> | null>(null);
  useEffect(() => {
    if (isAsked) call('launchKey').then(setKey, () => setKey(null));
  }, [call, isAsked]);
  return key;
}

function isLow({ lamports, floorLamports, launchesLeft }: AnswerOf<'launchKey'>): boolean {
  return BigInt(lamports) < BigInt(floorLamports) || (launchesLeft !== null && launchesLeft < FEW_LAUNCHES);
}

function inSeconds(ms: number): string {
  return (ms / 1_000).toFixed(1).replace(/\.0$/, '');
}

function inGigabytes(bytes: number): string {
  const gigabytes = bytes / 1e9;
  return gigabytes < 10 ? gigabytes.toFixed(1) : formatCount(Math.round(gigabytes));
}

/** A fraction as a percentage in steps of 5. */
function inSteps(part: number): string {
  return `${Math.round(part * 20) * 5}%`;
}

interface FigureProps {
  name: string;
  value: number | string;
  note: string;
  /** Values by hour, oldest first. The last hour is not over. */
  bars?: readonly number[];
  /** The unit of the bars, if it differs from the figure's. */
  barsOf?: string;
  isBad?: boolean;
}

function Figure({ name, value, note, bars, barsOf = name, isBad = false }: FigureProps) {
  const most = Math.max(1, ...(bars ?? []));
  return (
    <section className={styles['figure']} aria-label={name} data-bad={isBad}>
      <h2>
        {isBad && <AlertIcon size={13} />}
        {name}
      </h2>
      <b>{typeof value === 'number' ? formatCount(value) : value}</b>
      <p>{note}</p>
      {bars && (
        <>
          <ol className={styles['bars']} aria-hidden="true">
            {bars.map((one, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place.
              <li key={at} style={{ height: inSteps(one / most) }} data-unfinished={at === bars.length - 1} />
            ))}
          </ol>
          <p className={styles['ends']} aria-hidden="true">
            <span>24 h ago</span>
            <span>now</span>
          </p>
          <div className="visually-hidden">
            <table>
              <caption>{barsOf} by the hour, oldest first</caption>
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
          </div>
        </>
      )}
    </section>
  );
}
