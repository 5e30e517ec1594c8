declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  /** Encrypted content encoding (RFC 8188) with the keys of Web Push (RFC 8291). */
  export function encrypt(
    data: Buffer,
    options: { version: 'aes128gcm'; privateKey: ECDH; dh: string; authSecret: string; salt: string; pad?: number },
  ): Buffer;
}
