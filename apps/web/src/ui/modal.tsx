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
  /** Above the heading, without margins. */
  band?: ReactNode;
  /** Below the scrolling content, always visible. */
  foot?: ReactNode;
  /** A `viewer` fills the window. */
  kind?: 'dialog' | 'menu' | 'viewer';
  size?: 'narrow' | 'small' | 'regular' | 'medium';
  heading?: ReactNode;
  /** Beside the heading, before the close button. */
  tools?: ReactNode;
  onKeyDown?: (event: KeyboardEvent<HTMLDialogElement>) => void;
  onTouchStart?: (event: TouchEvent<HTMLDialogElement>) => void;
  onTouchEnd?: (event: TouchEvent<HTMLDialogElement>) => void;
  /** The element that gets the focus after closing; if it returns null, the earlier one does. */
  returnTo?: () => HTMLElement | null;
  /** Blocks closing while an action is unfinished. */
  isHeld?: boolean;
  /** Closes the dialog, as its button would. */
  isDone?: boolean;
}

/** Milliseconds that a fade may take. After them the dialog closes anyway, because background pages do not animate. */
const FADE_LIMIT_MS = 400;

/**
 * Milliseconds within which a second click beside a dialog is ignored: the dialog may have shrunk under a double click.
 */
const DOUBLE_CLICK_MS = 500;

/**
 * The browser's own modal dialog: it traps the focus, closes on Escape or on a press beside it, and restores the focus.
 */
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

  /** Closes after the fade. */
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
    // A dialog with one main field starts in it.
    (element.querySelector<HTMLElement>('[data-first]') ?? headingRef.current)?.focus();
    return () => {
      element.close();
      const wanted = latest.current.returnTo?.();
      if (wanted) {
        wanted.focus({ preventScroll: true });
        wanted.closest('article, tr')?.scrollIntoView({ block: 'nearest' });
        return;
      }
      // close() restores the focus only if the browser saw the opener focused.
      if (opener instanceof HTMLElement) giveBackFocus(opener, place);
    };
  }, []);

  useEffect(() => {
    const element = dialog.current;
    const onCancel = (event: Event) => {
      event.preventDefault();
      close();
    };
    // On a second Escape the browser closes the dialog without a cancelable event. Preventing the key avoids that.
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

/** Moves the focus to the opener. If the opener is gone or disabled, moves it to the element that contained it. */
function giveBackFocus(opener: HTMLElement, place: Element | null | undefined): void {
  if (opener.isConnected) opener.focus({ preventScroll: true });
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    const post = place?.isConnected ? place.querySelector<HTMLElement>('[data-post-stop]') : null;
    // Of stacked dialogs, only the last one can have the focus.
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
