import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ENDPOINTS, type Endpoint, type PushMessage } from '@archive/contracts';
import { ROOT } from '@archive/processes';
import { Product } from '@archive/testing';
import { BrowserKeys, PushEndpoint } from '@archive/testing/push';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from './no-violations.ts';
import { posts } from './posts.ts';
import { TestWallet } from './test-wallet.ts';

/** A separate product, because these tests stop it and add posts that other tests would count. */
let product: Product;
let service: PushEndpoint;
let files = 0;

test.describe.configure({ mode: 'serial' });
test.use({ serviceWorkers: 'allow' });

test.beforeAll(async () => {
  service = await PushEndpoint.open();
  product = await Product.open({
    env: { WEB_DIR: join(ROOT, 'apps/web/dist'), SOURCE_LOCAL_HOSTS: service.host },
    prepare: async (empty) => {
      product = empty;
      const lines = (await product.command('push-keys')).trim().split('\n');
      for (const line of lines) product.env[line.split('=')[0] ?? ''] = line.slice(line.indexOf('=') + 1);
      await add(posts());
    },
  });
});

test.afterAll(async () => {
  await product?.close();
  await service?.close();
});

async function add(some: object[]): Promise<void> {
  const file = join(product.folder, `posts-${files++}.ndjson`);
  await writeFile(file, some.map((post) => `${JSON.stringify(post)}\n`).join(''));
  await product.command('import', file);
}

const kept = (page: Page) =>
  page.evaluate(async () => {
    const urls: string[] = [];
    for (const name of await caches.keys()) {
      for (const { url } of await (await caches.open(name)).keys()) urls.push(url.slice(location.origin.length));
    }
    return urls;
  });

/** Resolves once the service worker has cached an address that matches. */
async function untilKept(page: Page, path: RegExp): Promise<void> {
  await expect.poll(async () => (await kept(page)).some((url) => path.test(url))).toBe(true);
  await expect.poll(async () => (await kept(page)).some((url) => /^\/static\/js\/index-/.test(url))).toBe(true);
}

const article = (page: Page) => page.getByRole('region', { name: 'Posts' }).getByRole('article');

test('a page that was never opened comes by itself once the net is back, and a post shows what its list told', async ({
  page,
  context,
}) => {
  await page.goto(product.url);
  await untilKept(page, /^\/amber\/archives(\?|$)/);
  const words = await article(page).first().locator('a[data-post-stop]').textContent();
  // The code of an opened post loads when the page is idle. Without it, a dialog says that the browser is offline.
  await expect.poll(async () => (await kept(page)).some((url) => /\/post-page-/.test(url))).toBe(true);
  await context.setOffline(true);
  await article(page).first().locator('a[data-post-stop]').click();
  await expect(page.getByRole('dialog', { name: 'Post' })).toContainText(words?.slice(0, 20) ?? '-');
  await page.goto(`${product.url}/explore`);
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'Explore', level: 1 })).toBeVisible();
  await expect(page.getByText(/^Ways through \d+ posts/)).toBeVisible();
});

test('what was read is read again without the net, and the page says so', async ({ page, context }) => {
  const { data } = await (await page.request.get(`${product.url}${ENDPOINTS.listArchives.path}?limit=1`)).json();
  const words = (data[0].content as string).slice(0, 30);
  await page.goto(product.url);
  await untilKept(page, /^\/amber\/archives(\?|$)/);
  await page.goto(`${product.url}/post/${data[0]._id}`);
  await untilKept(page, new RegExp(`/archives/${data[0]._id}$`));
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByText(/^You are offline\. This is what was kept on \d+ \w+ \d{4}, /)).toBeVisible();
  await expect(page.locator('main')).toContainText(words);
  await page.goto(product.url);
  await expect(article(page).filter({ hasText: words })).toHaveCount(1);
  await expectNoViolations(page, 'offline');
  await page.getByRole('searchbox').fill('never looked for');
  await expect(page.getByText('This list was not kept on this device.')).toBeVisible();
  await expect(page.getByText('This part of the page was not opened before')).toHaveCount(0);
  await expectNoViolations(page, 'offline search');
  await page.getByRole('button', { name: 'Posts read before' }).click();
  await expect(article(page).filter({ hasText: words })).toHaveCount(1);
  await context.setOffline(false);
  await expect(page.getByText('You are offline.')).toHaveCount(0);
});

test('of a post that was removed no copy stays, nor of what shows it', async ({ page }) => {
  await page.goto(product.url);
  const { data } = await (await page.request.get(`${product.url}${ENDPOINTS.listArchives.path}?limit=2`)).json();
  const { _id } = data[1];
  await page.goto(`${product.url}/post/${_id}`);
  await untilKept(page, new RegExp(`/archives/${_id}$`));
  await expect.poll(async () => (await kept(page)).some((url) => /^\/amber\/archives(\?|$)/.test(url))).toBe(true);
  await product.command('remove', _id, '--yes');
  await expect
    .poll(async () => (await page.request.get(`${product.url}${ENDPOINTS.listArchives.path}/${_id}`)).status())
    .toBe(410);
  await page.reload();
  const holding = () =>
    page.evaluate(async (id) => {
      const found: string[] = [];
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) {
          if (((await (await cache.match(request))?.text()) ?? '').includes(id)) found.push(request.url);
        }
      }
      return found;
    }, _id);
  await expect.poll(holding).toEqual([]);
});

test('nothing is kept that is one person’s', async ({ page, context }) => {
  const wallet = new TestWallet();
  await wallet.install(context);
  await page.goto(product.url);
  await signIn(page, wallet);
  await untilKept(page, /^\/amber\/archives(\?|$)/);
  await page.goto(`${product.url}/dashboard`);
  await expect(page.getByRole('region', { name: 'Notices' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('region', { name: 'Notices' })).toBeVisible();
  const urls = await kept(page);
  expect(urls.filter((url) => /auth|notices|user|searches|collections|credits|payments/.test(url))).toEqual([]);
  const told = await page.evaluate(async (address) => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        if (((await (await cache.match(request))?.text()) ?? '').includes(address)) return request.url;
      }
    }
    return null;
  }, wallet.address);
  expect(told).toBeNull();
});

test('a push that the server sent is one notification in the browser, and leads to a place of ours', async ({
  page,
  context,
}) => {
  const wallet = new TestWallet();
  const browser = new BrowserKeys();
  await wallet.install(context);
  await pretendToSubscribe(context, { endpoint: `http://${service.host}/send/1`, keys: browser.keys });
  await page.goto(`${product.url}/?search=harbour`);
  await signIn(page, wallet);
  await page.getByRole('button', { name: 'Save this search' }).first().click();
  await expect(page.getByText('Saved as “harbour”.')).toBeVisible();
  await page.goto(`${product.url}/dashboard`);
  const closed = page.getByRole('checkbox', { name: /^Also while Amber is closed/ });
  await answered(page, ENDPOINTS.addBrowser, () => closed.check());
  await expect(closed).toBeChecked();
  await expectNoViolations(page, 'dashboard with pushes');
  await page.reload();
  await expect(closed).toBeChecked();
  await add([
    {
      ...posts()[0],
      id: '2000000000000000001',
      url: 'https://x.com/anwen/status/2000000000000000001',
      content: 'A boat in the harbour.',
    },
  ]);
  await expect.poll(() => service.pushed.length, { timeout: 90_000 }).toBe(1);
  const text = await browser.open(service.pushed[0]?.body ?? Buffer.alloc(0));
  const message = JSON.parse(text) as PushMessage;
  expect(message).toMatchObject({
    title: 'Amber',
    body: '1 new post in “harbour”',
    url: '/?search=harbour&sortBy=saved',
  });
  const shown = await watchShown(context);
  await deliver(page, text);
  const notice = { title: 'Amber', body: '1 new post in “harbour”', tag: message.tag, url: message.url };
  await expect.poll(shown).toEqual([notice]);
  // The same message again, as a push service may deliver it, and one that cannot be parsed.
  await deliver(page, text);
  await deliver(page, 'no JSON');
  await expect.poll(async () => (await shown()).map(({ tag }) => tag)).toEqual([message.tag, 'unreadable']);
  await answered(page, ENDPOINTS.dropBrowser, () => closed.uncheck());
  await expect(closed).not.toBeChecked();
  await page.reload();
  await expect(closed).not.toBeChecked();
});

async function signIn(page: Page, wallet: TestWallet): Promise<void> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Connect/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: wallet.name }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** Does something and waits for the server's answer: a switch moves before that. */
async function answered(page: Page, { method, path }: Endpoint, act: () => Promise<void>): Promise<void> {
  const [start = ''] = path.split(':');
  const [answer] = await Promise.all([
    page.waitForResponse((one) => one.request().method() === method && new URL(one.url()).pathname.startsWith(start)),
    act(),
  ]);
  expect(answer.ok()).toBe(true);
}

/** Push services cannot be reached. This grants the permission and stands in for the browser's subscription. */
async function pretendToSubscribe(
  context: BrowserContext,
  json: { endpoint: string; keys: { p256dh: string; auth: string } },
): Promise<void> {
  await context.addInitScript((given) => {
    const make = () => ({
      endpoint: given.endpoint,
      options: { applicationServerKey: null },
      toJSON: () => given,
      unsubscribe: async () => {
        localStorage.removeItem('pretended');
        return true;
      },
    });
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    Notification.requestPermission = async () => 'granted';
    PushManager.prototype.getSubscription = async () =>
      localStorage.getItem('pretended') ? (make() as unknown as PushSubscription) : null;
    PushManager.prototype.subscribe = async () => {
      localStorage.setItem('pretended', 'yes');
      return make() as unknown as PushSubscription;
    };
  }, json);
}

/** Delivers a message to the service worker, as the browser's push client does. */
async function deliver(page: Page, data: string): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    client.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL, isDeleted }) => scopeURL.startsWith(product.url) && !isDeleted);
      if (own) resolve(own.registrationId);
    });
  });
  await client.send('ServiceWorker.enable');
  await client.send('ServiceWorker.deliverPushMessage', {
    origin: product.url,
    registrationId: await registered,
    data,
  });
  await client.detach();
}

/**
 * A headless browser shows no notifications. This records them instead; one with the tag of an earlier one replaces it.
 */
async function watchShown(context: BrowserContext): Promise<() => Promise<Shown[]>> {
  const worker = context.serviceWorkers().find((one) => one.url() === `${product.url}/sw.js`);
  if (!worker) throw new Error('there is no service worker');
  await worker.evaluate(() => {
    const scope = self as unknown as { shown: Map<string, Shown>; registration: ServiceWorkerRegistration };
    scope.shown = new Map();
    scope.registration.showNotification = async (title, { body = '', tag = '', data } = {}) => {
      scope.shown.set(tag, { title, body, tag, url: (data as { url: string }).url });
    };
  });
  return () => worker.evaluate(() => [...(self as unknown as { shown: Map<string, Shown> }).shown.values()]);
}

interface Shown {
  title: string;
  body: string;
  tag: string;
  url: string;
}
