const { join } = require('node:path');
const { build } = require('esbuild');

const here = (path) => join(__dirname, path);

/**
 * Bundles the scripts that tests start as threads and processes. From the sources each would take a quarter of a second
 * to start.
 */
module.exports = () =>
  build({
    entryPoints: {
      worker: here('../sqlite/worker.ts'),
      'small-disk': here('small-disk.ts'),
      'build-until-killed': here('build-until-killed.ts'),
    },
    outdir: here('../../node_modules/.cache/threads'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    external: ['libsql'],
  });
