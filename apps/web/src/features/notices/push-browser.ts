import { callApi } from '../../lib/api.ts';
import { serviceWorker } from '../../lib/service-worker.ts';

/** Whether this browser can be pushed to at all. */
export function canPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

/** Under which the server knows this browser; null where it asked for nothing. */
export async function thisBrowser(): Promise<string | null> {
  const subscription = await subscriptionOf();
  return subscription && idOf(subscription);
}

/** Has the browser ask its person, and the server push to it. False where the person does not want it. */
export async function startPush(token: string, key: string): Promise<boolean> {
  // At once: a browser asks its person only while a press is fresh.
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
 * After a sign-in: a browser that is this person's stays so in the new session; one that asked for somebody else's notices
 * gets none of them any more.
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

/** Runs one act after the other. Each reads what browser and server hold and then changes both: a second one in between would undo it. */
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
