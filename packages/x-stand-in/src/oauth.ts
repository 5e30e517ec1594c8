import { createHmac, timingSafeEqual } from 'node:crypto';

export interface Credentials {
  apiKey: string;
  apiSecret: string;
  accessToken: string;
  accessSecret: string;
}

interface Signed {
  method: string;
  /** The address without its query. */
  address: string;
  query: URLSearchParams;
  authorization: string | undefined;
}

const LONGEST_AGO_MS = 5 * 60_000;

/** Checks the OAuth 1.0a signatures of calls (RFC 5849, HMAC-SHA1). Each signature is valid once. */
export class SignatureCheck {
  readonly #credentials: Credentials;
  readonly #seen = new Set<string>();

  constructor(credentials: Credentials) {
    this.#credentials = credentials;
  }

  /** Why a call is not a valid call of the agent; null if it is. */
  refusalOf({ method, address, query, authorization = '' }: Signed): string | null {
    if (!authorization.startsWith('OAuth ')) return 'no OAuth 1.0a header';
    const given = new Map<string, string>();
    for (const pair of authorization.slice('OAuth '.length).split(', ')) {
      const [name = '', value = ''] = pair.split('=', 2);
      given.set(name, decodeURIComponent(value.replaceAll('"', '')));
    }
    const { apiKey, apiSecret, accessToken, accessSecret } = this.#credentials;
    if (given.get('oauth_consumer_key') !== apiKey) return 'another application';
    if (given.get('oauth_token') !== accessToken) return 'another account';
    if (given.get('oauth_signature_method') !== 'HMAC-SHA1') return 'another method of signing';
    const at = Number(given.get('oauth_timestamp')) * 1_000;
    if (!(Math.abs(Date.now() - at) <= LONGEST_AGO_MS)) return 'a time that is over';
    const nonce = given.get('oauth_nonce') ?? '';
    if (nonce === '' || this.#seen.has(nonce)) return 'a nonce that was there before';
    this.#seen.add(nonce);
    const signature = Buffer.from(given.get('oauth_signature') ?? '', 'base64');
    given.delete('oauth_signature');
    const wanted = createHmac('sha1', `${encode(apiSecret)}&${encode(accessSecret)}`)
      .update([method, encode(address), encode(parametersOf([...given, ...query]))].join('&'))
      .digest();
    const isRight = signature.length === wanted.length && timingSafeEqual(signature, wanted);
    return isRight ? null : 'a wrong signature';
  }
}

/** The parameters in order of their encoded names, then of their values. */
function parametersOf(pairs: readonly (readonly [string, string])[]): string {
  return pairs
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([one, first], [other, second]) => compare(one, other) || compare(first, second))
    .map((pair) => pair.join('='))
    .join('&');
}

function compare(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
