/// <reference lib="webworker" />

import { clearOld, fetchToKeep, find, KEPT_AT, keep, keepPage } from './keep.ts';
import { readMessage } from './message.ts';
import { type Shelf, shelfOf } from './shelves.ts';

declare const self: ServiceWorkerGlobalScope;

const { origin } = self.location;

self.addEventListener('install', (event) => {
  // A new worker may take over at once. It asks the network first, so an open page gets what it asks for, and it keeps
  // the cached files of earlier builds.
  event.waitUntil(Promise.all([keepPage(), self.skipWaiting()]));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([clearOld(), self.clients.claim()]));
});

self.addEventListener('fetch', (event) => {
  const shelf = shelfOf(event.request, origin);
  if (shelf !== null) event.respondWith(shelf === 'built' ? keptFirst(event) : netFirst(event, shelf));
});

/** A page sends the addresses that it loaded before the worker ran, so that the worker can cache them. */
self.addEventListener('message', (event) => {
  const { kept } = event.data as { kept?: unknown };
  if (!Array.isArray(kept)) return;
  const page = event.source as Client | null;
  if (page) page.postMessage({ keptAt: shownAt.get(page.id) ?? null });
  const work = kept.slice(0, 200).map(async (url: unknown) => {
    const request = { method: 'GET', url: String(url), mode: 'cors', headers: new Headers() };
    const shelf = URL.canParse(request.url) ? shelfOf(request, origin) : null;
    if (shelf !== null) await fetchToKeep(shelf, request.url);
  });
  event.waitUntil(Promise.allSettled([keepPage(), ...work]));
});

self.addEventListener('push', (event) => {
  const { title, ...options } = readMessage(event.data?.text() ?? '', origin);
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { url } = event.notification.data as { url: string };
  event.waitUntil(show(new URL(url, origin).href));
});

/** Focuses the window that shows this address, or opens a new one. */
async function show(url: string): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = pages.find((page) => page.url === url);
  if (there) await there.focus();
  else await self.clients.openWindow(url);
}

async function keptFirst({ request }: FetchEvent): Promise<Response> {
  return (await find('built', request.url)) ?? keepCopy('built', request.url, await fetch(request));
}

async function netFirst(event: FetchEvent, shelf: Shelf): Promise<Response> {
  const { request } = event;
  try {
    const answer = await fetch(request);
    if (shelf === 'page') return answer;
    tell(event, null);
    const copy = answer.clone();
    event.waitUntil(keep(shelf, request.url, copy).catch(() => {}));
    return answer;
  } catch (error) {
    const kept = await find(shelf, request.url);
    if (kept === undefined) throw error;
    if (shelf !== 'page' && shelf !== 'pictures') tell(event, kept.headers.get(KEPT_AT));
    return kept;
  }
}

function keepCopy(shelf: Shelf, url: string, answer: Response): Response {
  const copy = answer.clone();
  void keep(shelf, url, copy).catch(() => {});
  return answer;
}

/**
 * The cache time of the copies that a page shows, by client id. A page that is still loading hears no message and asks
 * later.
 */
const shownAt = new Map<string, string>();

/** Tells a page when its data was cached, or, with null, that its data is current. */
function tell({ clientId }: FetchEvent, at: string | null): void {
  if (at === null) shownAt.delete(clientId);
  else shownAt.set(clientId, at);
  void self.clients.get(clientId).then((page) => page?.postMessage({ keptAt: at }));
}
