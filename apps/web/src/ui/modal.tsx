import { type MouseEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';
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
  kind?: 'dialog' | 'menu';
  size?: 'small' | 'medium';
  heading?: ReactNode;
}

/** The browser's own dialog: it holds the focus, closes on Escape or beside it, and gives the focus back. */
export function Modal({ title, onClose, children, band, foot, kind = 'dialog', size = 'medium', heading }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const headingRef = useRef<HTMLHeadingElement>(null);
  const titleId = useId();
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });

  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    const opener = document.activeElement;
    const root = document.documentElement;
    if (window.innerWidth > root.clientWidth) root.dataset['scrollbar'] = 'wide';
    element.showModal();
    headingRef.current?.focus();
    return () => {
      element.close();
      // close() remembers the opener only where the browser saw it focused.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
    };
  }, []);

  useEffect(() => {
    const element = dialog.current;
    const onCancel = (event: Event) => {
      event.preventDefault();
      close.current();
    };
    element?.addEventListener('cancel', onCancel);
    return () => element?.removeEventListener('cancel', onCancel);
  }, []);

  function closeBeside(event: MouseEvent<HTMLDialogElement>) {
    if (event.target === dialog.current) close.current();
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does what a click beside the dialog does.
    <dialog
      ref={dialog}
      className={styles['modal']}
      data-kind={kind}
      data-size={size}
      aria-labelledby={titleId}
      onClick={closeBeside}
    >
      <div className={styles['frame']}>
        {band}
        <div className={styles['scroll']}>
          <header className={styles['head']}>
            <h2 id={titleId} ref={headingRef} tabIndex={-1} className={styles['title']}>
              {heading ?? title}
            </h2>
            <button type="button" className={buttons['icon']} onClick={() => close.current()} aria-label="Close">
              <CloseIcon />
            </button>
          </header>
          {children}
        </div>
        {foot !== undefined && <footer className={styles['foot']}>{foot}</footer>}
      </div>
      <ToastHost />
    </dialog>
  );
}
