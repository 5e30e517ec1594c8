import { rm } from 'node:fs/promises';
import { build, context } from 'esbuild';

/** @type {import('esbuild').BuildOptions} */
const options = {
  entryPoints: { main: 'src/main.ts', worker: 'src/archive-index/worker.ts', cli: 'src/cli/main.ts' },
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: true,
  logLevel: 'warning',
  // libsql is native; the rest are the driver's optional parts, and the engine that only a checkout has.
  external: [
    'libsql',
    '@archive/embedded-mongo',
    '@aws-sdk/credential-providers',
    '@mongodb-js/zstd',
    'aws4',
    'gcp-metadata',
    'kerberos',
    'mongodb-client-encryption',
    'snappy',
    'socks',
  ],
  banner: {
    js: "import { createRequire as createRequireForBundle } from 'node:module'; const require = createRequireForBundle(import.meta.url);",
  },
};

if (process.argv.includes('--watch')) {
  const watcher = await context(options);
  await watcher.watch();
} else {
  await rm('dist', { recursive: true, force: true });
  await build(options);
}
