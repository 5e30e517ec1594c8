import { rmSync } from 'node:fs';
import type { Opened } from './_global-setup.ts';

export default async function tearDown(): Promise<void> {
  const { mongo, folder } = globalThis as Opened;
  await mongo?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
}
