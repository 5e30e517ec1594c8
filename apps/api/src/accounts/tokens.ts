import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { PRODUCT_SLUG } from '@archive/contracts';
import jwt from 'jsonwebtoken';

const ALGORITHM = 'HS256';
/** Only session tokens have this type, so that no other token can be used as one. */
const TYPE = `${PRODUCT_SLUG}-session+jwt`;
export const TOKEN_LIFETIME_MS = 24 * 60 * 60_000;

export interface TokenClaims {
  walletAddress: string;
  /** The session's id. */
  id: string;
}

interface Key {
  /** Identifies the secret in a token's header without revealing it. */
  id: string;
  /**
   * A key object. Given a text, the library first tries to parse a public key, which costs half a millisecond for each
   * token.
   */
  secret: KeyObject;
}

/**
 * Signs and verifies session tokens. Type, algorithm, issuer, audience, expiry and the list of keys are fixed, whatever
 * a token's header says (RFC 8725). The first secret signs; the other ones verify tokens from before a change, until
 * those expire.
 */
export class Tokens {
  readonly #signing: Key;
  readonly #keys: ReadonlyMap<unknown, Key>;
  readonly #issuer: string;
  readonly #now: () => number;

  constructor(options: { secrets: readonly [string, ...string[]]; issuer: string; now: () => number }) {
    const [first, ...others] = options.secrets;
    this.#signing = keyOf(first);
    this.#keys = new Map([this.#signing, ...others.map(keyOf)].map((key) => [key.id, key]));
    this.#issuer = options.issuer;
    this.#now = options.now;
  }

  sign(claims: TokenClaims): string {
    const issuedAt = Math.floor(this.#now() / 1000);
    return jwt.sign({ iat: issuedAt, exp: issuedAt + TOKEN_LIFETIME_MS / 1000 }, this.#signing.secret, {
      header: { alg: ALGORITHM, typ: TYPE, kid: this.#signing.id },
      issuer: this.#issuer,
      audience: this.#issuer,
      subject: claims.walletAddress,
      jwtid: claims.id,
    });
  }

  /** The claims of a valid token, or null. */
  read(token: string): TokenClaims | null {
    try {
      const header = jwt.decode(token, { complete: true })?.header;
      const key = this.#keys.get(header?.kid);
      if (!key || header?.typ !== TYPE) return null;
      const claims = jwt.verify(token, key.secret, {
        algorithms: [ALGORITHM],
        issuer: this.#issuer,
        audience: this.#issuer,
        clockTimestamp: Math.floor(this.#now() / 1000),
      });
      if (typeof claims === 'string' || !claims.sub || !claims.jti || !claims.exp) return null;
      return { walletAddress: claims.sub, id: claims.jti };
    } catch {
      return null;
    }
  }
}

function keyOf(secret: string): Key {
  const id = createHmac('sha256', secret).update('key id').digest().subarray(0, 8).toString('base64url');
  return { id, secret: createSecretKey(secret, 'utf8') };
}
