import { ACTOR_KINDS, type AnswerOf, ENDPOINTS, type LogEntry, PRODUCT_SLUG } from '@archive/contracts';
import { Fragment, useCallback, useEffect, useState } from 'react';
import { formatCount, shorten } from '../../lib/format.ts';
import { formatClock, formatMoment } from '../../lib/format-moment.ts';
import buttons from '../../ui/button.module.css';
import { CopyButton } from '../../ui/copy-button.tsx';
import { AlertIcon, CheckIcon, DownloadIcon } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { walletState } from '../../wallet/wallet-store.ts';
import bars from './admin-bar.module.css';
import heads from './admin-head.module.css';
import tables from './admin-table.module.css';
import styles from './log-page.module.css';
import { useAdminCall } from './use-admin-call.ts';

const DAY_MS = 86_400_000;
const PERIODS = [
  ['Last 24 hours', 1],
  ['Last 7 days', 7],
  ['Last 30 days', 30],
  ['All that is kept', null],
] as const;
const TYPED_MS = 300;
const COLUMNS = ['At', 'Who', 'Act', 'On what', 'Before, after', 'Reason', 'Follows'];
/** Characters of a chain mark that are shown: enough to compare by eye. */
const MARK_SHOWN = 7;

interface Asked {
  words: string;
  actor: string;
  act: string;
  days: number | null;
}

type Entries = { data: LogEntry[]; next: string | null };

/** The log of operators' acts. */
export function LogPage() {
  const call = useAdminCall();
  const [asked, setAsked] = useState<Asked>({ words: '', actor: '', act: '', days: 7 });
  const [entries, setEntries] = useState<Entries | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const [acts, setActs] = useState<readonly string[]>([]);
  const [loads, setLoads] = useState(0);

  const load = useCallback(
    async (before: string | null, isWanted: () => boolean = () => true) => {
      if (before === null) setLoads((old) => old + 1);
      try {
        const query = queryOf(asked);
        const page = await call('listLog', { query: before === null ? query : { ...query, before } });
        if (!isWanted()) return;
        setEntries((old) => (before === null || !old ? page : { data: [...old.data, ...page.data], next: page.next }));
        setActs((old) => [...new Set([...old, ...page.data.map(({ act }) => act)])].toSorted());
        setHasFailed(false);
      } catch {
        if (isWanted()) setHasFailed(true);
      }
    },
    [call, asked],
  );
  useEffect(() => {
    let isLatest = true;
    const timer = setTimeout(() => void load(null, () => isLatest), TYPED_MS);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [load]);

  const change = (part: Partial<Asked>) => setAsked((old) => ({ ...old, ...part }));
  return (
    <>
      <header className={heads['head']}>
        <h1 data-page-title tabIndex={-1}>
          The log of acts
        </h1>
        <Whole loads={loads} />
      </header>
      <div className={bars['bar']}>
        <input
          id="search"
          type="search"
          aria-label="Search the log"
          placeholder="Search by post, wallet, key or words"
          value={asked.words}
          onChange={({ target }) => change({ words: target.value })}
        />
        <select aria-label="Who" value={asked.actor} onChange={({ target }) => change({ actor: target.value })}>
          <option value="">Every actor</option>
          {ACTOR_KINDS.map((kind) => (
            <option key={kind}>{kind}</option>
          ))}
        </select>
        <select aria-label="Which act" value={asked.act} onChange={({ target }) => change({ act: target.value })}>
          <option value="">Every act</option>
          {acts.map((act) => (
            <option key={act}>{act}</option>
          ))}
        </select>
        <select
          aria-label="Since when"
          value={asked.days ?? ''}
          onChange={({ target }) => change({ days: target.value === '' ? null : Number(target.value) })}
        >
          {PERIODS.map(([label, days]) => (
            <option key={label} value={days ?? ''}>
              {label}
            </option>
          ))}
        </select>
        <button type="button" className={buttons['plain']} onClick={() => void download(asked)}>
          <DownloadIcon size={15} />
          NDJSON
        </button>
      </div>
      {content()}
      <p className={heads['note']}>Nothing here is ever changed. Each entry holds the mark of the one before it.</p>
    </>
  );

  function content() {
    if (hasFailed) {
      return <Notice title="The log could not be loaded." detail="It is safe." onRetry={() => void load(null)} />;
    }
    if (entries === null) return <p role="status">Loading the log...</p>;
    return (
      <>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard. */}
        <section className={`${tables['frame']} ${styles['frame']}`} tabIndex={0} aria-label="Entries">
          <table>
            <thead className="wide-words">
              <tr>
                {COLUMNS.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {entries.data.map((entry, at) => (
                <Fragment key={entry.seq}>
                  {dayOf(entry) !== dayOf(entries.data[at - 1]) && (
                    <tr>
                      <th colSpan={COLUMNS.length} scope="colgroup">
                        {dayOf(entry)}
                      </th>
                    </tr>
                  )}
                  <Row entry={entry} />
                </Fragment>
              ))}
              {entries.data.length === 0 && (
                <tr>
                  <td colSpan={COLUMNS.length}>Nothing of that kind was done.</td>
                </tr>
              )}
            </tbody>
          </table>
        </section>
        {entries.next !== null && (
          <button type="button" className={buttons['plain']} onClick={() => void load(entries.next)}>
            Earlier entries
          </button>
        )}
      </>
    );
  }
}

/** Whether the whole chain of log entries verifies. The check runs again each time the log is reloaded. */
function Whole({ loads }: { loads: number }) {
  const call = useAdminCall();
  const [found, setFound] = useState<AnswerOf<'checkLog'> | 'failed' | null>(null);
  useEffect(() => {
    if (loads > 0) call('checkLog').then(setFound, () => setFound('failed'));
  }, [call, loads]);
  if (found === null) return <p className={heads['note']}>Looking whether it is whole...</p>;
  if (found === 'failed') return <p className={heads['note']}>Whether it is whole could not be looked at now.</p>;
  const { entries, faults, checkedAt } = found;
  const looked = `${formatCount(entries)} ${entries === 1 ? 'entry' : 'entries'}, looked at ${formatClock(checkedAt)}`;
  if (faults.length === 0) {
    return (
      <p className={styles['whole']}>
        <CheckIcon size={14} />
        Whole: {looked}
      </p>
    );
  }
  return (
    <div className={styles['broken']} role="alert">
      <p>
        <AlertIcon size={14} />
        Not whole: {looked}
      </p>
      <ul>
        {faults.map((fault) => (
          <li key={fault}>{fault}</li>
        ))}
      </ul>
      <p>Keep it as it is, and compare it with your last backup.</p>
    </div>
  );
}

/** `20 November 2026`, in UTC. */
function dayOf(entry: LogEntry | undefined): string {
  return entry ? (formatMoment(entry.at).split(',')[0] ?? '') : '';
}

function Row({ entry }: { entry: LogEntry }) {
  const { at, actor, act, subject, before, after, reason, previous } = entry;
  const states = (show?: (value: string) => string) =>
    [before, after]
      .filter((state) => state !== null)
      .map((state) => stateWords(state, show))
      .join(' → ');
  return (
    <tr>
      <td>
        <time dateTime={at}>{at.slice(11, 19)}</time>
      </td>
      <td title={actor.id ?? actor.kind}>{actor.id === null ? actor.kind : <code>{shorten(actor.id)}</code>}</td>
      <td>
        <b>{act}</b>
      </td>
      <td title={subject.id}>
        {subject.kind} <code>{shorten(subject.id)}</code>
      </td>
      <td className={styles['states']}>
        {states(shortId)}
        {states(shortId) !== states() && <CopyButton text={states()} label="Copy before and after" />}
      </td>
      <td dir="auto" className={styles['reason']}>
        {reason}
      </td>
      <td title={previous}>
        <code>{previous.slice(0, MARK_SHOWN)}</code>
      </td>
    </tr>
  );
}

/** Shortens addresses, signatures and hashes; leaves other values alone. */
function shortId(value: string): string {
  return value.length >= 32 && !/\W/.test(value) ? shorten(value) : value;
}

/** The values of a state as text. A single string is shown without its name. */
function stateWords(state: LogEntry['after'], show = (value: string) => value): string {
  if (state === null) return '';
  const told = Object.entries(state).filter(([, value]) => value !== null);
  return told
    .map(([name, value]) => {
      const words = typeof value === 'object' ? JSON.stringify(value) : show(String(value));
      return told.length === 1 && typeof value === 'string' ? words : `${inWords(name)} ${words}`;
    })
    .join(', ');
}

/** `decidedAt` as `decided at`. */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function queryOf({ words, actor, act, days }: Asked) {
  return {
    ...(words.trim() === '' ? {} : { words: words.trim() }),
    ...(actor === '' ? {} : { actor }),
    ...(act === '' ? {} : { act }),
    ...(days === null ? {} : { since: new Date(Date.now() - days * DAY_MS).toISOString() }),
  };
}

/** Downloads the filtered log as a file. It uses `fetch`, because a link cannot send the session token. */
async function download(asked: Asked): Promise<void> {
  const address = `${ENDPOINTS.exportLog.path}?${new URLSearchParams(queryOf(asked))}`;
  try {
    const answer = await fetch(address, { headers: { Authorization: `Bearer ${walletState().token ?? ''}` } });
    if (!answer.ok) throw new Error(answer.statusText);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await answer.blob());
    link.download = `${PRODUCT_SLUG}-log.ndjson`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  } catch {
    showToast('error', 'The file broke off. Nothing is lost; please try again.');
  }
}
