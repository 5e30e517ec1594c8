import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

/** The build is made here and then renamed, so that a running process never finds `dist` missing or incomplete. */
const NEXT = 'dist.next';

/**
 * Silences two parts of web3.js that warn at every start. One wants a native binding that is not built here, so its own
 * JavaScript version is used. The other loads Node's deprecated punycode, so the package of that name is used.
 *
 * @type {import('esbuild').Plugin}
 */
const quiet = {
  name: 'quiet',
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /[\\/]bigint-buffer[\\/]dist[\\/]node\.js$/ }, async ({ path }) => ({
      contents: await readFile(path.replace(/node\.js$/, 'browser.js')),
    }));
    const path = createRequire(import.meta.url).resolve('punycode/');
    onResolve({ filter: /^punycode$/ }, () => ({ path }));
  },
};

/** @type {import('esbuild').BuildOptions} */
const options = {
  entryPoints: {
    main: 'src/main.ts',
    worker: '../../packages/search/src/sqlite/worker.ts',
    draw: 'src/pages/picture/draw-thread.ts',
    cli: 'src/cli/main.ts',
    agent: 'src/agent-main.ts',
  },
  outdir: NEXT,
  bundle: true,
  plugins: [quiet],
  // Code that only one command needs is loaded by that command.
  splitting: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: true,
  logLevel: 'warning',
  // libsql, sharp and resvg are native; satori brings files of its own. The others are optional parts of the MongoDB
  // driver, and the database engine that only a checkout has.
  external: [
    'libsql',
    'sharp',
    'satori',
    '@resvg/resvg-js',
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

await rm(NEXT, { recursive: true, force: true });
// esbuild has already printed the errors.
await build(options).catch(() => process.exit(1));
await copyDocs();
await rm('dist.last', { recursive: true, force: true });
await mkdir('dist', { recursive: true });
await rename('dist', 'dist.last');
await rename(NEXT, 'dist');
await rm('dist.last', { recursive: true, force: true });

/** Copies the page of the API's description and the files of its renderer. */
async function copyDocs() {
  const renderer = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  await cp('docs-page', `${NEXT}/docs`, { recursive: true });
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'])
    await cp(join(renderer, file), join(NEXT, 'docs', file));
}
