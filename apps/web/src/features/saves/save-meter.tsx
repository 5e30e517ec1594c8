import type { Save } from '@archive/contracts';
import { CheckIcon, CloseIcon } from '../../ui/icons.tsx';
import styles from './save-meter.module.css';
import { isOpen, SAVE_STEPS, saveSentence, stepStates } from './save-words.ts';

/** The progress of a request: four steps and a sentence. */
export function SaveMeter({ save }: { save: Save }) {
  const isTakenBack = save.reason === 'taken_back';
  const kind = isOpen(save) ? 'open' : isTakenBack ? 'taken back' : save.state === 'failed' ? 'failed' : 'done';
  return (
    <span className={styles['meter']}>
      <span className={styles['steps']} aria-hidden="true">
        {stepStates(save).map((state, at) => (
          <i key={SAVE_STEPS[at]?.state} data-state={isTakenBack ? 'coming' : state} />
        ))}
      </span>
      <span className={styles['sentence']} data-kind={kind}>
        {kind === 'open' && <i />}
        {kind === 'done' && <CheckIcon size={14} />}
        {kind === 'failed' && <CloseIcon size={12} />}
        {saveSentence(save)}
      </span>
    </span>
  );
}
