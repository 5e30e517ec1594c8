import type { Switch, SwitchName } from '@archive/contracts';
import { useCallback, useEffect, useState } from 'react';
import { shorten } from '../../lib/format.ts';
import { formatMoment } from '../../lib/format-moment.ts';
import buttons from '../../ui/button.module.css';
import { type Act, useActs } from './act-dialog.tsx';
import styles from './stop-note.module.css';
import { useAdminCall } from './use-admin-call.ts';

const WORDS: Record<SwitchName, { stopped: string; open: string; stops: string }> = {
  launching: {
    stopped: 'Launching is stopped.',
    open: 'Launching is open.',
    stops: 'Nobody can launch from now on. What is under way goes on to its end.',
  },
  featuring: {
    stopped: 'Featuring is stopped.',
    open: 'Featuring is open.',
    stops: 'Nobody can pay from now on. What is sent after this becomes a credit that says so.',
  },
};

/** Whether a function is stopped for all users, and the button that stops or resumes it. */
export function StopNote({ name }: { name: SwitchName }) {
  const call = useAdminCall();
  const [known, setKnown] = useState<Switch | null>(null);
  const load = useCallback(() => {
    const read = async () => setKnown((await call('listSwitches')).data.find((one) => one.name === name) ?? null);
    read().catch(() => setKnown(null));
  }, [call, name]);
  useEffect(load, [load]);
  const { ask, dialog } = useActs(load);
  if (known === null) return null;

  const { isStopped, by, reason, changedAt } = known;
  const words = WORDS[name];
  const act: Act = {
    title: isStopped ? `Open ${name} again?` : `Stop ${name} now?`,
    text: isStopped ? 'It holds in every process at once.' : words.stops,
    label: isStopped ? `Open ${name}` : `Stop ${name}`,
    isFinal: !isStopped,
    run: async (given) => {
      await call('setSwitch', { params: { switch: name }, body: { isStopped: !isStopped, reason: given.reason } });
      return isStopped ? words.open : words.stopped;
    },
  };
  return (
    <>
      <div className={styles['note']} data-stopped={isStopped}>
        <p role="status">
          <b>{isStopped ? words.stopped : words.open}</b>
          {changedAt !== null && (
            <span>
              {' '}
              By {shorten(by ?? '')}, {formatMoment(changedAt)}
              {reason !== null && (
                <>
                  {': '}
                  <bdi>{reason}</bdi>
                </>
              )}
            </span>
          )}
        </p>
        <button type="button" className={isStopped ? buttons['primary'] : buttons['danger']} onClick={() => ask(act)}>
          {act.label}
        </button>
      </div>
      {dialog}
    </>
  );
}
