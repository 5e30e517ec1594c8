import styles from './copy-button.module.css';
import { CheckIcon, CopyIcon } from './icons.tsx';
import { useCopy } from './use-copy.ts';

/** Copies a text and confirms it for two seconds. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { isCopied, copy } = useCopy(text);
  return (
    <>
      <button
        type="button"
        className={styles['copy']}
        data-copied={isCopied}
        onClick={() => void copy()}
        aria-label={label}
      >
        {isCopied ? <CheckIcon size={14} /> : <CopyIcon size={14} />}
      </button>
      <span role="status" className="visually-hidden">
        {isCopied ? 'Copied' : ''}
      </span>
    </>
  );
}
