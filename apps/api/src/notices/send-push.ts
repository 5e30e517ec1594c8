import { createECDH, createHash, randomBytes } from 'node:crypto';
import { PUSH_HOURS, type PushMessage } from '@archive/contracts';
import { encrypt } from 'http_ece';
import jwt from 'jsonwebtoken';
import type { BrowserDocument } from '../accounts/browser-store.ts';
import type { Base } from '../base.ts';
import { OutboundRefusal } from '../outbound/outbound-refusal.ts';
import { type PushKeys, signingKey } from '../push-keys.ts';

/** `gone`: the browser no longer exists, or its address is not allowed. */
export type PushOutcome = { state: 'taken' | 'gone' | 'refused' } | { state: 'later'; afterMs: number };

/** Bytes of the push service's answer; only its status is used. */
const ANSWER_BYTES = 10_000;
const TIMEOUT_MS = 10_000;
/** Validity of the signature that identifies the sender; push services accept at most a day. */
const SIGNED_HOURS = 12;
/** Messages are padded to multiples of this, so that the push service cannot tell their lengths. */
const STEP_BYTES = 256;
const LONGEST_WAIT_MS = 6 * 3_600_000;

/**
 * Sends one message to one browser (RFC 8030), encrypted by RFC 8291 and signed by RFC 8292. Never throws for failures
 * of the other side.
 */
export async function sendPush(
  { config, outbound, now }: Pick<Base, 'config' | 'outbound' | 'now'>,
  keys: PushKeys,
  { browser, message, signal }: { browser: BrowserDocument; message: PushMessage; signal?: AbortSignal },
): Promise<PushOutcome> {
  const headers = {
    Authorization: `vapid t=${sign(keys, { browser, config, now: now() })}, k=${keys.publicKey}`,
    'Content-Encoding': 'aes128gcm',
    'Content-Type': 'application/octet-stream',
    TTL: String(PUSH_HOURS * 3_600),
    Urgency: 'normal',
    // A waiting message is replaced by a later one with the same topic.
    Topic: createHash('sha256').update(message.tag).digest('base64url').slice(0, 32),
  };
  const request = { hosts: 'anybody', maxBytes: ANSWER_BYTES, timeoutMs: TIMEOUT_MS, signal } as const;
  try {
    const body = encryptPush(browser, message);
    const { status, headers: told } = await outbound.post(browser.endpoint, { ...request, headers, body });
    if (status >= 200 && status < 300) return { state: 'taken' };
    if (status === 404 || status === 410) return { state: 'gone' };
    if (status === 429 || status === 408 || status >= 500)
      return { state: 'later', afterMs: waitOf(told['retry-after']) };
    return { state: 'refused' };
  } catch (error) {
    if (!(error instanceof OutboundRefusal)) throw error;
    if (error.reason === 'not_allowed') return { state: 'gone' };
    return error.mayRetry ? { state: 'later', afterMs: 0 } : { state: 'refused' };
  }
}

export function encryptPush({ p256dh, auth }: Pick<BrowserDocument, 'p256dh' | 'auth'>, message: PushMessage): Buffer {
  const privateKey = createECDH('prime256v1');
  privateKey.generateKeys();
  const text = Buffer.from(JSON.stringify(message));
  return encrypt(text, {
    version: 'aes128gcm',
    privateKey,
    dh: p256dh,
    authSecret: auth,
    salt: randomBytes(16).toString('base64url'),
    pad: STEP_BYTES - (text.length % STEP_BYTES),
  });
}

function sign(
  keys: PushKeys,
  { browser, config, now }: { browser: BrowserDocument; config: Base['config']; now: number },
): string {
  const claims = {
    aud: new URL(browser.endpoint).origin,
    exp: Math.floor(now / 1000) + SIGNED_HOURS * 3_600,
    // Contact for the push service.
    sub: config.securityContact ?? config.publicUrl.origin,
  };
  return jwt.sign(claims, signingKey(keys), { algorithm: 'ES256', noTimestamp: true });
}

/** Milliseconds from a header in seconds; 0 for a date or an invalid value. */
function waitOf(retryAfter: string | undefined): number {
  return Math.min(/^\d{1,9}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1000 : 0, LONGEST_WAIT_MS);
}
