import { cutGraphemes } from '../lib/graphemes.ts';
import { highlightParts } from '../lib/highlight.ts';
import { scriptOf } from '../lib/text-width.ts';
import styles from './post-text.module.css';

interface PostTextProps {
  text: string;
  terms: readonly string[];
  /** In graphemes; without it the text stands whole. */
  limit?: number;
}

/** A post's text, cut between graphemes, with what was searched for marked. */
export function PostText({ text, terms, limit }: PostTextProps) {
  if (text === '') return <span className={styles['none']}>Without words</span>;
  const { text: shown, wasCut } = limit === undefined ? { text, wasCut: false } : cutGraphemes(text, limit);
  return (
    <>
      <Highlighted text={shown} terms={terms} />
      {wasCut && '…'}
    </>
  );
}

export function Highlighted({ text, terms }: { text: string; terms: readonly string[] }) {
  return highlightParts(text, terms).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no identity but their place.
    part.isMatch ? <mark key={index}>{part.text}</mark> : part.text,
  );
}

/** Direction and line height by the script of a text. */
export function writingProps(text: string): { dir: 'auto'; 'data-script': string } {
  return { dir: 'auto', 'data-script': scriptOf(text) };
}
