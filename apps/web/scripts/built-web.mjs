/** Reads the built web for the checks. */
import { readFileSync } from 'node:fs';

const dist = new URL('../dist/', import.meta.url);

export const read = (file) => readFileSync(new URL(file, dist));
export const html = read('index.html').toString();
export const manifest = JSON.parse(read('.vite/manifest.json').toString());

export function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
