/**
 * Fails if the first script, the wallet code or the featuring code exceeds its budget, or if a part that needs no
 * wallet loads Solana code. It belongs to the tests only: a bundle that is too large still works.
 */
import { gzipSync } from 'node:zlib';
import { fail, html, manifest, read } from './built-web.mjs';

const BUDGET_BYTES = 107_000;
const WALLET = 'src/wallet/wallet-provider.tsx';
const WALLET_BUDGET_BYTES = 150_000;
const FEATURING = ['src/features/featuring/sheet/feature-sheet.tsx', 'src/features/featuring/sheet/chain-part.ts'];
const FEATURING_BUDGET_BYTES = 30_000;
/** Parts that may load Solana code. The page shows them only after a wallet is connected. */
const NEEDS_SOLANA = new Set([
  WALLET,
  ...FEATURING,
  'src/features/featuring/payment/resume-payments.ts',
  'src/wallet/local-wallet.ts',
  'src/app/admin/admin-page.tsx',
  'src/app/pages/dashboard-page.tsx',
]);
const MODULES_SHOWN = 12;
/** A field of every Solana transaction. Minifying keeps its name. */
const SOLANA = 'recentBlockhash';

const chunkOf = new Map(Object.values(manifest).map((chunk) => [chunk.file, chunk]));

const first = new Set();
for (const [, file] of html.matchAll(/<(?:script|link rel="modulepreload")[^>]* (?:src|href)="\/([^"]+\.js)"/g))
  add(file, first);
if (first.size === 0) fail('index.html loads no script.');

const wallet = new Set();
add(fileOf(WALLET), wallet);

const featuring = new Set();
for (const part of FEATURING) add(fileOf(part), featuring);

const over = [
  overBudget(`first script (${first.size} files)`, [...first], BUDGET_BYTES),
  overBudget('wallets', [...wallet].filter(notIn(first)), WALLET_BUDGET_BYTES),
  overBudget('featuring', [...featuring].filter(notIn(first)).filter(notIn(wallet)), FEATURING_BUDGET_BYTES),
];
if (over[0]) nameLargest();
if (over.some(Boolean)) fail('The scripts are over their budget.');
if (![...wallet].some(holdsSolana)) fail(`Nothing holds "${SOLANA}" any more: look for another word.`);
if ([...first].some(holdsSolana)) fail('The first script holds code of Solana.');
for (const [source, { file, isDynamicEntry }] of Object.entries(manifest)) {
  if (!isDynamicEntry || NEEDS_SOLANA.has(source)) continue;
  const part = new Set();
  add(file, part);
  if ([...part].some(holdsSolana)) fail(`${source} loads code of Solana's, which only wallets and payments need.`);
}

function fileOf(source) {
  return manifest[source]?.file ?? fail(`The build knows no ${source} that is loaded later.`);
}

function add(file, found) {
  if (found.has(file)) return;
  found.add(file);
  for (const key of chunkOf.get(file)?.imports ?? []) add(manifest[key].file, found);
}

function notIn(files) {
  return (file) => !files.has(file);
}

function overBudget(name, files, budget) {
  const bytes = files.reduce((sum, file) => sum + gzipSync(read(file), { level: 9 }).length, 0);
  const rest = budget - bytes;
  const state = rest < 0 ? `${count(-rest)} OVER` : `${count(rest)} free`;
  console.log(`${name}: ${count(bytes)} bytes gzip of ${count(budget)}, ${state}`);
  return rest < 0;
}

function nameLargest() {
  const sizes = Object.entries(JSON.parse(read('.vite/first-script.json').toString()));
  console.log(`The largest of ${sizes.length} modules in the first script, in bytes before minifying and gzip:`);
  for (const [name, bytes] of sizes.slice(0, MODULES_SHOWN)) console.log(`  ${count(bytes).padStart(8)}  ${name}`);
}

function holdsSolana(file) {
  return read(file).includes(SOLANA);
}

function count(bytes) {
  return bytes.toLocaleString('en');
}
