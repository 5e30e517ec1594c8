import {
  CONTENT_LENGTH,
  cutCodePoints,
  idOfLink,
  LINK_TITLE_LENGTH,
  LINKS_PER_POST,
  type PostLink,
} from '@archive/contracts';
import { stripControls, webAddressSchema } from '@archive/contracts/schemas';
import type { Entities, XPost } from './answers.ts';

/** The text as X shows it, and the targets of the links in it. */
export function readText(post: XPost): { content: string; links: PostLink[] } {
  const { text, entities } = ownText(post);
  const shown = clean(withoutTrailing(text, hiddenLinks(post, entities)));
  const isNothing = shown === '' && post.quoted === null && post.attachments.media_keys.length === 0;
  const content = cutCodePoints(isNothing ? clean(post.text) : shown, CONTENT_LENGTH);
  return { content, links: readLinks(content, entities, post.entities) };
}

/** The text of a mention without names, and whether it names the account explicitly rather than by inheritance. */
export function readWords(post: XPost, own: { id: string; handle: string }): { words: string; isExplicit: boolean } {
  const { text, entities, start } = ownText(post);
  const names = new Set(entities.mentions.flatMap(({ username }) => username?.toLowerCase() ?? []));
  names.add(own.handle.toLowerCase());
  let isNamed = false;
  const withoutNames = text.replace(/@(\w{1,30})/g, (whole, name: string) => {
    if (name.toLowerCase() === own.handle.toLowerCase()) isNamed = true;
    return names.has(name.toLowerCase()) ? ' ' : whole;
  });
  const hidden = hiddenLinks(post, entities);
  const words = withoutNames.replace(/https?:\/\/t\.co\/\w+/g, (link) => (hidden.has(link) ? ' ' : link));
  const isOwn = ({ id, username }: Entities['mentions'][number]) =>
    id === undefined ? username?.toLowerCase() === own.handle.toLowerCase() : id === own.id;
  return {
    words: clean(words).replace(/\s+/g, ' ').trim(),
    isExplicit: isNamed && entities.mentions.some((mention) => isOwn(mention) && mention.start >= start),
  };
}

/**
 * The text that the author typed, still escaped. A reply inherits the names of those it answers, at the start of its
 * text. `start` is the author's first position in the text that the entities refer to.
 */
function ownText(post: XPost): { text: string; entities: Entities; start: number } {
  const letters = Array.from(post.text);
  // X always sends the range. Without it, names at the start of a reply count as inherited.
  const guessed = post.parent === null ? '' : (/^(?:@\w{1,30}\s+)*/.exec(post.text)?.[0] ?? '');
  const start = post.display_text_range?.[0] ?? Array.from(guessed).length;
  const inherited = letters.slice(0, start).join('');
  const { text, entities } = post.note ?? post;
  // For a long post, the range refers to the short text.
  const isThere = text.startsWith(inherited);
  return { text: isThere ? text.slice(inherited.length) : text, entities, start: isThere ? start : 0 };
}

/** Links that stand for what is shown below the text: the post's own media, and the quoted post. */
function hiddenLinks({ id, quoted, history }: XPost, { urls }: Entities): Set<string> {
  const isHidden = ({ media_key, expanded_url = '' }: Entities['urls'][number]) => {
    if (media_key !== undefined) return true;
    const named = idOfLink(expanded_url);
    if (named === null) return false;
    const isOwnPicture = /\/(?:photo|video)\//.test(expanded_url) && (named === id || history.includes(named));
    return isOwnPicture || named === quoted;
  };
  return new Set(urls.filter(isHidden).map(({ url }) => url));
}

function withoutTrailing(text: string, hidden: ReadonlySet<string>): string {
  let rest = text.trimEnd();
  for (let last = lastWord(rest); hidden.has(last); last = lastWord(rest)) {
    rest = rest.slice(0, rest.length - last.length).trimEnd();
  }
  return rest;
}

function lastWord(text: string): string {
  return text.slice(Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n')) + 1);
}

/** Finds links by their shortened form in the text, since X's offsets refer to escaped and partial text. */
function readLinks(content: string, { urls }: Entities, { urls: titled }: Entities): PostLink[] {
  const links: PostLink[] = [];
  let reached = 0;
  let points = 0;
  for (const { url: short, expanded_url: url, title } of urls.toSorted((one, other) => one.start - other.start)) {
    if (links.length === LINKS_PER_POST) break;
    const parsed = webAddressSchema.safeParse(url);
    const at = short === '' ? -1 : content.indexOf(short, reached);
    if (at === -1 || !parsed.success) continue;
    const start = points + Array.from(content.slice(reached, at)).length;
    points = start + Array.from(short).length;
    reached = at + short.length;
    const named = title ?? titled.find((one) => one.url === short)?.title;
    links.push({ start, end: points, url: parsed.data, title: titleOf(named) });
  }
  return links;
}

function titleOf(title = ''): string | null {
  return cutCodePoints(stripControls(unescapeOnce(title.toWellFormed())).trim(), LINK_TITLE_LENGTH) || null;
}

/** Unescapes the text, since X escapes `&`, `<` and `>`. */
function clean(text: string): string {
  return stripControls(unescapeOnce(text).toWellFormed()).trim();
}

function unescapeOnce(text: string): string {
  const plain = { lt: '<', gt: '>', amp: '&' } as const;
  return text.replace(/&(lt|gt|amp);/g, (_, name: keyof typeof plain) => plain[name]);
}
