import type { PostLink } from '@archive/contracts';
import type { ReactNode } from 'react';
import { safeLink } from '../../lib/safe-links.ts';

/** A post's text whole, with the links that stand in its words. */
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
        {points.slice(start, end).join('')}
      </a>,
    );
    done = end;
  }
  return [...parts, points.slice(done).join('')];
}
