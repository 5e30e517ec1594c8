import { randomBytes, randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A secret of a development machine, for its owner's eyes: made on first start and kept. */
export function keptFile(path: string, make: () => string): string {
  const draft = `${path}.${randomUUID()}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(draft, make(), { mode: 0o600 });
  try {
    // Whole or not at all; of two processes that start at once the first one's stands.
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(path, 'utf8').trim();
}

/** A key of 48 random bytes in a data directory; throws where what lies there is none, saying what deleting it does. */
export function keptSecret(dataDir: string, name: string, ifDeleted: string): string {
  const path = join(dataDir, name);
  const secret = keptFile(path, () => randomBytes(48).toString('base64url'));
  if (Buffer.byteLength(secret) < 32) throw new Error(`${path} holds no secret: delete it, and ${ifDeleted}`);
  return secret;
}
