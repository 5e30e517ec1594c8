import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { applyTheme, storedTheme, storeTheme, THEMES, type Theme } from '../lib/theme.ts';
import buttons from '../ui/button.module.css';
import { SunIcon } from '../ui/icons.tsx';
import styles from './theme-control.module.css';

const LABELS: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' };

let current: Theme | undefined;
const listeners = new Set<() => void>();

function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => {
      current ??= storedTheme();
      return current;
    },
  );
  return [theme, chooseTheme];
}

function chooseTheme(theme: Theme): void {
  current = theme;
  storeTheme(theme);
  applyTheme(theme);
  for (const listener of listeners) listener();
}

export function ThemeChoice() {
  const [theme, choose] = useTheme();
  const name = useId();
  return (
    <fieldset className={styles['choice']}>
      <legend className="visually-hidden">Theme</legend>
      {THEMES.map((option) => (
        <label key={option}>
          <input type="radio" name={name} checked={theme === option} onChange={() => choose(option)} />
          <span>{LABELS[option]}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The sun in the bar; pressing it unfolds the choice. */
export function ThemeMenu() {
  const [isOpen, setIsOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panelId = useId();

  useEffect(() => {
    if (!isOpen) return;
    function onPointerDown(event: PointerEvent) {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setIsOpen(false);
    }
    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== 'Escape') return;
      setIsOpen(false);
      button.current?.focus();
    }
    document.addEventListener('pointerdown', onPointerDown);
    document.addEventListener('keydown', onKeyDown);
    return () => {
      document.removeEventListener('pointerdown', onPointerDown);
      document.removeEventListener('keydown', onKeyDown);
    };
  }, [isOpen]);

  return (
    <div className={styles['menu']} ref={root}>
      <button
        ref={button}
        type="button"
        className={buttons['icon']}
        aria-label="Theme"
        title="Theme"
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={() => setIsOpen(!isOpen)}
      >
        <SunIcon />
      </button>
      <div id={panelId} className={styles['panel']} hidden={!isOpen}>
        {isOpen && <ThemeChoice />}
      </div>
    </div>
  );
}
