import buttons from '../ui/button.module.css';
import { SunIcon } from '../ui/icons.tsx';
import { ThemeChoice } from '../ui/theme-choice.tsx';
import { useUnfold } from '../ui/use-unfold.ts';

/** The theme button of the bar; it opens the choice of themes. */
export function ThemeMenu() {
  const { isOpen, root, button } = useUnfold();
  return (
    <div className="unfolds" ref={root}>
      <button {...button} className={buttons['icon']} aria-label="Theme" title="Theme">
        <SunIcon />
      </button>
      <div id={button['aria-controls']} className="unfolded" hidden={!isOpen}>
        {isOpen && <ThemeChoice />}
      </div>
    </div>
  );
}
