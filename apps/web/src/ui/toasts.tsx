import { useEffect, useId, useSyncExternalStore } from 'react';
import { followers } from '../lib/followers.ts';
import { lazyPart } from './lazy-part.tsx';
import type { Mend, Toast, Tone } from './toast-note.tsx';
import styles from './toasts.module.css';

const ToastNote = lazyPart(() => import('./toast-note.tsx').then((part) => part.ToastNote));

const SHOWN_MS = 6000;

let toasts: readonly Toast[] = [];
let hosts: readonly string[] = [];
let nextId = 1;
const [subscribe, announce] = followers();

/**
 * Shows a sentence as a toast. An error stays until it is closed. A repeated sentence is shown once. Returns the
 * toast's id.
 */
export function showToast(tone: Tone, text: string, mend?: Mend): number {
  const toast = { id: nextId++, tone, text, mend };
  toasts = [...toasts.filter((other) => other.text !== text), toast].slice(-3);
  announce();
  if (tone !== 'error') setTimeout(() => closeToast(toast.id), SHOWN_MS);
  return toast.id;
}

export function closeToast(id: number): void {
  toasts = toasts.filter((toast) => toast.id !== id);
  announce();
}

export function closeAllToasts(): void {
  toasts = [];
  announce();
}

/**
 * The place of toasts. An open dialog makes everything outside it inert, so it renders its own host below its content,
 * where toasts cover nothing. Only the innermost host shows them.
 */
export function ToastHost({ isInDialog = false }: { isInDialog?: boolean }) {
  const id = useId();
  const shown = useSyncExternalStore(subscribe, () => toasts);
  const isInnermost = useSyncExternalStore(subscribe, () => hosts.at(-1) === id);

  useEffect(() => {
    hosts = [...hosts, id];
    announce();
    return () => {
      hosts = hosts.filter((host) => host !== id);
      announce();
    };
  }, [id]);

  const list = (role: 'status' | 'alert') => (
    <div role={role} className={styles['list']}>
      {isInnermost &&
        shown
          .filter(({ tone }) => (tone === 'error') === (role === 'alert'))
          .map((toast) => <ToastNote key={toast.id} {...toast} onClose={closeToast} />)}
    </div>
  );
  return (
    <div className={styles[isInDialog ? 'inside' : 'corner']}>
      {list('status')}
      {list('alert')}
    </div>
  );
}
