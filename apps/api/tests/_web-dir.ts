import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a built web of one page in a new folder. */
export function makeWebDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'web-dir-'));
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><html lang="en"><head><!--head--><title>built</title><!--/head--></head><body><div id="root"></div><noscript>built</noscript></body></html>',
  );
  return folder;
}
