import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type TouchEvent,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
} from 'react';
import { withTimeout } from '../lib/with-timeout.ts';
import buttons from './button.module.css';
import { CloseIcon } from './icons.tsx';
import styles from './modal.module.css';
import { ToastHost } from './toasts.tsx';

interface ModalProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Above the heading, edge to edge. */
  band?: ReactNode;
  /** Stays in view below what scrolls. */
  foot?: ReactNode;
  /** A viewer fills the window. */
  kind?: 'dialog' | 'menu' | 'viewer';
  size?: 'narrow' | 'small' | 'regular' | 'medium';
  heading?: ReactNode;
  /** Beside the heading, before what closes. */
  tools?: ReactNode;
  onKeyDown?: (event: KeyboardEvent<HTMLDialogElement>) => void;
  onTouchStart?: (event: TouchEvent<HTMLDialogElement>) => void;
  onTouchEnd?: (event: TouchEvent<HTMLDialogElement>) => void;
  /** What has the focus afterwards, where it is there; else what had it before. */
  returnTo?: () => HTMLElement | null;
  /** Something is under way that closing would leave half done. */
  isHeld?: boolean;
  /** Closes of itself, as if its button had been pressed. */
  isDone?: boolean;
}

/** How long a fade may take before closing goes on without it: pages in the background do not animate. */
const FADE_LIMIT_MS = 400;

/** The second half of a double click may meet a dialog that has shrunk after the first. */
const DOUBLE_CLICK_MS = 500;

/** The browser's own dialog: it holds the focus, closes on Escape or beside it, and gives the focus back. */
export function Modal({
  title,
  onClose,
  children,
  band,
  foot,
  kind = 'dialog',
  size = 'medium',
  heading,
  tools,
  onKeyDown,
  onTouchStart,
  onTouchEnd,
  returnTo,
  isHeld = false,
  isDone = false,
}: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const headingRef = useRef<HTMLHeadingElement>(null);
  const titleId = useId();
  const pressedInsideAt = useRef(Number.NEGATIVE_INFINITY);
  const latest = useRef({ onClose, isHeld, returnTo });
  useEffect(() => {
    latest.current = { onClose, isHeld, returnTo };
  });

  /** Fades, then closes. */
  const close = useCallback(() => {
    const element = dialog.current;
    if (element === null || latest.current.isHeld || element.dataset['closing'] === 'true') return;
    element.dataset['closing'] = 'true';
    void fadeOf(element).then(() => latest.current.onClose());
  }, []);

  useEffect(() => {
    if (isDone) close();
  }, [isDone, close]);

  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    const opener = document.activeElement;
    const place = opener?.closest('article, tr');
    const root = document.documentElement;
    if (window.innerWidth > root.clientWidth) root.dataset['scrollbar'] = 'wide';
    element.showModal();
    // A dialog that asks for one thing begins in its field.
    (element.querySelector<HTMLElement>('[data-first]') ?? headingRef.current)?.focus();
    return () => {
      element.close();
      const wanted = latest.current.returnTo?.();
      if (wanted) {
        wanted.focus({ preventScroll: true });
        wanted.closest('article, tr')?.scrollIntoView({ block: 'nearest' });
        return;
      }
      // close() remembers the opener only where the browser saw it focused.
      if (opener instanceof HTMLElement) giveBackFocus(opener, place);
    };
  }, []);

  useEffect(() => {
    const element = dialog.current;
    const onCancel = (event: Event) => {
      event.preventDefault();
      close();
    };
    // A browser asked twice closes without asking back; a key that is taken never gets that far.
    const onEscape = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape' && latest.current.isHeld) event.preventDefault();
    };
    element?.addEventListener('cancel', onCancel);
    element?.addEventListener('keydown', onEscape);
    return () => {
      element?.removeEventListener('cancel', onCancel);
      element?.removeEventListener('keydown', onEscape);
    };
  }, [close]);

  function closeBeside(event: MouseEvent<HTMLDialogElement>) {
    const isBeside = event.target === dialog.current;
    if (!isBeside) pressedInsideAt.current = event.timeStamp;
    else if (event.timeStamp - pressedInsideAt.current > DOUBLE_CLICK_MS) close();
  }

  return (
    <dialog
      ref={dialog}
      className={styles['modal']}
      data-kind={kind}
      data-size={size}
      aria-labelledby={titleId}
      onClick={closeBeside}
      onKeyDown={onKeyDown}
      onTouchStart={onTouchStart}
      onTouchEnd={onTouchEnd}
    >
      <div className={styles['frame']}>
        {band}
        <div className={styles['scroll']}>
          <header className={styles['head']}>
            <h2 id={titleId} ref={headingRef} tabIndex={-1} className={styles['title']}>
              {heading ?? title}
            </h2>
            {tools}
            <button type="button" className={buttons['icon']} onClick={close} aria-label="Close" disabled={isHeld}>
              <CloseIcon />
            </button>
          </header>
          {children}
        </div>
        <ToastHost isInDialog />
        {foot !== undefined && <footer className={styles['foot']}>{foot}</footer>}
      </div>
    </dialog>
  );
}

/** To the opener; where what was done has put it away or switched it off, to what it belonged to. */
function giveBackFocus(opener: HTMLElement, place: Element | null | undefined): void {
  if (opener.isConnected) opener.focus({ preventScroll: true });
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    const post = place?.isConnected ? place.querySelector<HTMLElement>('[data-post-stop]') : null;
    // Of dialogs over each other, the browser lets the last one alone have the focus.
    const [heading] = [...document.querySelectorAll<HTMLElement>('dialog[open] h2')].reverse();
    const next = post ?? heading ?? document.querySelector<HTMLElement>('[data-page-title]');
    next?.focus({ preventScroll: true });
  });
}

async function fadeOf(element: HTMLElement): Promise<void> {
  const fades = element.getAnimations?.() ?? [];
  if (fades.length === 0) return;
  await withTimeout(Promise.allSettled(fades.map(({ finished }) => finished)), FADE_LIMIT_MS).catch(() => {});
}
