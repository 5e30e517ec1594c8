import buttons from '../ui/button.module.css';
import { SunIcon } from '../ui/icons.tsx';
import { ThemeChoice } from '../ui/theme-choice.tsx';
import { useUnfold } from '../ui/use-unfold.ts';
import styles from './theme-control.module.css';

/** The sun in the bar; pressing it unfolds the choice. */
export function ThemeMenu() {
  const { isOpen, root, button } = useUnfold();
  return (
    <div className={styles['menu']} ref={root}>
      <button {...button} className={buttons['icon']} aria-label="Theme" title="Theme">
        <SunIcon />
      </button>
      <div id={button['aria-controls']} className={styles['panel']} hidden={!isOpen}>
        {isOpen && <ThemeChoice />}
      </div>
    </div>
  );
}
