import { THEMES, type Theme } from '@archive/contracts';
import { useId } from 'react';
import { useTheme } from '../lib/use-theme.ts';
import segments from './segments.module.css';
import styles from './theme-choice.module.css';

const LABELS: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' };

export function ThemeChoice() {
  const [theme, choose] = useTheme();
  const name = useId();
  return (
    <fieldset className={`${segments['segments']} ${styles['choice']}`}>
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
