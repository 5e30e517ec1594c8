import { createHash } from 'node:crypto';

interface Named {
  id: string;
  username: string;
}

interface UrlEntity {
  start: number;
  end: number;
  url: string;
  expanded_url: string;
  display_url: string;
  title?: string;
  media_key?: string;
}

export interface Entities {
  urls: UrlEntity[];
  mentions: { start: number; end: number; username: string; id?: string }[];
}

export interface Composed {
  /** Escaped, as X sends it; a long text is cut. */
  text: string;
  entities: Entities;
  /** The visible range: after the inherited names, and before the links that stand for pictures and the quoted post. */
  displayRange: [number, number];
  /** The complete text of a long post. */
  note: { text: string; entities: Entities } | null;
}

interface Parts {
  inherited: readonly Named[];
  words: string;
  quoted: string | null;
  media: readonly { key: string; url: string }[];
  titles: Record<string, string>;
  self: string;
  accountOf(username: string): Named | undefined;
}

/** A longer post is a long post. */
const LONGEST = 280;
const CUT = 250;

/**
 * A post's text as X stores it: escaped, with shortened links, and with entities whose positions count code points of
 * this text.
 */
export function composeText({ inherited, words, quoted, media, titles, self, accountOf }: Parts): Composed {
  const writer = new Writer();
  for (const account of inherited) {
    writer.mention(`@${account.username}`, account);
    writer.text(' ');
  }
  const start = writer.length;
  for (const { 0: part, index } of words.matchAll(/https?:\/\/\S+|(?<![\w@])@\w{1,15}|[^@h]+|[@h]/g)) {
    const account = part.startsWith('@') ? accountOf(part.slice(1)) : undefined;
    if (/^https?:\/\/\S/.test(part)) writer.link(part, { ...(titles[part] !== undefined && { title: titles[part] }) });
    else if (account && index >= 0) writer.mention(part, account);
    else writer.text(part);
  }
  const isLong = writer.length - start > LONGEST;
  const note = isLong ? writer.written() : null;
  if (isLong) writer.cut(start + CUT, self);
  const end = writer.length;
  if (quoted) writer.trailing(quoted, {});
  for (const { url, key } of media.slice(0, 1)) writer.trailing(url, { media_key: key });
  return { ...writer.written(), displayRange: [start, end], note };
}

class Writer {
  #text = '';
  #entities: Entities = { urls: [], mentions: [] };

  get length(): number {
    return Array.from(this.#text).length;
  }

  text(plain: string): void {
    const escaped = { '&': '&amp;', '<': '&lt;', '>': '&gt;' } as const;
    this.#text += plain.replace(/[&<>]/g, (letter) => escaped[letter as keyof typeof escaped]);
  }

  mention(words: string, { id, username }: Named): void {
    const start = this.length;
    this.#text += words;
    this.#entities.mentions.push({ start, end: this.length, username, id });
  }

  link(address: string, more: { title?: string; media_key?: string }): void {
    const start = this.length;
    const url = `https://t.co/${createHash('sha256').update(address).digest('base64url').replace(/[-_]/g, 'x').slice(0, 10)}`;
    this.#text += url;
    const display_url = address.replace(/^https?:\/\//, '').slice(0, 26);
    this.#entities.urls.push({ start, end: this.length, url, expanded_url: address, display_url, ...more });
  }

  /** A link at the end that stands for a picture or a quoted post. */
  trailing(address: string, more: { media_key?: string }): void {
    if (this.#text !== '') this.#text += ' ';
    this.link(address, more);
  }

  cut(length: number, self: string): void {
    this.#text = Array.from(this.#text).slice(0, length).join('');
    const isLeft = ({ end }: { end: number }) => end <= length;
    const { urls, mentions } = this.#entities;
    this.#entities = { urls: urls.filter(isLeft), mentions: mentions.filter(isLeft) };
    this.#text += '… ';
    this.link(self, {});
  }

  written(): { text: string; entities: Entities } {
    return { text: this.#text, entities: { urls: [...this.#entities.urls], mentions: [...this.#entities.mentions] } };
  }
}
