import type { PostLink } from '@archive/contracts';
import type { ReactNode } from 'react';
import { highlightParts } from '../../lib/highlight.ts';
import { Link } from '../../ui/link.tsx';
import { Highlighted } from '../../ui/post-text.tsx';
import type { Excerpt } from './excerpt.ts';
import { isShortened, placeOf, shownPlace, type TextLink, textLinks } from './text-links.ts';

interface LinkedTextProps {
  text: string;
  links: readonly PostLink[];
  /** Highlighted in the text and in its links. */
  terms?: readonly string[];
  /** The part to show; without it, the whole text. */
  part?: Excerpt;
}

/** A post's text with links: addresses, handles (to the author's page here) and hashtags (to a search). */
export function LinkedText({ text, links, terms = [], part = { from: 0, to: text.length } }: LinkedTextProps) {
  const pieces: ReactNode[] = [];
  let done = part.from;
  const mark = marker(text, part, terms);
  for (const link of textLinks(text, links)) {
    const start = Math.max(link.start, part.from);
    const end = Math.min(link.end, part.to);
    if (start >= end) continue;
    const isWhole = start === link.start && end === link.end;
    pieces.push(
      ...mark(done, start),
      link.kind === 'link' ? (
        <OutLink key={link.start} link={link} words={text.slice(start, end)} isWhole={isWhole} terms={terms}>
          {mark(start, end)}
        </OutLink>
      ) : (
        <Link key={link.start} href={link.href} className="text-link">
          {mark(start, end)}
        </Link>
      ),
    );
    done = end;
  }
  return (
    <>
      {part.from > 0 && '…'}
      {pieces}
      {mark(done, part.to)}
      {part.to < text.length && '…'}
    </>
  );
}

interface OutLinkProps {
  link: TextLink;
  words: string;
  isWhole: boolean;
  terms: readonly string[];
  children: ReactNode;
}

function OutLink({ link: { href }, words, isWhole, terms, children }: OutLinkProps) {
  const [host = ''] = placeOf(href).split(/[/?#]/, 1);
  const isShort = isWhole && isShortened(words);
  const isNamed = isShort || !isWhole || words.toLowerCase().includes(host);
  return (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer" className="text-link" title={href}>
        {isShort ? <Highlighted text={shownPlace(href)} terms={terms} /> : children}
      </a>
      {!isNamed && <bdi className="link-host"> ({host})</bdi>}
    </>
  );
}

/** Returns a function that renders a range of the text with its highlights. A match may extend past the range. */
function marker(text: string, part: Excerpt, terms: readonly string[]) {
  let at = part.from;
  const marks = highlightParts(text.slice(part.from, part.to), terms).flatMap(({ text: words, isMatch }) => {
    const range = { from: at, to: at + words.length };
    at = range.to;
    return isMatch ? [range] : [];
  });
  return (from: number, to: number): ReactNode[] => {
    const pieces: ReactNode[] = [];
    let done = from;
    for (const mark of marks) {
      const start = Math.max(mark.from, done);
      const end = Math.min(mark.to, to);
      if (start >= end) continue;
      if (start > done) pieces.push(text.slice(done, start));
      pieces.push(<mark key={start}>{text.slice(start, end)}</mark>);
      done = end;
    }
    if (done < to) pieces.push(text.slice(done, to));
    return pieces;
  };
}
