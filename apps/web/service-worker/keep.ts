import { PRODUCT_SLUG } from '@archive/contracts';
import { mayKeep, postNamed, SHELVES, type Shelf } from './shelves.ts';

/** When it was kept, in the headers of what is kept. */
export const KEPT_AT = 'X-Kept-At';
/** What is older is not shown: its post may be gone by then, and nobody has asked. */
const KEPT_MS = 7 * 24 * 3_600_000;
/** Any page of ours that holds no post. */
const PAGE = '/dashboard';
/** What a server says of something that it had. */
const GONE = [404, 410, 451];

const open = (shelf: Shelf) => caches.open(SHELVES[shelf].name);

/** Keeps a copy, and of too many forgets those that came first. */
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

/** What was kept under an address, unless that was too long ago. */
export async function find(shelf: Shelf, url: string): Promise<Response | undefined> {
  const kept = await open(shelf);
  const answer = await kept.match(shelf === 'page' ? PAGE : url);
  if (answer === undefined || shelf === 'built' || shelf === 'page') return answer;
  if (Date.now() - Date.parse(answer.headers.get(KEPT_AT) ?? '') < KEPT_MS) return answer;
  await kept.delete(url);
  return undefined;
}

/** Asks as a stranger, who is told nothing that is one person's, and keeps what is answered. */
export async function fetchToKeep(shelf: Shelf, url: string): Promise<void> {
  if (shelf === 'built' && (await find(shelf, url))) return;
  await keep(shelf, url, await fetch(url, { credentials: 'omit' }));
}

export async function keepPage(): Promise<void> {
  await keep('page', PAGE, await fetch(PAGE, { credentials: 'omit' }));
}

/** Of a post that is gone nothing stays: neither its own answers nor its pictures, nor results that show it. */
async function forget(shelf: Shelf, url: string): Promise<void> {
  const kept = await open(shelf);
  const named = postNamed(url);
  const copy = await kept.match(url);
  await kept.delete(url);
  if (named === null) return;
  const words = (await copy?.text()) ?? '{}';
  const { _id, id } = JSON.parse(words) as { _id?: string; id?: string };
  const names = [named, _id, id].filter((name) => name !== undefined);
  // Pictures of other posts that go with the results come back when they are seen again.
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

/** Shelves of versions that wrote otherwise, and what is too old to be shown. */
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
