import type { PostLink } from '@archive/contracts';
import { authorHref } from '../../lib/routes.ts';
import { safeLink } from '../../lib/safe-links.ts';

/** A link in a post's text; `start` and `end` count UTF-16 units. */
export interface TextLink {
  kind: 'link' | 'mention' | 'hashtag';
  start: number;
  end: number;
  href: string;
}

/** Addresses, handles and hashtags in a text, but not inside another word, an address, or a mail address. */
const FOUND =
  /[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s<>"“”]+|(?<![\p{L}\p{N}\p{M}_@#./&-])(?:@[\w-]+(?:\.[\w-]+)*|[#＃][\p{L}\p{N}\p{M}_]+)/gu;
const CLOSING = ".,;:!?'’)]}*…";

/** All links of a text, in order and without overlaps. Links that came with the post take precedence. */
export function textLinks(text: string, links: readonly PostLink[]): TextLink[] {
  const kept = keptLinks(text, links);
  const found = Array.from(text.matchAll(FOUND), ({ 0: words, index }) => foundLink(words, index));
  const free = found.filter((link) => link !== null && !kept.some((other) => isOver(link, other))) as TextLink[];
  return [...kept, ...free].toSorted((one, other) => one.start - other.start);
}

function keptLinks(text: string, links: readonly PostLink[]): TextLink[] {
  const within = links.filter(({ start, end }) => start < end);
  if (within.length === 0) return [];
  // Converts stored offsets in code points to UTF-16 units.
  const units = [0];
  for (const point of text) units.push((units.at(-1) ?? 0) + point.length);
  const kept: TextLink[] = [];
  for (const link of within.toSorted((one, other) => one.start - other.start)) {
    const href = safeLink(link.url);
    const start = units[link.start];
    const end = units[link.end];
    if (href === null || start === undefined || end === undefined || start < (kept.at(-1)?.end ?? 0)) continue;
    kept.push({ kind: 'link', start, end, href });
  }
  return kept;
}

function foundLink(words: string, start: number): TextLink | null {
  if (words.startsWith('@'))
    return { kind: 'mention', start, end: start + words.length, href: authorHref(words.slice(1)) };
  if (/^[#＃]/.test(words)) {
    // "#1" is a number, not a hashtag.
    if (!/\p{L}/u.test(words)) return null;
    return { kind: 'hashtag', start, end: start + words.length, href: `/?search=${encodeURIComponent(words)}` };
  }
  const address = withoutClosing(words);
  const href = safeLink(address);
  return href === null ? null : { kind: 'link', start, end: start + address.length, href };
}

/** Removes the punctuation after an address. A closing bracket stays if the address contains its opening one. */
function withoutClosing(words: string): string {
  let end = words.length;
  while (end > 0 && CLOSING.includes(words[end - 1] ?? '')) {
    if (words[end - 1] === ')' && words.slice(0, end).includes('(')) break;
    end -= 1;
  }
  return words.slice(0, end);
}

function isOver(one: TextLink, other: TextLink): boolean {
  return one.start < other.end && other.start < one.end;
}

/** Whether a link's text is the platform's shortened form, such as a cut address. Its target is shown instead. */
export function isShortened(words: string): boolean {
  return /^https?:\/\/t\.co\/\w+$/.test(words) || /(?:…|\.\.\.)$/.test(words);
}

/** An address without its protocol, `www.` and a final slash. */
export function placeOf(href: string): string {
  return href.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '');
}

const PLACE_LENGTH = 40;

export function shownPlace(href: string): string {
  const place = placeOf(href);
  return place.length > PLACE_LENGTH ? `${place.slice(0, PLACE_LENGTH)}…` : place;
}

/** The text of a post for places where links cannot be pressed. */
export function plainWords({ content, links }: { content: string; links: readonly PostLink[] }): string {
  let words = content;
  for (const { kind, start, end, href } of textLinks(content, links).toReversed())
    if (kind === 'link' && isShortened(content.slice(start, end)))
      words = words.slice(0, start) + shownPlace(href) + words.slice(end);
  return words;
}
