import { PRODUCT_SLUG } from '@archive/contracts';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { bootScript } from './build/boot-script.ts';
import { cssNames } from './build/css-names.ts';
import { firstChunk } from './build/first-chunk.ts';
import { layerOrder } from './build/layer-order.ts';
import { moduleSizes } from './build/module-sizes.ts';
import { precompress } from './build/precompress.ts';
import { preloadFonts } from './build/preload-fonts.ts';
import { productHtml } from './build/product-html.ts';
import { serviceWorker } from './build/service-worker.ts';
import { webManifest } from './build/web-manifest.ts';

const API = process.env['API_ORIGIN'] ?? 'http://localhost:4000';

export default defineConfig({
  plugins: [
    react(),
    productHtml(),
    bootScript(),
    preloadFonts([/instrument-sans-latin-wght-normal/, /literata-latin-wght-normal/]),
    cssNames(import.meta.dirname),
    layerOrder(),
    moduleSizes(),
    webManifest(),
    serviceWorker(),
    precompress(),
  ],
  resolve: {
    // Resolves the monorepo's packages to their sources, not to their builds.
    conditions: ['source', ...defaultClientConditions],
    // React has this hook itself since version 18; the shim only re-exports it.
    alias: [{ find: /^use-sync-external-store\/shim\/index\.js$/, replacement: 'react' }],
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      [
        `/${PRODUCT_SLUG}`,
        '/launches',
        '/media',
        '/health',
        '/ready',
        '/docs',
        '/openapi.json',
        '/feed.',
        '/share',
        '/embed',
        '/oembed',
        '/sitemap',
        '/robots.txt',
        '/llms.txt',
      ].map((path) => [path, API]),
    ),
  },
  build: {
    // The first browsers with light-dark(), :has(), popover and oklch(). Styles are not transpiled.
    target: ['chrome123', 'edge123', 'firefox125', 'safari17.5'],
    modulePreload: { polyfill: false },
    manifest: true,
    assetsInlineLimit: 0,
    rolldownOptions: {
      treeshake: { manualPureFunctions: ['Object.freeze'] },
      // The groups below define the shared chunks. Merging them further would make parts load code that only others
      // need.
      experimental: { chunkOptimization: false },
      optimization: { inlineConst: { mode: 'all', pass: 3 } },
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          // Few chunks for code that several later parts share: the first script lists every chunk's name.
          groups: [
            {
              name: firstChunk(
                import.meta.dirname,
                /\/contracts\/src\/(kept-data|launches|notice-href|program-examples|saves|search-panel|signed-messages|timeline)\.ts$/,
              ),
            },
            { name: 'shared-ui', test: /\/web\/src\/(ui|lib)\//, minShareCount: 2 },
            { name: 'shared-featuring', test: /\/(featuring|solana\/src)\//, minShareCount: 2 },
            // Its own chunk, because it pulls in all Solana code.
            { name: 'buffer-global', test: /\/wallet\/buffer-global\.ts$/ },
            { name: 'shared', test: /\/(web|contracts)\/src\//, minShareCount: 2 },
          ],
        },
        entryFileNames: 'static/js/[name]-[hash].js',
        chunkFileNames: 'static/js/[name]-[hash].js',
        assetFileNames: ({ names }) =>
          /\.woff2$/.test(names[0] ?? '') ? 'static/fonts/[name]-[hash][extname]' : 'static/css/[name]-[hash][extname]',
      },
    },
  },
});
