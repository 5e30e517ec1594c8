import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';

/**
 * Builds what `npm pack` puts into the package: one script, with the parts of the contract that it needs, and the types
 * of both. zod is a dependency only for the types.
 */
process.chdir(import.meta.dirname);
rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: ['src/index.ts'],
  outfile: 'dist/index.js',
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  conditions: ['source'],
  logLevel: 'warning',
});
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
const TYPES = 'dist/types';
for (const file of readdirSync(TYPES, { recursive: true })) {
  if (!file.endsWith('.d.ts')) continue;
  const name = join(TYPES, file);
  const contracts = relative(dirname(name), `${TYPES}/contracts/src/index.js`);
  const text = readFileSync(name, 'utf8')
    .replaceAll(/\.ts(?=['"])/g, '.js')
    .replaceAll("'@archive/contracts'", `'${contracts}'`);
  writeFileSync(name, text);
}
