import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import { keptFile } from '../kept-file.ts';

const ALGORITHM = 'HS256';
export const TOKEN_LIFETIME_MS = 24 * 60 * 60_000;

export interface TokenClaims {
  walletAddress: string;
  /** The session's id. */
  id: string;
}

/** Signs and checks session tokens: one algorithm, issuer, audience and expiry, whatever a token says of itself. */
export class Tokens {
  /** A key, not its text: from a text the library first tries to make a public key, at half a millisecond a token. */
  readonly #secret: KeyObject;
  readonly #issuer: string;
  readonly #now: () => number;

  constructor(options: { secret: string; issuer: string; now: () => number }) {
    this.#secret = createSecretKey(options.secret, 'utf8');
    this.#issuer = options.issuer;
    this.#now = options.now;
  }

  sign(claims: TokenClaims): string {
    const issuedAt = Math.floor(this.#now() / 1000);
    return jwt.sign({ iat: issuedAt, exp: issuedAt + TOKEN_LIFETIME_MS / 1000 }, this.#secret, {
      algorithm: ALGORITHM,
      issuer: this.#issuer,
      audience: this.#issuer,
      subject: claims.walletAddress,
      jwtid: claims.id,
    });
  }

  /** The claims of a valid token, or null. */
  read(token: string): TokenClaims | null {
    try {
      const claims = jwt.verify(token, this.#secret, {
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

/** The secret of a development machine: made on first start and kept, so that sessions outlive a restart. */
export function keptSecret(dataDir: string): string {
  const path = join(dataDir, 'jwt-secret');
  const secret = keptFile(path, () => randomBytes(48).toString('base64url'));
  if (Buffer.byteLength(secret) < 32)
    throw new Error(`${path} holds no secret: delete it, and everybody signs in again`);
  return secret;
}
