import { PRODUCT_SLUG } from '@archive/contracts';
import { mayKeep, postNamed, SHELVES, type Shelf } from './shelves.ts';

/** The header of a cached response that holds the time at which it was cached. */
export const KEPT_AT = 'X-Kept-At';
/** Older copies are not shown: their posts may have been removed since. */
const KEPT_MS = 7 * 24 * 3_600_000;
/** The page's own document is cached under this address. It contains no post. */
const PAGE = '/dashboard';
/** Statuses by which the server says that something no longer exists. */
const GONE = [404, 410, 451];

const open = (shelf: Shelf) => caches.open(SHELVES[shelf].name);

/** Caches a response. If the shelf is over its limit, deletes the oldest entries. */
export async function keep(shelf: Shelf, url: string, answer: Response): Promise<void> {
  const kept = await open(shelf);
  if (GONE.includes(answer.status)) {
    await forget(shelf, url);
    return;
  }
  if (!mayKeep(answer)) return;
  const headers = new Headers(answer.headers);
  headers.set(KEPT_AT, new Date().toISOString());
  await kept.put(url, new Response(answer.body, { status: answer.status, headers }));
  const all = await kept.keys();
  for (const old of all.slice(0, Math.max(0, all.length - SHELVES[shelf].most))) await kept.delete(old);
}

/** The cached response of an address, unless it is older than `KEPT_MS`. */
export async function find(shelf: Shelf, url: string): Promise<Response | undefined> {
  const kept = await open(shelf);
  const answer = await kept.match(shelf === 'page' ? PAGE : url);
  if (answer === undefined || shelf === 'built' || shelf === 'page') return answer;
  if (Date.now() - Date.parse(answer.headers.get(KEPT_AT) ?? '') < KEPT_MS) return answer;
  await kept.delete(url);
  return undefined;
}

/** Fetches without credentials, so that the answer holds no personal data, and caches it. */
export async function fetchToKeep(shelf: Shelf, url: string): Promise<void> {
  if (shelf === 'built' && (await find(shelf, url))) return;
  await keep(shelf, url, await fetch(url, { credentials: 'omit' }));
}

export async function keepPage(): Promise<void> {
  await keep('page', PAGE, await fetch(PAGE, { credentials: 'omit' }));
}

/** Deletes all copies of a removed post: its own answers, its pictures, and lists that contain it. */
async function forget(shelf: Shelf, url: string): Promise<void> {
  const kept = await open(shelf);
  const named = postNamed(url);
  const copy = await kept.match(url);
  await kept.delete(url);
  if (named === null) return;
  const words = (await copy?.text()) ?? '{}';
  const { _id, id } = JSON.parse(words) as { _id?: string; id?: string };
  const names = [named, _id, id].filter((name) => name !== undefined);
  // This also deletes pictures of other posts on the same lists. They are cached again when they are next shown.
  const pictures = await open('pictures');
  const dropPictures = async (text: string) => {
    for (const [path] of text.matchAll(/\/media\/[0-9a-f]{64}\/preview/g)) await pictures.delete(path);
  };
  await dropPictures(words);
  for (const from of [kept, await open('results')]) {
    for (const request of await from.keys()) {
      const text = (await (await from.match(request))?.text()) ?? '';
      if (!names.some((name) => text.includes(JSON.stringify(name)))) continue;
      await from.delete(request);
      await dropPictures(text);
    }
  }
}

/** Deletes caches of earlier formats, and copies that are older than `KEPT_MS`. */
export async function clearOld(): Promise<void> {
  const names: readonly string[] = Object.values(SHELVES).map(({ name }) => name);
  for (const name of await caches.keys()) {
    if (name.startsWith(`${PRODUCT_SLUG}-`) && !names.includes(name)) await caches.delete(name);
  }
  for (const shelf of Object.keys(SHELVES) as Shelf[]) {
    if (shelf === 'built' || shelf === 'page') continue;
    for (const { url } of await (await open(shelf)).keys()) await find(shelf, url);
  }
}
