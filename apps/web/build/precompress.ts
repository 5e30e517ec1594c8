import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXT = new Set(['.html', '.js', '.css', '.svg', '.txt', '.json', '.webmanifest']);
const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Writes a `.br` and a `.gz` beside every text file of the output, public files included. */
export function precompress(): Plugin {
  let folder = 'dist';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const files = await readdir(folder, { recursive: true });
        await Promise.all(files.filter((file) => TEXT.has(extname(file))).map((file) => compress(join(folder, file))));
      },
    },
  };
}

async function compress(file: string): Promise<void> {
  const bytes = await readFile(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await Promise.all([
    writeFile(`${file}.br`, await toBrotli(bytes, { params })),
    writeFile(`${file}.gz`, await toGzip(bytes, { level: 9 })),
  ]);
}
