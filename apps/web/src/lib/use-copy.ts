import { COPY_CONFIRMATION_MS } from '@archive/contracts';
import { useEffect, useState } from 'react';

/** Copies a text and says so for two seconds. */
export function useCopy(text: string): { copied: boolean; copy: () => Promise<boolean> } {
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
