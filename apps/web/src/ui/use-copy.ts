import { COPY_CONFIRMATION_MS } from '@archive/contracts';
import { useEffect, useState } from 'react';
import { showToast } from './toasts.tsx';

/** A function that copies a text, and `isCopied` for two seconds after it. */
export function useCopy(text: string): { isCopied: boolean; copy: () => Promise<void> } {
  const [copiedAt, setCopiedAt] = useState(0);

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
  return { isCopied: copiedAt !== 0, copy };
}
