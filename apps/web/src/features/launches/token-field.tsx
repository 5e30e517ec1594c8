import { type ComponentProps, useId } from 'react';
import styles from './launch-form.module.css';

interface TokenFieldProps extends ComponentProps<'input'> {
  label: string;
  help: string;
  /** Shown instead of the help text. */
  problem: string | null;
  isWrong: boolean;
  /** The length in the units of a token. */
  length: number;
  limit: number;
}

/** A field with its help text and its counter below. */
export function TokenField({ label, help, problem, isWrong, length, limit, ...input }: TokenFieldProps) {
  const id = useId();
  return (
    <label className={styles['field']} data-problem={isWrong}>
      <span id={`${id}-label`}>{label}</span>
      <input
        type="text"
        autoComplete="off"
        spellCheck={false}
        // Names the field by its label's text only: the whole label contains the help, which is read as the
        // description.
        aria-labelledby={`${id}-label`}
        aria-invalid={isWrong}
        aria-describedby={`${id}-help`}
        {...input}
      />
      <span id={`${id}-help`} className={styles['help']}>
        {problem === null ? <span data-hint="long">{help}</span> : <span role="alert">{problem}</span>}{' '}
        <span data-over={length > limit}>
          {length} / {limit}
        </span>
      </span>
    </label>
  );
}
