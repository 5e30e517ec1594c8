import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { openBytes } from '../media/create-media.ts';
import { MediaStore } from '../media/media-store.ts';
import { PREFIXES } from '../media/sweep-media.ts';

/**
 * Counts the media in the database and those without bytes in the configured store. Returns false if bytes are missing.
 */
export async function checkMedia({ db }: Database, config: Config): Promise<boolean> {
  const [store, bytes] = [new MediaStore(db), openBytes(config)];
  let kept = 0;
  let missing = 0;
  for (const prefix of PREFIXES) {
    const lying = new Set<string>();
    for await (const { name } of bytes.list(prefix)) lying.add(name);
    for await (const { name, state } of store.allOf(prefix)) {
      if (state !== 'kept') continue;
      kept++;
      // Asked again, since bytes may have arrived after the listing.
      if (!lying.has(name) && !(await bytes.has(name))) missing++;
    }
  }
  const outcome =
    missing === 0 ? 'the bytes of all are there' : `the bytes of ${missing.toLocaleString('en-US')} are missing`;
  process.stdout.write(`pictures and videos: ${kept.toLocaleString('en-US')}, and ${outcome}\n`);
  return missing === 0;
}
