import { COPY_CONFIRMATION_MS } from '@archive/contracts';
import { useEffect, useState } from 'react';
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

/** Copies a text and says so for two seconds. */
function useCopy(text: string): { copied: boolean; copy: () => Promise<boolean> } {
  const [copiedAt, setCopiedAt] = useState(0);

  useEffect(() => {
    if (copiedAt === 0) return;
    const timer = setTimeout(() => setCopiedAt(0), COPY_CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [copiedAt]);

  async function copy(): Promise<boolean> {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      return false;
    }
    setCopiedAt(Date.now());
    return true;
  }

  return { copied: copiedAt !== 0, copy };
}
