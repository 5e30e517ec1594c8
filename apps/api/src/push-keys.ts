import { createECDH, createPrivateKey, type KeyObject } from 'node:crypto';

/**
 * This server's keys for push services (RFC 8292), in base64url: an uncompressed P-256 point and its private number.
 */
export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

const CURVE = 'prime256v1';
const COORDINATE_BYTES = 32;

export function newPushKeys(): PushKeys {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  // Node omits leading zeros of the number.
  const number = Buffer.concat([Buffer.alloc(COORDINATE_BYTES), pair.getPrivateKey()]).subarray(-COORDINATE_BYTES);
  return { publicKey: pair.getPublicKey('base64url'), privateKey: number.toString('base64url') };
}

/** Whether both are valid keys and belong together. */
export function isKeyPair({ publicKey, privateKey }: PushKeys): boolean {
  const number = Buffer.from(privateKey, 'base64url');
  if (number.length !== COORDINATE_BYTES || number.toString('base64url') !== privateKey) return false;
  try {
    const pair = createECDH(CURVE);
    pair.setPrivateKey(number);
    return pair.getPublicKey('base64url') === publicKey;
  } catch {
    return false;
  }
}

/** Whether a browser's key is a point of the curve. Messages cannot be encrypted with any other key. */
export function isPoint(publicKey: string): boolean {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  try {
    pair.computeSecret(publicKey, 'base64url');
    return true;
  } catch {
    return false;
  }
}

/** The private key as a key object for signing. */
export function signingKey({ publicKey, privateKey }: PushKeys): KeyObject {
  const point = Buffer.from(publicKey, 'base64url').subarray(1);
  const x = point.subarray(0, COORDINATE_BYTES).toString('base64url');
  const y = point.subarray(COORDINATE_BYTES).toString('base64url');
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x, y, d: privateKey }, format: 'jwk' });
}
