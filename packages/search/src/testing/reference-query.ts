import { asksHandle, fold, holds, holdsPart } from './reference-text.ts';

/** The facts of a post that the search language can test. */
export interface Facts {
  content: string;
  author: string;
  handle: string;
  category: string | null;
  /** Milliseconds since 1970. */
  at: number;
  savedAt: number;
  platform: string;
  language: string | null;
  image: boolean;
  video: boolean;
  link: boolean;
  quote: boolean;
  thread: boolean;
  featured: boolean;
  launched: boolean;
  deleted: boolean;
  reactions: number;
}

const CATEGORIES = ['casual', 'crypto', 'market', 'meme', 'news', 'other', 'political', 'tech', 'troll'];
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]/g;
const WORDS = /(-(?=\S))?(?:"([^"]*)(?:"|$)|“([^”“]*)(?:[”“]|$)|([A-Za-z]{2,20}:"[^"]*(?:"|$)\S*|\S+))/g;

/** Returns a test whether a post matches the words. It shares no code with the product. */
export function queryTest(words: string, now: number): (post: Facts) => boolean {
  const first = Array.from(words).slice(0, 1_000).join('').replace(UNSEEN, ' ');
  const tokens = [...first.matchAll(WORDS)]
    .map(([whole, dash, quoted, typographic, plain]) => {
      const phrase = quoted ?? typographic;
      return { isOr: whole === 'OR', not: dash === '-', phrase: phrase?.trim(), plain };
    })
    .filter(({ phrase }) => phrase !== '');
  const groups: ((post: Facts) => boolean)[][] = [];
  let isJoined = false;
  let terms = 0;
  tokens.forEach(({ isOr, not, phrase, plain = '' }, at) => {
    const [before, after] = [tokens[at - 1], tokens[at + 1]];
    if (isOr && before && !before.isOr && after && !after.isOr) {
      isJoined = true;
      return;
    }
    if (++terms > 64) return;
    const passes = (post: Facts) =>
      (phrase === undefined ? passesPlain(post, plain, now) : holdsAny(post, phrase)) !== not;
    if (isJoined) groups.at(-1)?.push(passes);
    else groups.push([passes]);
    isJoined = false;
  });
  return (post) => groups.every((group) => group.some((passes) => passes(post)));
}

function holdsAny(post: Facts, text: string): boolean {
  if (asksHandle(text)) return holdsPart(post.handle, text) || holds(post.content, text);
  return [post.content, post.author, post.handle].some((one) => holds(one, text));
}

function passesPlain(post: Facts, text: string, now: number): boolean {
  const colon = text.indexOf(':');
  const name = text.slice(0, Math.max(0, colon)).toLowerCase();
  const written = text.slice(colon + 1);
  const value = /^"[^"]*"?$/.test(written) ? written.replaceAll('"', '').trim() : written;
  return passesOperator(post, name, value, now) ?? holdsAny(post, text);
}

/** Undefined if there is no such operator, or if the value is not valid for it. */
function passesOperator(post: Facts, name: string, value: string, now: number): boolean | undefined {
  const small = value.toLowerCase();
  const day = () => new Date(post.at).toISOString().slice(0, 10);
  switch (name) {
    case 'from': {
      const handle = value.replace(/^@/, '');
      return handle === '' ? undefined : fold(post.handle) === fold(handle);
    }
    case 'since':
      return isTime(value) ? day().slice(0, value.length) >= value : undefined;
    case 'until':
      return isTime(value) ? day().slice(0, value.length) <= value : undefined;
    case 'category':
      return CATEGORIES.includes(small) ? post.category === small : undefined;
    case 'platform':
      return ['x', 'bluesky', 'other'].includes(small) ? post.platform === small : undefined;
    case 'lang':
      return isTag(NAMED[small] ?? value)
        ? languageName(post.language) === languageName(NAMED[small] ?? value)
        : undefined;
    case 'has': {
      const { image, video, link, quote, thread } = post;
      return ({ image, video, link, quote, thread, media: image || video } as Record<string, boolean>)[small];
    }
    case 'is': {
      const { featured, launched, deleted } = post;
      return ({ featured, launched, deleted } as Record<string, boolean>)[small];
    }
    case 'reactions': {
      const [, than, count] = /^(>=|<=|>|<)(\d{1,9})$/.exec(value) ?? [];
      if (than === '>') return post.reactions > Number(count);
      if (than === '>=') return post.reactions >= Number(count);
      if (than === '<') return post.reactions < Number(count);
      return than === '<=' ? post.reactions <= Number(count) : undefined;
    }
    case 'saved': {
      const [, than, amount, unit] = /^([<>])(\d{1,5})([hdw])$/.exec(small) ?? [];
      if (than === undefined) return undefined;
      const hours = (Math.floor(now / 1_000) * 1_000 - post.savedAt) / 3_600_000;
      const asked = Number(amount) * (unit === 'h' ? 1 : unit === 'd' ? 24 : 7 * 24);
      return than === '<' ? hours < asked : hours > asked;
    }
    default:
      return undefined;
  }
}

/** A day, a month or a year. */
function isTime(text: string): boolean {
  return (
    /^\d{4}(-\d{2}){0,2}$/.test(text) &&
    !Number.isNaN(Date.parse(text)) &&
    new Date(text).toISOString().startsWith(text)
  );
}

const NAMED: Record<string, string> = { english: 'en', japanese: 'ja', spanish: 'es' };

function isTag(text: string): boolean {
  return /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(text);
}

function languageName(tag: string | null): string {
  const [name = ''] = (tag ?? '-').toLowerCase().split('-');
  return name === 'in' ? 'id' : name;
}

/** A random question: words and operators from existing posts, mixed with invalid input. */
export function wordQuestion(random: () => number, post: () => Facts): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const word = (text: string) => pick(text.split(/\s+/));
  const piece = (text: string, most: number) => {
    const points = Array.from(text);
    const from = Math.floor(random() * Math.max(1, points.length - 1));
    return points.slice(from, from + 1 + Math.floor(random() * most)).join('');
  };
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const kinds: (() => string)[] = [
    () => word(post().content),
    () => word(post().content),
    () => word(post().content).toUpperCase(),
    () => piece(post().content, 3),
    () => `"${post().content.split(/\s+/).slice(1, 3).join(' ')}"`,
    () => `“${piece(post().content, 12)}”`,
    () => `@${piece(post().handle, 6)}`,
    () => word(post().author),
    () => `from:${pick(['', '@'])}${post().handle.toUpperCase()}`,
    () => `since:${day(post().at)}`,
    () => `until:${day(post().at)}`,
    () => `${pick(['since', 'until'])}:${day(post().at).slice(0, pick([4, 7]))}`,
    () => `category:${post().category ?? 'tech'}`,
    () => `lang:${post().language ?? 'fr'}`,
    () => `lang:${pick(['English', 'japanese', 'SPANISH'])}`,
    () => `platform:${post().platform}`,
    () => `has:${pick(['image', 'video', 'media', 'link', 'quote', 'thread'])}`,
    () => `is:${pick(['featured', 'launched', 'deleted'])}`,
    () => `reactions:${pick(['>', '>=', '<', '<='])}${post().reactions}`,
    () => `saved:${pick(['<', '>'])}${pick(['7d', '30d', '12w', '500h'])}`,
    () =>
      pick([
        'OR',
        'OR',
        '-',
        '""',
        '"',
        'from:',
        'from:nobody_at_all',
        'since:2024-02-30',
        'until:2024-13',
        'lang:klingonese',
        'has:cats',
        'foo:bar',
        '\u202eOR',
        'a\u0000b',
        '.*',
        '%',
      ]),
  ];
  const terms = Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
    const term = `${random() < 0.2 ? '-' : ''}${pick(kinds)()}`;
    return random() < 0.25 ? `${term} OR ${random() < 0.2 ? '-' : ''}${pick(kinds)()}` : term;
  });
  return terms.join(pick([' ', ' ', '  ', '\t', '\u200f ']));
}
