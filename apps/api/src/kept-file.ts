import { randomBytes, randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Reads a secret of a development machine; creates it at the first start, readable only for its owner. */
export function keptFile(path: string, make: () => string): string {
  const draft = `${path}.${randomUUID()}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(draft, make(), { mode: 0o600 });
  try {
    // A link is atomic. If two processes start at once, the first one's file stays.
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(path, 'utf8').trim();
}

/** A key of 48 random bytes in a data directory. Throws if the file holds no key, and says what deleting it does. */
export function keptSecret(dataDir: string, name: string, ifDeleted: string): string {
  const path = join(dataDir, name);
  const secret = keptFile(path, () => randomBytes(48).toString('base64url'));
  if (Buffer.byteLength(secret) < 32) throw new Error(`${path} holds no secret: delete it, and ${ifDeleted}`);
  return secret;
}
