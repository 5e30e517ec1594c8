import type { ReactNode } from 'react';
import styles from './blank-page.module.css';
import { Mark } from './mark.tsx';

interface BlankPageProps {
  title: string;
  text?: string;
  children?: ReactNode;
  /** A boxed, smaller form, in place of a list. */
  boxed?: boolean;
  /** A paler mark, for an empty list or a removed post. */
  pale?: boolean;
}

/** The logo, a heading, a sentence, and links to go on. */
export function BlankPage({ title, text, children, boxed = false, pale = boxed }: BlankPageProps) {
  const Title = boxed ? 'h2' : 'h1';
  return (
    <div className={styles['blank']} data-boxed={boxed}>
      <Mark size={boxed ? 96 : 100} pale={pale} />
      <Title className={styles['title']}>{title}</Title>
      {text !== undefined && <p className={styles['text']}>{text}</p>}
      {children !== undefined && <div className={styles['actions']}>{children}</div>}
    </div>
  );
}
