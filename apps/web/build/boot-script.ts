import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

const ENTRY = fileURLToPath(new URL('../src/boot.ts', import.meta.url));
const DEV_PATH = '/static/js/boot.js';

/**
 * Puts a small blocking script into the head. The theme must be set before the first paint, and the content policy
 * forbids inline scripts.
 */
export function bootScript(): Plugin {
  let built: string | undefined;
  let dev = false;
  return {
    name: 'boot-script',
    configResolved(config) {
      dev = config.command === 'serve';
    },
    configureServer(server) {
      server.middlewares.use(DEV_PATH, (_request, response, next) => {
        bundle().then((code) => {
          response.setHeader('Content-Type', 'text/javascript');
          response.end(code);
        }, next);
      });
    },
    async buildStart() {
      if (!dev) built = await bundle();
    },
    generateBundle() {
      if (built !== undefined) this.emitFile({ type: 'asset', fileName: fileName(built), source: built });
    },
    transformIndexHtml: {
      order: 'pre',
      handler: () => [
        {
          tag: 'script',
          attrs: { src: built === undefined ? DEV_PATH : `/${fileName(built)}` },
          injectTo: 'head-prepend',
        },
      ],
    },
  };
}

function fileName(code: string): string {
  return `static/js/boot-${createHash('sha256').update(code).digest('base64url').slice(0, 8)}.js`;
}

async function bundle(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    publicDir: false,
    build: { write: false, lib: { entry: ENTRY, formats: ['iife'], name: 'boot', fileName: 'boot' }, minify: true },
  });
  const output = Array.isArray(result) ? result[0] : result;
  if (output === undefined || !('output' in output)) throw new Error('The boot script was not built.');
  return output.output[0].code;
}
