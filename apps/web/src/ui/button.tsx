import buttons from './button.module.css';

interface ButtonProps {
  look: 'primary' | 'plain' | 'ghost';
  label: string;
  onClick: () => void;
}

/** A button with a text only. */
export function Button({ look, label, onClick }: ButtonProps) {
  return (
    <button type="button" className={buttons[look]} onClick={onClick}>
      {label}
    </button>
  );
}
