import {
  type Category,
  isMediaAddress,
  LINKS_PER_POST,
  MEDIA_PER_POST,
  type PostLink,
  readLanguage,
} from '@archive/contracts';
import { type NewReference, stripControls, webAddressSchema } from '@archive/contracts/schemas';
import { classify } from '../classify/classify.ts';

/** The author of all posts in a file that does not name authors. */
export interface PlatformAuthor {
  name: string;
  handle: string;
  /** X's own id of the account. */
  id?: string | undefined;
}

type Fields = Record<string, unknown>;

/**
 * Converts a post from X's fields to ours; any other value is returned unchanged. Unescapes `&`, `<` and `>` once, as X
 * escapes them. Invalid additional fields are dropped without refusing the post.
 */
export function fromPlatformPost(value: unknown, author?: PlatformAuthor): unknown {
  if (!isObject(value)) return value;
  const post = isObject(value['tweet']) ? value['tweet'] : value;
  const text = post['full_text'] ?? post['text'];
  if (text === undefined || 'content' in post) return value;
  const user = isObject(post['user']) ? post['user'] : {};
  const handle = first(post['handle'], user['screen_name'], user['handle'], author?.handle);
  const id = first(post['id_str'], post['id']);
  const content = typeof text === 'string' ? stripControls(unescapeOnce(text)) : text;
  const language = readLanguage(post['lang']);
  const links = typeof content === 'string' ? linksOf(content, post['entities']) : [];
  return {
    id,
    content,
    author: first(post['name'], user['name'], author?.name),
    authorUsername: handle,
    authorAvatar: first(post['avatar'], user['profile_image_url_https']),
    category: post['category'] ?? categoryOf(content, links, handle, language),
    timestamp: isoInstant(post['created_at']),
    url: first(post['url'], `https://x.com/${String(handle)}/status/${String(id)}`),
    metadata: typeof post['lang'] === 'string' ? { language: post['lang'] } : {},
    authorId: postId(first(user['id_str'], handle === author?.handle ? author?.id : undefined)),
    language,
    links,
    sensitive: post['possibly_sensitive'] === true,
    replyTo: referenceTo(post['in_reply_to_status_id_str'], post['in_reply_to_screen_name']),
    quoted: referenceTo(post['quoted_status_id_str'], undefined),
    media: mediaOf(post['extended_entities']),
  };
}

/** The classifier's category, since X has none. */
function categoryOf(content: unknown, links: PostLink[], handle: unknown, language: string | null): Category | null {
  if (typeof content !== 'string') return null;
  return classify({ content, links, authorHandle: typeof handle === 'string' ? handle : '', language });
}

/** Pictures, GIFs, and videos in their best version. Incomplete ones are left out. */
function mediaOf(entities: unknown): unknown[] {
  const list = isObject(entities) && Array.isArray(entities['media']) ? entities['media'].filter(isObject) : [];
  return list.slice(0, MEDIA_PER_POST).flatMap((one) => {
    const picture = one['media_url_https'];
    const type = one['type'] === 'video' ? 'video' : one['type'] === 'animated_gif' ? 'gif' : 'image';
    const size = isObject(one['original_info']) ? one['original_info'] : {};
    const alt = one['ext_alt_text'] ?? null;
    const about = { type, width: size['width'], height: size['height'], alt };
    if (typeof picture !== 'string' || !isMediaAddress(picture)) return [];
    if (type === 'image') return { ...about, url: picture };
    const info = isObject(one['video_info']) ? one['video_info'] : {};
    const url = bestVideo(info['variants']);
    return url ? { ...about, url, poster: picture, durationMs: Number(info['duration_millis']) || null } : [];
  });
}

/** The MP4 with the highest bit rate. */
function bestVideo(variants: unknown): string | null {
  const list = Array.isArray(variants) ? variants.filter(isObject) : [];
  const videos = list.flatMap(({ content_type: type, url, bitrate }) =>
    type === 'video/mp4' && typeof url === 'string' && isMediaAddress(url)
      ? { url, bitrate: Number(bitrate) || 0 }
      : [],
  );
  return videos.toSorted((one, other) => other.bitrate - one.bitrate)[0]?.url ?? null;
}

/** X's ids are digits, as text. */
function postId(value: unknown): string | null {
  return typeof value === 'string' && /^\d{1,19}$/.test(value) ? value : null;
}

function referenceTo(id: unknown, handle: unknown): NewReference | null {
  const known = postId(id);
  if (known === null) return null;
  const by = typeof handle === 'string' && /^\w{1,15}$/.test(handle) ? handle : 'i/web';
  return { platform: 'x', id: known, url: `https://x.com/${by}/status/${known}`, state: 'unknown' };
}

/** The targets of X's shortened addresses, found by their text, since X's offsets refer to the escaped text. */
function linksOf(content: string, entities: unknown): PostLink[] {
  const urls = isObject(entities) && Array.isArray(entities['urls']) ? entities['urls'].filter(isObject) : [];
  const links: PostLink[] = [];
  let reached = 0;
  let points = 0;
  for (const { url: short, expanded_url: url } of urls.slice(0, LINKS_PER_POST)) {
    if (typeof short !== 'string' || short === '' || !webAddressSchema.safeParse(url).success) continue;
    const at = content.indexOf(short, reached);
    if (at === -1) continue;
    const start = points + Array.from(content.slice(reached, at)).length;
    points = start + Array.from(short).length;
    reached = at + short.length;
    links.push({ start, end: points, url: url as string, title: null });
  }
  return links;
}

function isObject(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function first(...values: unknown[]): unknown {
  return values.find((value) => value !== undefined && value !== null && value !== '');
}

function unescapeOnce(text: string): string {
  const plain = { lt: '<', gt: '>', amp: '&' } as const;
  return text.replace(/&(lt|gt|amp);/g, (_, name: keyof typeof plain) => plain[name]);
}

/** X's date format, `Wed Oct 10 20:19:24 +0000 2018`, as ISO 8601. Other values are returned for later validation. */
function isoInstant(value: unknown): unknown {
  const parts = /^\w{3} (\w{3}) (\d{2}) (\d{2}:\d{2}:\d{2}) ([+-]\d{4}) (\d{4})$/.exec(String(value));
  if (!parts) return value;
  const [, month, day, time, zone = '', year] = parts;
  const at = new Date(`${day} ${month} ${year} ${time} ${zone}`);
  return Number.isNaN(at.getTime()) ? value : at.toISOString();
}
