import { PRODUCT_NAME } from '@archive/contracts';

/** A notification as it is shown: never anything but words, and a place of ours to go to. */
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
/** A browser wants something shown for whatever comes. */
const UNREADABLE = {
  title: PRODUCT_NAME as string,
  body: 'Something has come to pass.',
  tag: 'unreadable',
  url: '/dashboard',
};

/** What a push message says; one that cannot be read still is one notification. */
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

/** A place of another site is none. */
function ownPath(url: string, origin: string): string {
  if (!URL.canParse(url, origin)) return UNREADABLE.url;
  const { origin: host, pathname, search } = new URL(url, origin);
  return host === origin ? pathname + search : UNREADABLE.url;
}
