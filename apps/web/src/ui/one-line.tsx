import styles from './one-line.module.css';

/** Characters at the end of the text that stay visible when its middle is cut. */
const END_LENGTH = 8;
/** Characters: a shorter text fits everywhere. */
const SHORT = 24;

/** An id, address or signature on one line, cut in the middle if there is no room. Copying it copies all of it. */
export function OneLine({ text }: { text: string }) {
  const endAt = text.length > SHORT ? text.length - END_LENGTH : 0;
  return (
    <span className={styles['line']} title={endAt === 0 ? undefined : text}>
      {endAt > 0 && <span className={styles['start']}>{text.slice(0, endAt)}</span>}
      <span>{text.slice(endAt)}</span>
    </span>
  );
}
