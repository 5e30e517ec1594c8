import { createHash } from 'node:crypto';
import { ENDPOINTS } from '@archive/contracts';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { settle } from '../../testing/settle.ts';
import { canPush, renewPush, startPush, stopPush, thisBrowser } from './push-browser.ts';

const ENDPOINT = 'https://push.example/one';
const ID = createHash('sha256').update(ENDPOINT).digest('hex');
const KEY = 'AQID-_8';
const KEY_BYTES = [1, 2, 3, 251, 255];

let subscription: ReturnType<typeof subscribed> | null;
let permission: NotificationPermission;
let browsers: string[];
let done: string[];

// One worker for all tests, because the page registers its worker once.
const worker = {
  pushManager: {
    getSubscription: async () => subscription,
    subscribe: async () => {
      done.push('subscribe');
      subscription = subscribed(KEY_BYTES);
      return subscription;
    },
  },
};

function subscribed(key: number[]) {
  return {
    endpoint: ENDPOINT,
    options: { applicationServerKey: new Uint8Array(key).buffer },
    toJSON: () => ({ endpoint: ENDPOINT, keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: async () => {
      done.push('unsubscribe');
      subscription = null;
      return true;
    },
  };
}

beforeEach(() => {
  [subscription, permission, browsers, done] = [null, 'granted', [], []];
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { ready: Promise.resolve(), register: async () => worker },
  });
  Object.assign(window, { PushManager: class {}, Notification: { requestPermission: async () => permission } });
  Object.defineProperty(globalThis.crypto, 'subtle', {
    configurable: true,
    value: {
      digest: async (_: string, bytes: Uint8Array) => createHash('sha256').update(bytes).digest(),
    },
  });
  globalThis.fetch = jest.fn<typeof fetch>(async (input, init) => {
    const method = init?.method ?? 'GET';
    done.push(`${method} ${String(input)} ${init?.body ?? ''}`.trim());
    return method === 'GET' ? Response.json({ page: [], push: [], browsers }) : new Response(null, { status: 204 });
  });
});

const told = `${ENDPOINTS.addBrowser.method} ${ENDPOINTS.addBrowser.path} ${JSON.stringify({ endpoint: ENDPOINT, keys: { p256dh: 'p', auth: 'a' } })}`;
const dropped = `${ENDPOINTS.dropBrowser.method} ${ENDPOINTS.dropBrowser.path.replace(':browser', ID)}`;
const asked = `GET ${ENDPOINTS.noticeSettings.path}`;

test('a browser that is allowed is subscribed, and the server is told', async () => {
  expect(await startPush('token', KEY)).toBe(true);
  expect(done).toEqual(['subscribe', told]);
  expect(await thisBrowser()).toBe(ID);
});

test.each(['denied', 'default'] as const)('a person who answers "%s" gets no notices', async (answer) => {
  permission = answer;
  expect(await startPush('token', KEY)).toBe(false);
  expect(done).toEqual([]);
});

test.each([
  ['the same key', KEY_BYTES, ['subscribe', told]],
  ['another key', [9], ['unsubscribe', 'subscribe', told]],
])('a subscription of %s', async (_what, key, expected) => {
  subscription = subscribed(key);
  await startPush('token', KEY);
  expect(done).toEqual(expected);
});

test('stopped, the server forgets the browser before the browser forgets the server', async () => {
  await stopPush('token');
  expect(done).toEqual([]);
  subscription = subscribed(KEY_BYTES);
  await stopPush('token');
  expect(done).toEqual([dropped, 'unsubscribe']);
});

test.each([
  ['of this person stays so', () => [ID], [asked, told]],
  ['of somebody else gets none any more', () => ['other'], [asked, 'unsubscribe']],
])('after a sign-in a browser %s', async (_what, known, expected) => {
  browsers = known();
  await renewPush('token');
  expect(done).toEqual([]);
  subscription = subscribed(KEY_BYTES);
  await renewPush('token');
  expect(done).toEqual(expected);
});

test.each([
  ['subscribed', () => startPush('token', KEY), [], [ID], ['subscribe', told, asked, told]],
  ['let go', () => stopPush('token'), [ID], [], [dropped, 'unsubscribe']],
])('a browser that is being %s is left alone by a sign-in meanwhile', async (_what, act, before, after, expected) => {
  browsers = before;
  if (before.length > 0) subscription = subscribed(KEY_BYTES);
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const answer = globalThis.fetch;
  globalThis.fetch = jest.fn<typeof fetch>(async (...call) => {
    const response = await answer(...call);
    if ((call[1]?.method ?? 'GET') === 'GET') return response;
    await isReleased;
    browsers = after;
    return response;
  });
  const acted = act();
  await settle();
  const renewed = renewPush('token');
  await settle();
  release();
  await Promise.all([acted, renewed]);
  expect(done).toEqual(expected);
});

test('without any of its parts a browser cannot be pushed to', () => {
  expect(canPush()).toBe(true);
  for (const name of ['PushManager', 'Notification'] as const) {
    const kept = window[name];
    Reflect.deleteProperty(window, name);
    expect(canPush()).toBe(false);
    Object.assign(window, { [name]: kept });
  }
});
