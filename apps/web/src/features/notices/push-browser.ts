import { callApi } from '../../lib/api.ts';
import { serviceWorker } from '../../lib/service-worker.ts';

/** Whether this browser supports push notifications. */
export function canPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

/** The id under which the server knows this browser; null if it is not subscribed. */
export async function thisBrowser(): Promise<string | null> {
  const subscription = await subscriptionOf();
  return subscription && idOf(subscription);
}

/** Asks for permission and subscribes this browser. Resolves to false if the person refuses. */
export async function startPush(token: string, key: string): Promise<boolean> {
  // First of all: a browser shows its prompt only shortly after a press.
  if ((await Notification.requestPermission()) !== 'granted') return false;
  await inTurn(async () => {
    const worker = await serviceWorker();
    if (worker === null) throw new Error('there is no service worker');
    await navigator.serviceWorker.ready;
    const before = await worker.pushManager.getSubscription();
    if (before && !isOfKey(before, key)) await before.unsubscribe();
    const options = { userVisibleOnly: true, applicationServerKey: bytesOf(key) };
    await tellServer(token, await worker.pushManager.subscribe(options));
  });
  return true;
}

export function stopPush(token: string): Promise<void> {
  return inTurn(async () => {
    const subscription = await subscriptionOf();
    if (!subscription) return;
    await callApi('dropBrowser', { token, params: { browser: await idOf(subscription) } });
    await subscription.unsubscribe();
  });
}

/**
 * After a sign-in, renews the subscription of a browser that belongs to this person. A browser that another person
 * subscribed is unsubscribed.
 */
export function renewPush(token: string): Promise<void> {
  return inTurn(async () => {
    const subscription = canPush() ? await subscriptionOf() : null;
    if (!subscription) return;
    const { browsers } = await callApi('noticeSettings', { token });
    if (browsers.includes(await idOf(subscription))) await tellServer(token, subscription);
    else await subscription.unsubscribe();
  });
}

let last: Promise<void> = Promise.resolve();

/**
 * Runs one task after another. Each task reads the state of browser and server, then changes both, so two tasks at once
 * could undo each other.
 */
function inTurn(act: () => Promise<void>): Promise<void> {
  last = last.then(act, act);
  return last;
}

async function subscriptionOf(): Promise<PushSubscription | null> {
  const worker = await serviceWorker();
  return (await worker?.pushManager.getSubscription()) ?? null;
}

async function tellServer(token: string, subscription: PushSubscription): Promise<void> {
  const { endpoint = '', keys } = subscription.toJSON();
  const body = { endpoint, keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' } };
  await callApi('addBrowser', { token, body });
}

async function idOf({ endpoint }: PushSubscription): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function isOfKey({ options }: PushSubscription, key: string): boolean {
  const own = options.applicationServerKey;
  return (
    own !== null && btoa(String.fromCharCode(...new Uint8Array(own))) === btoa(String.fromCharCode(...bytesOf(key)))
  );
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
}
