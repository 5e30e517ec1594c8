import buttons from './button.module.css';
import { AlertIcon, CheckIcon, CloseIcon, WalletIcon } from './icons.tsx';
import styles from './toasts.module.css';

/** `missing`: not an error; the person must do something first. */
export type Tone = 'done' | 'missing' | 'error';

/** A button that provides what is missing. */
export interface Mend {
  label: string;
  act: () => void;
}

export interface Toast {
  id: number;
  tone: Tone;
  text: string;
  mend: Mend | undefined;
}

const ICONS = { done: CheckIcon, missing: WalletIcon, error: AlertIcon };

/** One toast. Its code loads with the first toast. */
export function ToastNote({ id, tone, text, mend, onClose }: Toast & { onClose: (id: number) => void }) {
  const Icon = ICONS[tone];
  return (
    <div className={styles['toast']} data-tone={tone}>
      <Icon />
      <p>{text}</p>
      {mend !== undefined && (
        <button
          type="button"
          className={`${buttons['plain']} ${styles['mend']}`}
          onClick={() => {
            onClose(id);
            mend.act();
          }}
        >
          {mend.label}
        </button>
      )}
      <button type="button" className={buttons['icon']} onClick={() => onClose(id)} aria-label="Close this message">
        <CloseIcon size={14} />
      </button>
    </div>
  );
}
