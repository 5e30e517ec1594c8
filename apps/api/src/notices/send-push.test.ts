import type { RequestListener } from 'node:http';
import { BrowserKeys, PushEndpoint } from '@archive/testing/push';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { BrowserDocument } from '../accounts/browser-store.ts';
import { readConfig } from '../config.ts';
import { Outbound } from '../outbound/outbound.ts';
import { newPushKeys } from '../push-keys.ts';
import { sendPush } from './send-push.ts';

const config = readConfig({ MONGODB_URI: 'mongodb://localhost' });
const message = { title: 'Amber', body: 'A post you asked for is saved.', url: '/dashboard', tag: 'save-1' };

describe('a push service that lies', () => {
  let service: PushEndpoint;

  beforeEach(async () => {
    service = await PushEndpoint.open();
  });
  afterEach(() => service.close());

  const browserAt = (endpoint: string) => ({ endpoint, ...new BrowserKeys().keys }) as BrowserDocument;
  const send = (outbound: Outbound, endpoint: string) =>
    sendPush({ config, outbound, now: Date.now }, newPushKeys(), { browser: browserAt(endpoint), message });
  const ask = (answer: RequestListener) => {
    service.answer = answer;
    return send(new Outbound({ localHosts: [service.host] }), `http://${service.host}/send`);
  };

  it.each([301, 302, 307, 308])('is not followed with %d to where it leads', async (status) => {
    const asked: (string | undefined)[] = [];
    const outcome = await ask((request, response) => {
      asked.push(request.url);
      response.writeHead(status, { Location: '/elsewhere' }).end();
    });
    expect([outcome, asked]).toEqual([{ state: 'refused' }, ['/send']]);
  });

  it('is left when its answer does not end', async () => {
    let written = 0;
    const outcome = await ask((_request, response) => {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(1_024))) written += 1_024;
      };
      response.on('drain', write);
      write();
    });
    expect(outcome).toEqual({ state: 'refused' });
    expect(written).toBeLessThan(10_000_000);
  });

  it('is asked again later when it closes the door or is silent for ten seconds', async () => {
    expect(await ask((request) => void request.socket.destroy())).toEqual({ state: 'later', afterMs: 0 });
    expect(await ask(() => {})).toEqual({ state: 'later', afterMs: 0 });
  });

  it('cannot put us off for longer than six hours', async () => {
    const wait = (value: string) =>
      ask((_request, response) => void response.writeHead(503, { 'Retry-After': value }).end());
    expect(await wait('60')).toEqual({ state: 'later', afterMs: 60_000 });
    expect(await wait('999999999')).toEqual({ state: 'later', afterMs: 6 * 3_600_000 });
    for (const nonsense of ['-5', 'soon', '1e9']) expect(await wait(nonsense)).toEqual({ state: 'later', afterMs: 0 });
  });

  it.each([400, 401, 403, 413])('is not asked again after %d', async (status) => {
    expect(await ask((_request, response) => void response.writeHead(status).end())).toEqual({ state: 'refused' });
  });

  it.each(['127.0.0.1', '10.0.0.7', '169.254.169.254', '::1', 'fd00::1', '::ffff:192.168.0.1'])(
    'is forgotten where its name leads to %s',
    async (address) => {
      const outbound = new Outbound({ resolve: async () => [address] });
      expect(await send(outbound, 'https://push.example/send')).toEqual({ state: 'gone' });
    },
  );

  it('is forgotten where one of its addresses is private', async () => {
    const outbound = new Outbound({ resolve: async () => ['93.184.216.34', '127.0.0.1'] });
    expect(await send(outbound, 'https://push.example/send')).toEqual({ state: 'gone' });
  });
});
