import type { Plugin } from 'vite';

const ORDER = '@layer reset,tokens,base,components,pages,overrides;';

/** States the order of the cascade layers first, because bundling may put a component's styles before it. */
export function layerOrder(): Plugin {
  return {
    name: 'layer-order',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'asset' && file.fileName.endsWith('.css')) file.source = `${ORDER}${file.source}`;
      }
    },
  };
}
