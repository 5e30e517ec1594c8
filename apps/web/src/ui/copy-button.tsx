import { COPY_CONFIRMATION_MS } from '@archive/contracts';
import { useEffect, useState } from 'react';
import styles from './copy-button.module.css';
import { CheckIcon, CopyIcon } from './icons.tsx';
import { showToast } from './toasts.tsx';

/** Copies a text and says so for two seconds. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copiedAt, setCopiedAt] = useState(0);
  const copied = copiedAt !== 0;

  useEffect(() => {
    if (copiedAt === 0) return;
    const timer = setTimeout(() => setCopiedAt(0), COPY_CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [copiedAt]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setCopiedAt(Date.now());
    } catch {
      showToast('error', 'Copying failed. Select the text and copy it by hand.');
    }
  }

  return (
    <>
      <button
        type="button"
        className={styles['copy']}
        data-copied={copied}
        onClick={() => void copy()}
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
