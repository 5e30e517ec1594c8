import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test as base, expect } from '@playwright/test';
import { FEATURED_ID } from './posts.ts';

/** A page of another site, on its own origin. */
const test = base.extend<{ elsewhere: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs
  elsewhere: async ({}, use) => {
    const server = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end('<!doctype html><title>elsewhere</title>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    server.closeAllConnections();
    server.close();
  },
});

const PAGES = ['/', '/?view=table', `/post/${FEATURED_ID}`, '/author/anwen', '/dashboard', '/nothing', '/docs/'];
const OTHERS = [
  '/amber/archives',
  '/amber/archives/export',
  '/amber/auth/me',
  '/openapi.json',
  '/health',
  '/favicon.ico',
];

test('every kind of page and answer carries the policy, and none sets a cookie', async ({ page, context, request }) => {
  const policies = new Set<string | undefined>();
  const judge = (path: string, headers: Record<string, string>) => {
    policies.add(headers['content-security-policy']);
    expect([path, headers]).toEqual([
      path,
      expect.objectContaining({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'cross-origin-opener-policy': 'same-origin-allow-popups',
      }),
    ]);
    expect(headers).not.toHaveProperty('set-cookie');
  };
  for (const path of PAGES) {
    const response = await page.goto(path);
    judge(path, (await response?.allHeaders()) ?? {});
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(() => document.cookie)).toBe('');
  }
  for (const path of OTHERS) judge(path, (await request.get(path)).headers());
  expect(await context.cookies()).toEqual([]);
  expect(policies.size).toBe(1);
  const [policy = ''] = policies;
  const directives = new Map(policy.split(';').map((one) => [one.split(' ')[0], one.split(' ').slice(1)]));
  expect(directives.get('default-src')).toEqual(["'none'"]);
  expect(directives.get('script-src')).toEqual(["'self'"]);
  expect(directives.get('style-src')).toEqual(["'self'"]);
  for (const name of ['base-uri', 'object-src', 'frame-ancestors'])
    expect([name, directives.get(name)]).toEqual([name, ["'none'"]]);
  expect(directives.get('form-action')).toEqual(["'self'"]);
  expect(policy).not.toMatch(/unsafe|\*|http:(?!\/\/localhost|\/\/127)/);
});

test('another site cannot put the archive into a frame', async ({ page, elsewhere, baseURL }) => {
  await page.goto(elsewhere);
  for (const path of PAGES) {
    const refused = page.waitForEvent('console', (message) => /frame-ancestors|X-Frame-Options/i.test(message.text()));
    await page.evaluate((address) => {
      const frame = document.createElement('iframe');
      frame.src = address;
      document.body.replaceChildren(frame);
    }, `${baseURL}${path}`);
    await refused;
    expect(page.frames().filter((frame) => frame.url().startsWith(baseURL as string))).toEqual([]);
  }
});

test('another site can neither read from the archive nor change anything in it', async ({
  page,
  elsewhere,
  baseURL,
}) => {
  await page.goto(elsewhere);
  const ask = (path: string, init: Omit<RequestInit, 'body'> & { body?: string }) =>
    page.evaluate(
      ([address, options]) =>
        fetch(address, options).then(
          ({ type }) => type,
          () => 'refused',
        ),
      [`${baseURL}${path}`, init] as const,
    );
  expect(await ask('/amber/archives', {})).toBe('refused');
  expect(await ask('/amber/archives', { credentials: 'include' })).toBe('refused');
  const json = { 'content-type': 'application/json' };
  expect(await ask('/amber/auth/challenge', { method: 'POST', headers: json, body: '{}' })).toBe('refused');
  expect(await ask('/amber/auth/me', { headers: { authorization: 'Bearer x' } })).toBe('refused');
  // A request that needs no preflight is sent, but without credentials.
  const sent = page.waitForResponse((response) => response.url().includes('/amber/reactions/'));
  const form = { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{"reactionType":"heart"}' } as const;
  expect(await ask(`/amber/reactions/${FEATURED_ID}`, form)).toBe('opaque');
  expect((await sent).status()).toBe(401);
});

test('text never becomes markup or code, and nothing is fetched from elsewhere', async ({ page, elsewhere }) => {
  await page.goto('/');
  await page.waitForLoadState('networkidle');
  const outcome = await page.evaluate(async (address) => {
    const violated: string[] = [];
    document.addEventListener('securitypolicyviolation', (event) => violated.push(event.effectiveDirective));
    const tries: Record<string, () => unknown> = {
      innerHTML: () => {
        document.createElement('div').innerHTML = '<b>x</b>';
      },
      scriptText: () => {
        document.createElement('script').text = 'window.isRun = true';
      },
      scriptSource: () => {
        document.createElement('script').src = address;
      },
      write: () => document.write('<b>x</b>'),
      parse: () => new DOMParser().parseFromString('<b>x</b>', 'text/html'),
    };
    const refused = Object.keys(tries).filter((name) => {
      try {
        tries[name]?.();
        return false;
      } catch (error) {
        return error instanceof TypeError;
      }
    });
    const loaded = (element: HTMLElement, target: Node) =>
      new Promise<string>((resolve) => {
        element.addEventListener('load', () => resolve('loaded'));
        element.addEventListener('error', () => resolve('refused'));
        target.appendChild(element);
      });
    const image = Object.assign(new Image(), { src: `${address}a.png` });
    const style = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: `${address}a.css` });
    const outcomes = [
      await fetch(address).then(
        () => 'loaded',
        () => 'refused',
      ),
      await loaded(image, document.body),
      await loaded(style, document.head),
    ];
    const inline = document.createElement('div');
    inline.setAttribute('style', 'color: red');
    document.body.append(inline);
    return { refused, outcomes, violated, color: getComputedStyle(inline).color };
  }, elsewhere);
  expect(outcome.refused).toEqual(['innerHTML', 'scriptText', 'scriptSource', 'write', 'parse']);
  expect(outcome.outcomes).toEqual(['refused', 'refused', 'refused']);
  expect(outcome.color).not.toBe('rgb(255, 0, 0)');
  expect(outcome.violated).toEqual(expect.arrayContaining(['connect-src', 'img-src', 'style-src-elem']));
});
