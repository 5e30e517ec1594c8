import { relative } from 'node:path';
import type { Plugin } from 'vite';

const ENTRY = 'src/app/main.tsx';

/** Writes the modules of the first script with their sizes beside the manifest, largest first. */
export function moduleSizes(): Plugin {
  let root = '';
  return {
    name: 'module-sizes',
    apply: 'build',
    configResolved(config) {
      root = config.root;
    },
    generateBundle(_options, bundle) {
      const first = Object.values(bundle).find((file) => file.type === 'chunk' && `${root}/${ENTRY}` in file.modules);
      if (first?.type !== 'chunk') throw new Error(`No script holds ${ENTRY}.`);
      const sizes = Object.entries(first.modules)
        .map(([id, { renderedLength }]): [string, number] => [nameOf(id, root), renderedLength])
        .toSorted((a, b) => b[1] - a[1]);
      const source = JSON.stringify(Object.fromEntries(sizes), null, 1);
      this.emitFile({ type: 'asset', fileName: '.vite/first-script.json', source });
    },
  };
}

/** `src/app/app.tsx`, `react-dom/client.js`: for a package, the path after the last `node_modules`. */
function nameOf(id: string, root: string): string {
  return relative(root, id.replace('\0', '')).replace(/^.*node_modules\//, '');
}
