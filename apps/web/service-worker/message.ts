import { PRODUCT_NAME } from '@archive/contracts';

/** A notification as the browser shows it: plain text, and a path on this site. */
export interface Shown {
  title: string;
  body: string;
  tag: string;
  icon: string;
  badge: string;
  data: { url: string };
}

const WORDS = 300;
const LOOKS = { icon: '/static/img/icon-192.png', badge: '/static/img/badge-96.png' };
/** Browsers require a notification for every push message, so an unreadable one shows this. */
const UNREADABLE = {
  title: PRODUCT_NAME as string,
  body: 'Something has come to pass.',
  tag: 'unreadable',
  url: '/dashboard',
};

/** The notification for a push message; `UNREADABLE` if the message cannot be parsed. */
export function readMessage(text: string, origin: string): Shown {
  const { title, body, tag, url } = { ...UNREADABLE, ...fieldsOf(text) };
  return { title, body, tag, ...LOOKS, data: { url: ownPath(url, origin) } };
}

function fieldsOf(text: string): Partial<typeof UNREADABLE> {
  try {
    const given = JSON.parse(text) as Record<string, unknown>;
    const fields = Object.keys(UNREADABLE).flatMap((name) => {
      const value = given[name];
      return typeof value === 'string' && value !== '' ? [[name, name === 'url' ? value : value.slice(0, WORDS)]] : [];
    });
    return Object.fromEntries(fields) as Partial<typeof UNREADABLE>;
  } catch {
    return {};
  }
}

/** The path of an address of this site; for any other address, the default path. */
function ownPath(url: string, origin: string): string {
  if (!URL.canParse(url, origin)) return UNREADABLE.url;
  const { origin: host, pathname, search } = new URL(url, origin);
  return host === origin ? pathname + search : UNREADABLE.url;
}
