import type { PostLink } from '@archive/contracts';
import type { ReactNode } from 'react';
import { safeLink } from '../../lib/safe-links.ts';

/** A post's text whole, with the links that stand in its words; X's own short ones say where they lead. */
export function LinkedText({ text, links }: { text: string; links: readonly PostLink[] }) {
  const within = links.filter(({ start, end }) => start < end).toSorted((one, other) => one.start - other.start);
  if (within.length === 0) return text;
  const points = Array.from(text);
  const parts: ReactNode[] = [];
  let done = 0;
  for (const { start, end, url } of within) {
    const address = safeLink(url);
    if (address === null || start < done || end > points.length) continue;
    parts.push(
      points.slice(done, start).join(''),
      <a key={start} href={address} target="_blank" rel="noopener noreferrer" className="text-link">
        {shownAs(points.slice(start, end).join(''), address)}
      </a>,
    );
    done = end;
  }
  return [...parts, points.slice(done).join('')];
}

const SHOWN_LENGTH = 40;

/** X puts an address of its own in place of every link: what is shown is where it leads. */
function shownAs(words: string, address: string): string {
  if (!/^https?:\/\/t\.co\/\w+$/.test(words)) return words;
  const place = address.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '');
  return place.length > SHOWN_LENGTH ? `${place.slice(0, SHOWN_LENGTH)}…` : place;
}
