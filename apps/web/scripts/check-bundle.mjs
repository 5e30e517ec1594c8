/** Fails when the first script a visitor loads grows over its budget, or when a page would need an inline script or style. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const BUDGET_BYTES = 95_000;
const dist = new URL('../dist/', import.meta.url);
const read = (file) => readFileSync(new URL(file, dist));

const manifest = JSON.parse(read('.vite/manifest.json').toString());
const entry = manifest['index.html'];
if (entry === undefined) fail('index.html is not in the manifest.');

const html = read('index.html').toString();
const blocking = [...html.matchAll(/<script src="\/([^"]+)"/g)].map((match) => match[1]);
const scripts = new Set([...blocking, ...withImports('index.html')]);
const bytes = [...scripts].reduce((sum, file) => sum + gzipSync(read(file), { level: 9 }).length, 0);

console.log(
  `first script: ${bytes.toLocaleString('en')} bytes gzip of ${BUDGET_BYTES.toLocaleString('en')} (${scripts.size} files)`,
);
if (bytes > BUDGET_BYTES) fail('The first script is over its budget.');
if (/<script(?![^>]*\bsrc=)/.test(html) || /<style|\sstyle="|\son\w+="/.test(html))
  fail('index.html holds an inline script or style.');
if (html.includes('%PRODUCT_')) fail('index.html holds a placeholder.');

function withImports(key, seen = new Set()) {
  const chunk = manifest[key];
  if (chunk === undefined || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const next of chunk.imports ?? []) withImports(next, seen);
  return seen;
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
