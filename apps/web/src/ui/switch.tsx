import { type ReactNode, useState } from 'react';
import styles from './switch.module.css';

interface SwitchProps {
  isOn: boolean;
  isDisabled?: boolean;
  /** Called at once. The switch keeps its new position until the promise settles. */
  onTurn: (next: boolean) => Promise<void>;
  className: string | undefined;
  children: ReactNode;
}

/** A line with a switch at its end. */
export function Switch({ isOn, isDisabled = false, onTurn, className, children }: SwitchProps) {
  const [wanted, setWanted] = useState<boolean | null>(null);

  async function turn(next: boolean) {
    if (wanted !== null) return;
    setWanted(next);
    await onTurn(next);
    setWanted(null);
  }

  return (
    <label className={className}>
      {children}
      <input
        type="checkbox"
        className={styles['switch']}
        checked={wanted ?? isOn}
        disabled={isDisabled}
        onChange={({ target }) => void turn(target.checked)}
      />
    </label>
  );
}
