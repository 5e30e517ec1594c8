import { cutGraphemes } from '../lib/graphemes.ts';
import { highlightParts } from '../lib/highlight.ts';
import { scriptOf } from '../lib/text-width.ts';
import styles from './post-text.module.css';

interface PostTextProps {
  text: string;
  terms: readonly string[];
  /** Graphemes; without it the whole text is shown. */
  limit?: number;
}

/** A post's text, cut between graphemes, with highlighted search terms. */
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

/** Attributes for the direction and the line height of a text, by its script. */
export function writingProps(text: string): { dir: 'auto'; 'data-script': string } {
  return { dir: 'auto', 'data-script': scriptOf(text) };
}
