import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import type { Plugin } from 'vite';

const IMPORT = /^import (\w+) from ('[^']+\.module\.css');$/gm;

/**
 * Replaces imported class names by short strings. An object of all names per style sheet made the first script 1.3 kB
 * larger. The build fails on a name that the style sheet lacks, and on a name with a dash, which cannot be imported.
 */
export function cssNames(root: string): Plugin[] {
  const sheets = new Map<string, string>();
  return [
    {
      name: 'css-names',
      apply: 'build',
      enforce: 'pre',
      config: () => ({ css: { modules: { generateScopedName: scopedNames(root, sheets) } } }),
      transform: {
        filter: { id: /\.tsx$/ },
        handler: (code) => ({ code: code.replace(IMPORT, 'import * as $1 from $2;'), map: null }),
      },
      onLog(_level, { code, message }) {
        if (code === 'IMPORT_IS_UNDEFINED') throw new Error(message);
      },
    },
    {
      name: 'css-names:keep',
      apply: 'build',
      enforce: 'post',
      // Class names are inlined as strings, so no import refers to the style sheet. This keeps it in the bundle.
      transform: {
        filter: { id: /\.module\.css$/ },
        handler: (code) => ({ code, map: null, moduleSideEffects: 'no-treeshake' }),
      },
      generateBundle(_options, bundle) {
        const css = Object.values(bundle).map((file) =>
          file.fileName.endsWith('.css') && 'source' in file ? file.source : '',
        );
        for (const [letters, sheet] of sheets) {
          if (!css.some((text) => String(text).includes(`_${letters}`)))
            throw new Error(`The build has lost ${sheet}.`);
        }
      },
    },
  ];
}

/** `card_x4d`: the name, and three letters that identify the style sheet. */
function scopedNames(root: string, sheets: Map<string, string>): (name: string, file: string) => string {
  return (name, file) => {
    const sheet = relative(root, file);
    const hash = createHash('sha256').update(sheet).digest('hex');
    const letters = BigInt(`0x${hash}`).toString(36).slice(-3);
    const other = sheets.get(letters) ?? sheet;
    if (other !== sheet) throw new Error(`${sheet} and ${other} would share their class names: rename one of them.`);
    sheets.set(letters, sheet);
    return `${name}_${letters}`;
  };
}
