import { useCopy } from '../lib/use-copy.ts';
import styles from './copy-button.module.css';
import { CheckIcon, CopyIcon } from './icons.tsx';
import { showToast } from './toasts.tsx';

export function CopyButton({ text, label }: { text: string; label: string }) {
  const { copied, copy } = useCopy(text);
  async function press() {
    if (!(await copy())) showToast('error', 'Copying failed. Select the text and copy it by hand.');
  }
  return (
    <>
      <button
        type="button"
        className={styles['copy']}
        data-copied={copied}
        onClick={() => void press()}
        aria-label={label}
      >
        {copied ? <CheckIcon size={14} /> : <CopyIcon size={14} />}
      </button>
      <span role="status" className="visually-hidden">
        {copied ? 'Copied' : ''}
      </span>
    </>
  );
}
