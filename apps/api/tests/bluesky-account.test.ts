import { afterEach, describe, expect, it } from '@jest/globals';
import { BlueskyAccount } from '../src/sources/bluesky/bluesky-account.ts';
import { type ScriptedAnswer, type ScriptedBluesky, startScriptedBluesky } from './_bluesky.ts';

const LONG_AGO = new Date('2020-01-01T00:00:00Z');
const NOBODY = new AbortController().signal;
const OWN = `did:plc:${'a'.repeat(24)}`;
const ASKER = `did:plc:${'b'.repeat(24)}`;
const TOKEN = `e30.${Buffer.from(JSON.stringify({ exp: 4_000_000_000 })).toString('base64url')}.x`;
const SESSION = { did: OWN, handle: 'keeper.test', accessJwt: TOKEN, refreshJwt: TOKEN, active: true };

/** A notification from `ago` milliseconds before now. */
function notification(ago: number, text = 'save') {
  const at = new Date(Date.now() - ago).toISOString();
  return {
    uri: `at://${ASKER}/app.bsky.feed.post/${'3'.repeat(12)}2`,
    author: { did: ASKER, handle: 'asker.test' },
    reason: 'mention',
    record: { $type: 'app.bsky.feed.post', text, createdAt: at },
    indexedAt: at,
  };
}

describe('the account on Bluesky', () => {
  let service: ScriptedBluesky;
  afterEach(() => service.close());

  async function accountWith(answers: Record<string, () => ScriptedAnswer>): Promise<BlueskyAccount> {
    const session = { 'com.atproto.server.createSession': () => ({ body: SESSION }) };
    const all: Record<string, () => ScriptedAnswer> = { ...session, ...answers };
    service = await startScriptedBluesky(({ name }) => all[name]?.() ?? { status: 501, body: {} });
    return new BlueskyAccount({ service: service.url, identifier: 'keeper.test', password: 'secret' });
  }

  it('does not try a wrong password again and again, whatever it is asked for', async () => {
    const body = { error: 'AuthenticationRequired', message: 'Invalid identifier or password' };
    const account = await accountWith({ 'com.atproto.server.createSession': () => ({ status: 401, body }) });
    await expect(account.open(NOBODY)).rejects.toThrow(/401 AuthenticationRequired/);
    const to = { address: 'at://x', at: new Date() };
    const reply = { key: 'a', text: 'Saved', link: null, mayBeThere: false };
    for (const work of [
      account.open(NOBODY),
      account.mentions(null, LONG_AGO, NOBODY),
      account.reply(to, reply, NOBODY),
    ]) {
      await expect(work).rejects.toMatchObject({ until: expect.any(Date), isUndone: true });
    }
    expect(service.asked).toHaveLength(1);
  });

  it('signs in no more until the service wants it to', async () => {
    const reset = Math.ceil(Date.now() / 1_000) + 3_600;
    const headers = { 'RateLimit-Reset': String(reset) };
    const body = { error: 'RateLimitExceeded', message: 'Rate Limit Exceeded' };
    const account = await accountWith({ 'com.atproto.server.createSession': () => ({ status: 429, headers, body }) });
    for (let times = 0; times < 2; times++) {
      await expect(account.open(NOBODY)).rejects.toMatchObject({ until: new Date(reset * 1_000) });
    }
    expect(service.asked).toHaveLength(1);
  });

  it('ends signing in with the signal it was given, and reads on after that signal has ended', async () => {
    const account = await accountWith({
      'app.bsky.notification.listNotifications': () => ({ body: { notifications: [] } }),
    });
    await expect(account.open(AbortSignal.abort())).rejects.toThrow();
    expect(service.asked).toEqual([]);
    const one = new AbortController();
    const fresh = new BlueskyAccount({ service: service.url, identifier: 'keeper.test', password: 'secret' });
    await fresh.open(one.signal);
    one.abort();
    expect((await fresh.mentions(null, LONG_AGO, NOBODY)).mentions).toEqual([]);
  });

  it('does not go with its session to another host over plain http, whatever its document names', async () => {
    const elsewhere = await startScriptedBluesky(() => ({ body: { notifications: [] } }));
    const serviceEndpoint = elsewhere.url.replace('127.0.0.1', 'localhost');
    const named = { id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint };
    const didDoc = { '@context': ['https://www.w3.org/ns/did/v1'], id: OWN, service: [named] };
    const account = await accountWith({
      'com.atproto.server.createSession': () => ({ body: { ...SESSION, didDoc } }),
    });
    await expect(account.mentions(null, LONG_AGO, NOBODY)).rejects.toThrow(/localhost:\d+, which is not https/);
    expect(elsewhere.asked).toEqual([]);
    await elsewhere.close();
  });

  it('takes what it read where a service tells without an end', async () => {
    const one = notification(1_000);
    const body = { notifications: [one], cursor: 'more' };
    const account = await accountWith({ 'app.bsky.notification.listNotifications': () => ({ body }) });
    const found = await account.mentions(null, LONG_AGO, NOBODY);
    expect(found).toMatchObject({ isGap: true, next: one.indexedAt });
    expect(service.asked.length).toBeLessThanOrEqual(101);
  });
});
