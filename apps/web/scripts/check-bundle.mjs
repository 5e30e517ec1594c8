/**
 * Fails when the first script a visitor loads, the wallets on top of it, or featuring on top of both grow over their
 * budget, when the first script holds anything of Solana's, when scripts need each other in a circle, so that one would
 * run before what it needs, or when a page would need an inline script or style.
 */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const BUDGET_BYTES = 95_000;
const WALLET = 'src/wallet/wallet-island.tsx';
const WALLET_BUDGET_BYTES = 150_000;
const FEATURING = ['src/features/featuring/feature-sheet.tsx', 'src/features/featuring/chain-part.ts'];
const FEATURING_BUDGET_BYTES = 30_000;
/** A field of every transaction, which no minifying takes away. */
const SOLANA = 'recentBlockhash';
const dist = new URL('../dist/', import.meta.url);
const read = (file) => readFileSync(new URL(file, dist));

const manifest = JSON.parse(read('.vite/manifest.json').toString());
const chunkOf = new Map(Object.values(manifest).map((chunk) => [chunk.file, chunk]));

const html = read('index.html').toString();
const scripts = new Set();
for (const [, file] of html.matchAll(/<(?:script|link rel="modulepreload")[^>]* (?:src|href)="\/([^"]+\.js)"/g))
  add(file);
if (scripts.size === 0) fail('index.html loads no script.');
const bytes = sizeOf(scripts);

const walletScripts = new Set();
add(manifest[WALLET].file, walletScripts);
const walletBytes = sizeOf([...walletScripts].filter((file) => !scripts.has(file)));

const featuringScripts = new Set();
for (const part of FEATURING) add(manifest[part].file, featuringScripts);
const featuringBytes = sizeOf([...featuringScripts].filter((file) => !scripts.has(file) && !walletScripts.has(file)));

console.log(
  `first script: ${bytes.toLocaleString('en')} bytes gzip of ${BUDGET_BYTES.toLocaleString('en')} (${scripts.size} files)`,
);
console.log(`wallets: ${walletBytes.toLocaleString('en')} bytes gzip of ${WALLET_BUDGET_BYTES.toLocaleString('en')}`);
console.log(
  `featuring: ${featuringBytes.toLocaleString('en')} bytes gzip of ${FEATURING_BUDGET_BYTES.toLocaleString('en')}`,
);
if (bytes > BUDGET_BYTES) fail('The first script is over its budget.');
if (walletBytes > WALLET_BUDGET_BYTES) fail('The wallets are over their budget.');
if (featuringBytes > FEATURING_BUDGET_BYTES) fail('Featuring is over its budget.');
if (![...walletScripts].some(holdsSolana)) fail(`Nothing holds "${SOLANA}" any more: look for another word.`);
if ([...scripts].some(holdsSolana)) fail('The first script holds code of Solana.');
for (const chunk of chunkOf.values()) failInCircle(chunk);
if (/<script(?![^>]*\bsrc=)/.test(html) || /<style|\sstyle="|\son\w+="/.test(html))
  fail('index.html holds an inline script or style.');
if (html.includes('%PRODUCT_')) fail('index.html holds a placeholder.');

function add(file, found = scripts) {
  if (found.has(file)) return;
  found.add(file);
  for (const key of chunkOf.get(file)?.imports ?? []) add(manifest[key].file, found);
}

function failInCircle(chunk, path = []) {
  if (path.includes(chunk.file)) fail(`Scripts need each other: ${[...path, chunk.file].join(', ')}`);
  for (const key of chunk.imports ?? []) failInCircle(manifest[key], [...path, chunk.file]);
}

function holdsSolana(file) {
  return read(file).includes(SOLANA);
}

function sizeOf(files) {
  return [...files].reduce((sum, file) => sum + gzipSync(read(file), { level: 9 }).length, 0);
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
