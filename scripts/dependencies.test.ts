import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

const ROOT = join(__dirname, '..');

/** Refused versions: a list, or all older than `below`, optionally within the major version `of`. */
type Refused = { why: string } & ({ versions: string[] } | { below: string; of?: number } | { all: true });

/**
 * Known vulnerable versions of packages that the product uses or might use. A registry's audit knows more, but is not
 * always reachable.
 */
const REFUSED: Record<string, Refused[]> = {
  '@solana/web3.js': [{ versions: ['1.95.6', '1.95.7'], why: 'GHSA-jcxm-7wvp-g6p5: stole keys' }],
  'bigint-buffer': [{ all: true, why: 'CVE-2025-3194, never mended' }],
  'event-stream': [{ versions: ['3.3.6'], why: 'stole keys' }],
  'flatmap-stream': [{ all: true, why: 'stole keys' }],
  'ua-parser-js': [{ versions: ['0.7.29', '0.8.0', '1.0.0'], why: 'GHSA-pjwm-rvh2-c87w' }],
  rc: [{ versions: ['1.2.9', '1.3.9', '2.3.9'], why: 'taken over in 2021' }],
  coa: [{ versions: ['2.0.3', '2.0.4', '2.1.1', '2.1.3', '3.0.1', '3.1.3'], why: 'taken over in 2021' }],
  'node-ipc': [{ versions: ['9.2.2', '10.1.1', '10.1.2', '10.1.3'], why: 'CVE-2022-23812' }],
  debug: [{ versions: ['4.4.2'], why: 'taken over in September 2025' }],
  chalk: [{ versions: ['5.6.1'], why: 'taken over in September 2025' }],
  'ansi-styles': [{ versions: ['6.2.2'], why: 'taken over in September 2025' }],
  'ansi-regex': [{ versions: ['6.2.1'], why: 'taken over in September 2025' }],
  'strip-ansi': [{ versions: ['7.1.1'], why: 'taken over in September 2025' }],
  'wrap-ansi': [{ versions: ['9.0.1'], why: 'taken over in September 2025' }],
  'slice-ansi': [{ versions: ['7.1.1'], why: 'taken over in September 2025' }],
  'supports-color': [{ versions: ['10.2.1'], why: 'taken over in September 2025' }],
  'color-convert': [{ versions: ['3.1.1'], why: 'taken over in September 2025' }],
  'color-name': [{ versions: ['2.0.1'], why: 'taken over in September 2025' }],
  'is-arrayish': [{ versions: ['0.3.3'], why: 'taken over in September 2025' }],
  'error-ex': [{ versions: ['1.3.3'], why: 'taken over in September 2025' }],
  jsonwebtoken: [{ below: '9.0.0', why: 'CVE-2022-23539 to 23541' }],
  ws: [
    { of: 7, below: '7.5.10', why: 'CVE-2024-37890' },
    { of: 8, below: '8.17.1', why: 'CVE-2024-37890' },
  ],
  'cross-spawn': [{ of: 7, below: '7.0.5', why: 'CVE-2024-21538' }],
  braces: [{ below: '3.0.3', why: 'CVE-2024-4068' }],
  micromatch: [{ below: '4.0.8', why: 'CVE-2024-4067' }],
  cookie: [{ below: '0.7.0', why: 'CVE-2024-47764' }],
  send: [{ below: '0.19.0', why: 'CVE-2024-43799' }],
  'serve-static': [{ below: '1.16.0', why: 'CVE-2024-43800' }],
  'body-parser': [{ below: '1.20.3', why: 'CVE-2024-45590' }],
  'path-to-regexp': [{ of: 0, below: '0.1.12', why: 'CVE-2024-52798' }],
  elliptic: [{ below: '6.6.1', why: 'GHSA-vjh7-7g9h-fjfh' }],
  esbuild: [{ below: '0.25.0', why: 'GHSA-67mh-4wv8-2f99' }],
  'form-data': [{ of: 4, below: '4.0.4', why: 'CVE-2025-7783' }],
  semver: [
    { of: 6, below: '6.3.1', why: 'CVE-2022-25883' },
    { of: 7, below: '7.5.2', why: 'CVE-2022-25883' },
  ],
  json5: [{ of: 2, below: '2.2.2', why: 'CVE-2022-46175' }],
  minimist: [{ below: '1.2.6', why: 'CVE-2021-44906' }],
  lodash: [{ below: '4.17.21', why: 'CVE-2021-23337' }],
  nanoid: [{ of: 3, below: '3.3.8', why: 'CVE-2024-55565' }],
  'word-wrap': [{ below: '1.2.4', why: 'CVE-2023-26115' }],
  'on-headers': [{ below: '1.1.0', why: 'CVE-2025-7339' }],
};

interface Lockfile {
  packages: Record<string, { resolution: { integrity?: string; tarball?: string } }>;
}

/** A separate installation. Its packages are for tests and the demo only. */
const NETWORK = 'packages/local-bluesky/network';

describe.each(['.', NETWORK])('what the lockfile of %s holds', (root) => {
  const lockfile = parse(readFileSync(join(ROOT, root, 'pnpm-lock.yaml'), 'utf8')) as Lockfile;

  test('is none of the versions that are known to be bad', () => {
    expect(Object.keys(lockfile.packages).length).toBeGreaterThan(400);
    expect(refusedAmong(Object.keys(lockfile.packages))).toEqual([]);
  });

  test('comes from the registry with its hash, from nowhere else', () => {
    const odd = Object.entries(lockfile.packages).filter(
      ([, { resolution }]) => !resolution.integrity?.startsWith('sha512-') || resolution.tarball !== undefined,
    );
    expect(odd.map(([name]) => name)).toEqual([]);
  });

  test('was asked for by exact versions, the same in every workspace', () => {
    const versions = new Map<string, string>();
    const workspaces = ['apps', 'packages'].flatMap((folder) =>
      readdirSync(join(ROOT, folder)).map((name) => join(folder, name)),
    );
    for (const folder of root === '.' ? ['.', 'e2e', ...workspaces] : [root]) {
      const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
        readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
      ) as Record<string, Record<string, string> | undefined>;
      for (const [name, version] of Object.entries({
        ...dependencies,
        ...devDependencies,
        ...optionalDependencies,
      })) {
        expect([folder, name, version]).toEqual([
          folder,
          name,
          expect.stringMatching(/^(workspace:\*|(npm:[a-z-]+@)?\d+\.\d+\.\d+(-[\w.]+)?)$/),
        ]);
        expect([folder, name, version]).toEqual([folder, name, versions.get(name) ?? version]);
        versions.set(name, version);
      }
    }
  });

  test('may run no script when it is installed', () => {
    const { allowBuilds } = parse(readFileSync(join(ROOT, root, 'pnpm-workspace.yaml'), 'utf8')) as {
      allowBuilds: Record<string, boolean>;
    };
    expect(Object.values(allowBuilds).filter(Boolean)).toEqual([]);
  });
});

test('a bad version is found by name, by line and by age', () => {
  const bad = ['@solana/web3.js@1.95.7', 'bigint-buffer@1.1.5', 'ws@7.5.9', 'ws@8.17.0', 'lodash@4.17.20'];
  const good = [
    '@solana/web3.js@1.99.0',
    '@trufflesuite/bigint-buffer@1.1.10',
    'ws@7.5.10',
    'ws@8.20.0',
    'lodash@4.18.1',
  ];
  expect(refusedAmong([...bad, ...good]).map((one) => one.split(' ')[0])).toEqual(bad);
});

/** The entries of the form `name@version` that are refused. */
function refusedAmong(packages: string[]): string[] {
  return packages.flatMap((one) => {
    const at = one.lastIndexOf('@');
    const [name, version] = [one.slice(0, at), one.slice(at + 1)];
    const rules = REFUSED[name] ?? [];
    return rules.filter((rule) => isRefused(version, rule)).map(({ why }) => `${one} (${why})`);
  });
}

function isRefused(version: string, rule: Refused): boolean {
  if ('all' in rule) return true;
  if ('versions' in rule) return rule.versions.includes(version);
  const [own, least] = [version, rule.below].map((text) => text.split('-')[0]?.split('.').map(Number) ?? []);
  if (rule.of !== undefined && own?.[0] !== rule.of) return false;
  const first = [0, 1, 2].find((at) => own?.[at] !== least?.[at]);
  return first !== undefined && (own?.[first] ?? 0) < (least?.[first] ?? 0);
}
