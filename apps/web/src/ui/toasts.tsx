import { useEffect, useId, useSyncExternalStore } from 'react';
import { followers } from '../lib/followers.ts';
import buttons from './button.module.css';
import { AlertIcon, CheckIcon, CloseIcon } from './icons.tsx';
import styles from './toasts.module.css';

type Tone = 'done' | 'error';

interface Toast {
  id: number;
  tone: Tone;
  text: string;
}

const DONE_MS = 6000;

let toasts: readonly Toast[] = [];
let hosts: readonly string[] = [];
let nextId = 1;
const [subscribe, announce] = followers();

/** Says one sentence in the corner. An error stays until it is closed; the same sentence stands there once. */
export function showToast(tone: Tone, text: string): void {
  const toast = { id: nextId++, tone, text };
  toasts = [...toasts.filter((other) => other.text !== text), toast].slice(-3);
  announce();
  if (tone === 'done') setTimeout(() => closeToast(toast.id), DONE_MS);
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
 * Where toasts appear. An open dialog makes everything outside it unreachable, so it brings a host of its own, and
 * only the innermost host shows them.
 */
export function ToastHost() {
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

  const list = (role: 'status' | 'alert', wanted: Tone) => (
    <div role={role} className={styles['list']}>
      {isInnermost && shown.filter(({ tone }) => tone === wanted).map(draw)}
    </div>
  );
  return (
    <div className={styles['corner']}>
      {list('status', 'done')}
      {list('alert', 'error')}
    </div>
  );
}

function draw({ id, tone, text }: Toast) {
  return (
    <div key={id} className={styles['toast']} data-tone={tone}>
      {tone === 'done' ? <CheckIcon /> : <AlertIcon />}
      <p>{text}</p>
      <button type="button" className={buttons['icon']} onClick={() => closeToast(id)} aria-label="Close this message">
        <CloseIcon size={14} />
      </button>
    </div>
  );
}
