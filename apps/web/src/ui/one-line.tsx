import styles from './one-line.module.css';

/** Of what is too long for its line the middle goes; so much of its end stays. */
const END_LENGTH = 8;
/** In letters: what is shorter has room everywhere. */
const SHORT = 24;

/** An id, address or signature on one line, its middle left out where there is no room; copied, it is whole. */
export function OneLine({ text }: { text: string }) {
  const endAt = text.length > SHORT ? text.length - END_LENGTH : 0;
  return (
    <span className={styles['line']} title={endAt === 0 ? undefined : text}>
      {endAt > 0 && <span className={styles['start']}>{text.slice(0, endAt)}</span>}
      <span>{text.slice(endAt)}</span>
    </span>
  );
}
