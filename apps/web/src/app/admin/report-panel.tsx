import { REASON_LENGTH, REPORT_WORDS_LENGTH, type ReportedPost } from '@archive/contracts';
import { useEffect, useRef, useState } from 'react';
import { shorten } from '../../lib/format.ts';
import { formatMoment } from '../../lib/format-moment.ts';
import buttons from '../../ui/button.module.css';
import { ageOf, DECISION_NAMES, REASON_NAMES, reportCount } from './report-names.ts';
import styles from './report-panel.module.css';
import type { Decision } from './use-report-queue.ts';

interface ReportPanelProps {
  item: ReportedPost;
  draft: Omit<Decision, 'act'>;
  isAdmin: boolean;
  isAnswering: boolean;
  onDraft: (draft: Omit<Decision, 'act'>) => void;
  /** Called with the shortcut key that does the same as the button. */
  onPress: (key: string) => void;
  onReopen: () => void;
}

/** The reports of a post, and the buttons to decide them. */
export function ReportPanel({ item, draft, isAdmin, isAnswering, onDraft, onPress, onReopen }: ReportPanelProps) {
  const answer = useRef<HTMLTextAreaElement>(null);
  const [areAllShown, setAreAllShown] = useState(false);
  useEffect(() => {
    if (isAnswering) answer.current?.focus();
  }, [isAnswering]);

  const { reason, reports, networks, counts, firstAt, decision, post } = item;
  const count = reportCount(item);
  const told = reports.filter(({ words, contact }) => words !== '' || contact !== '');
  const mute = count - told.length;
  const name = REASON_NAMES[reason];
  return (
    <section className={styles['panel']} aria-label="What was reported">
      <h2>{name.charAt(0).toUpperCase() + name.slice(1)}</h2>
      <p className={styles['summary']}>
        {count} {count === 1 ? 'report' : 'reports'} from {networks} {networks === 1 ? 'network' : 'networks'}, the
        first {ageOf(firstAt, Date.now())} ago
      </p>
      {Object.keys(counts).length > 1 && (
        <p className={styles['summary']}>
          {Object.entries(counts)
            .map(([one, often]) => `${REASON_NAMES[one as keyof typeof REASON_NAMES]} ${often}`)
            .join(', ')}
        </p>
      )}
      <ul className={styles['reports']}>
        {(areAllShown ? told : told.slice(0, 3)).map((report) => (
          <li key={report.name}>
            {report.words !== '' && <p dir="auto">{report.words}</p>}
            <small>
              Report {report.name}
              {report.reason !== reason && ` · ${REASON_NAMES[report.reason]}`}
              {report.contact !== '' && (
                <>
                  {' '}
                  · answer to <bdi>{report.contact}</bdi>
                </>
              )}
            </small>
          </li>
        ))}
      </ul>
      {!areAllShown && told.length > 3 && (
        <button type="button" className="word-link" onClick={() => setAreAllShown(true)}>
          {told.length - 3} more
        </button>
      )}
      {mute > 0 && (
        <p className={styles['summary']}>{told.length === 0 ? 'Without words' : `${mute} more, without words`}</p>
      )}
      {item.state === 'open' && decision !== null && (
        <p className={styles['summary']}>
          {DECISION_NAMES[decision.act]} before by {shorten(decision.by)}, {formatMoment(decision.at)}, and reported
          again
        </p>
      )}
      {item.state === 'done' && decision !== null ? decided(decision) : acts()}
    </section>
  );

  function decided({ act, by, at, reason: why, answer: said }: NonNullable<ReportedPost['decision']>) {
    return (
      <div className={styles['decided']}>
        <p>
          <b>{DECISION_NAMES[act]}</b> by {shorten(by)}, {formatMoment(at)}
        </p>
        {why !== null && <p dir="auto">{why}</p>}
        {said !== null && <p dir="auto">Answered: {said}</p>}
        {act !== 'remove' && item.postState !== 'removed' && (
          <button type="button" className={buttons['plain']} onClick={onReopen}>
            Open it again
          </button>
        )}
      </div>
    );
  }

  function acts() {
    return (
      <>
        <label className="field">
          <span>Reason, kept in the log</span>
          <textarea
            rows={3}
            dir="auto"
            maxLength={REASON_LENGTH}
            value={draft.reason}
            onChange={({ target }) => onDraft({ ...draft, reason: target.value })}
          />
        </label>
        <label className={styles['law']}>
          <input
            type="checkbox"
            checked={draft.law}
            onChange={({ target }) => onDraft({ ...draft, law: target.checked })}
          />
          Hide for legal reasons <kbd>l</kbd>
        </label>
        <div className={styles['acts']}>
          <button type="button" className={buttons['primary']} onClick={() => onPress('h')}>
            Hide <kbd>h</kbd>
          </button>
          <button type="button" className={buttons['plain']} onClick={() => onPress('d')}>
            Dismiss <kbd>d</kbd>
          </button>
          {isAdmin && (
            <button type="button" className={buttons['danger']} onClick={() => onPress('r')}>
              Remove… <kbd>r</kbd>
            </button>
          )}
        </div>
        <ul className={styles['more']}>
          {isAdmin && post !== null && post.media.length > 0 && (
            <li>
              <button type="button" onClick={() => onPress('p')}>
                <kbd>p</kbd>
                Block one picture for good…
              </button>
            </li>
          )}
          <li>
            {isAnswering ? (
              <label className="field">
                <span>The answer, for those who reported it</span>
                <textarea
                  ref={answer}
                  rows={3}
                  dir="auto"
                  maxLength={REPORT_WORDS_LENGTH}
                  value={draft.answer}
                  onChange={({ target }) => onDraft({ ...draft, answer: target.value })}
                />
              </label>
            ) : (
              <button type="button" onClick={() => onPress('a')}>
                <kbd>a</kbd>
                Write the answer
              </button>
            )}
          </li>
        </ul>
      </>
    );
  }
}
