/** Whose posts a file holds that does not say. */
export interface PlatformAuthor {
  name: string;
  handle: string;
}

/**
 * A post in X's fields as one in ours; anything else is passed on as it is. X escapes `&`, `<` and `>` in its texts,
 * which is undone once.
 */
export function fromPlatformPost(value: unknown, author?: PlatformAuthor): unknown {
  if (!isObject(value)) return value;
  const post = isObject(value['tweet']) ? value['tweet'] : value;
  const text = post['full_text'] ?? post['text'];
  if (text === undefined || 'content' in post) return value;
  const user = isObject(post['user']) ? post['user'] : {};
  const handle = first(post['handle'], user['screen_name'], user['handle'], author?.handle);
  const id = first(post['id_str'], post['id']);
  return {
    id,
    content: typeof text === 'string' ? unescapeOnce(text) : text,
    author: first(post['name'], user['name'], author?.name),
    authorUsername: handle,
    authorAvatar: first(post['avatar'], user['profile_image_url_https']),
    category: post['category'],
    timestamp: isoInstant(post['created_at']),
    url: first(post['url'], `https://x.com/${String(handle)}/status/${String(id)}`),
    metadata: typeof post['lang'] === 'string' ? { language: post['lang'] } : {},
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function first(...values: unknown[]): unknown {
  return values.find((value) => value !== undefined && value !== null && value !== '');
}

function unescapeOnce(text: string): string {
  const plain = { lt: '<', gt: '>', amp: '&' } as const;
  return text.replace(/&(lt|gt|amp);/g, (_, name: keyof typeof plain) => plain[name]);
}

/** X's own form, `Wed Oct 10 20:19:24 +0000 2018`, as ISO 8601; other values are left for the check to judge. */
function isoInstant(value: unknown): unknown {
  const parts = /^\w{3} (\w{3}) (\d{2}) (\d{2}:\d{2}:\d{2}) ([+-]\d{4}) (\d{4})$/.exec(String(value));
  if (!parts) return value;
  const [, month, day, time, zone = '', year] = parts;
  const at = new Date(`${day} ${month} ${year} ${time} ${zone}`);
  return Number.isNaN(at.getTime()) ? value : at.toISOString();
}
