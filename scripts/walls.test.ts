import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const ROOT = join(__dirname, '..');
const { forbidden } = require('./walls.cjs') as {
  forbidden: { name: string; from: { path?: string }; to: { path?: string } }[];
};

/**
 * For each rule, a file that breaks it and its import. A layer's rule is broken by an import from its lowest folder
 * into the highest layer.
 */
const PLANTED: Record<string, [file: string, imported: string]> = {
  'no-circle': ['packages/client/src/circle-a.ts', 'packages/client/src/circle-b.ts'],
  'nothing-unresolved': ['apps/web/src/lib/lost.ts', 'apps/web/src/lib/nowhere.ts'],
  'tests-stay-outside': ['apps/web/src/lib/tested.ts', 'apps/web/src/testing/fixture.ts'],
  'scripts-on-top': ['apps/api/bench/start.ts', 'scripts/start.ts'],
  'contracts-alone': ['packages/contracts/src/io.ts', 'packages/client/src/client.ts'],
  'client-on-contracts': ['packages/client/src/pay.ts', 'packages/solana/src/verify.ts'],
  'solana-on-contracts': ['packages/solana/src/ask.ts', 'packages/client/src/client.ts'],
  'heavy-behind-chain': ['packages/solana/src/light.ts', 'packages/solana/src/chain/heavy.ts'],
  'price-alone': ['packages/solana/src/price.ts', 'packages/solana/src/verify.ts'],
  'search-on-contracts': ['packages/search/src/find.ts', 'packages/solana/src/verify.ts'],
  'engine-opened-once': ['apps/api/src/feeds/find.ts', 'packages/search/src/sqlite/index.ts'],
  'engines-alone': ['packages/local-solana/src/words.ts', 'packages/solana/src/words.ts'],
  'engines-only-to-start': ['apps/api/src/db/engine.ts', 'packages/embedded-mongo/src/open.ts'],
  'web-over-http': ['apps/web/src/app/inside.ts', 'apps/api/src/app.ts'],
  'no-zod-in-browsers': ['apps/web/src/app/checks.ts', 'packages/contracts/src/schemas/inputs.ts'],
  'api-without-web': ['apps/api/src/http/page.ts', 'apps/web/src/app/page.ts'],
  'use-cases-at-home': ['apps/api/src/launches/lists.ts', 'apps/api/src/posts/list-archives.ts'],
  'express-in-http': ['apps/api/src/db/answers.ts', 'node_modules/express/index.js'],
  'http-in-routes': ['apps/api/src/posts/list-pages.ts', 'apps/api/src/http/replies.ts'],
  'web-features-apart': ['apps/web/src/features/post/reacts.ts', 'apps/web/src/features/reactions/react.ts'],
};

/** The first folder in a generated rule's pattern, `(a|b)(/|$)`. */
function roomOf(path: string): string {
  const [, root = '', rooms = ''] = /^\^([^(]+)\((.+?)\)\(/.exec(path) ?? [];
  const [first = ''] = rooms.replaceAll('\\', '').split('|');
  return root + (/\.ts$/.test(first) ? first : `${first}/planted-low.ts`);
}

for (const { name, from } of forbidden) {
  if (name.startsWith('api-floor-')) PLANTED[name] = [roomOf(from.path ?? ''), 'apps/api/src/main.ts'];
  if (name.startsWith('web-floor-')) PLANTED[name] = [roomOf(from.path ?? ''), 'apps/web/src/boot.ts'];
}

let folder: string;
let broken: Set<string>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'walls-'));
  for (const [file, imported] of Object.values(PLANTED)) {
    if (!imported.includes('nowhere')) write(imported, 'export type Planted = string;\n');
    write(file, `import type { Planted } from '${imported}';\n\nexport type Used = Planted;\n`);
  }
  const [one, other] = ['packages/client/src/circle-a.ts', 'packages/client/src/circle-b.ts'];
  write(other, `import type { Used } from '${one}';\n\nexport type Planted = Used;\n`);
  symlinkSync(join(ROOT, 'node_modules/typescript'), join(folder, 'node_modules/typescript'));
  writeFileSync(join(folder, 'tsconfig.base.json'), '{}');
  const output = run(['--config', join(ROOT, 'scripts/walls.cjs'), '--output-type', 'json', 'apps', 'packages']);
  const { summary } = JSON.parse(output) as { summary: { violations: { from: string; rule: { name: string } }[] } };
  broken = new Set(summary.violations.map(({ rule, from }) => `${rule.name} ${from}`));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(forbidden.map(({ name }) => name))('a planted violation of %s is found', (name) => {
  expect(PLANTED).toHaveProperty([name]);
  expect([...broken]).toContain(`${name} ${PLANTED[name]?.[0]}`);
});

test('what is found fails the command, with the sentence that says where the thing belongs', () => {
  const failed = () =>
    run(['--config', join(ROOT, 'scripts/walls.cjs'), '--output-type', 'err-long', 'apps', 'packages']);
  expect(failed).toThrow(/Features of the web do not import each other: a page composes them/);
});

function run(args: string[]): string {
  const bin = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  try {
    return execFileSync(process.execPath, [bin, ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    const { stdout } = error as { stdout: string };
    if (stdout.startsWith('{')) return stdout;
    throw new Error(stdout);
  }
}

/** Writes a file. Its import is given relative to the root and is rewritten relative to the file. */
function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  const up = '../'.repeat(file.split('/').length - 1);
  writeFileSync(join(folder, file), text.replace(/from '(.+)'/, `from '${up}$1'`));
}

test.each(['api', 'web'])('every file and folder of apps/%s/src stands on a floor', (app) => {
  const [lowest] = forbidden.filter(({ name }) => name.startsWith(`${app}-floor-`));
  const floors = [lowest?.from.path, lowest?.to.path].map((path) => new RegExp(path as string));
  const found = readdirSync(join(ROOT, 'apps', app, 'src')).filter((name) => !/^testing$|\.(test|d)\.tsx?$/.test(name));
  expect(found.filter((name) => !floors.some((floor) => floor.test(`apps/${app}/src/${name}`)))).toEqual([]);
});
