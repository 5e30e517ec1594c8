import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const OWN = resolve(__dirname, '..');

/** A program that uses only the published package. */
const PROGRAM = `
import { ApiError, addressOf, createClient } from '@archive/client';
const client = createClient({ origin: 'http://127.0.0.1:9' });
try {
  const { data, pagination } = await client.call('listArchives', { query: { search: 'x', limit: 3 } });
  const text: string | undefined = data[0]?.content;
  const total: number = pagination.total;
  console.log(text, total);
} catch (error) {
  console.log(error instanceof ApiError && error.status, addressOf('getThread', { params: { id: 'a b' } }));
}
// @ts-expect-error there is no such call
() => client.call('nothing');
`;

test('what is packed installs into an empty project, where it has its types and runs', () => {
  const project = mkdtempSync(join(tmpdir(), 'client-'));
  try {
    const run = (command: string, args: string[], cwd = project) =>
      execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    run('npm', ['pack', '--silent', '--pack-destination', project], OWN);
    const modules = join(project, 'node_modules');
    const home = join(modules, '@archive/client');
    mkdirSync(home, { recursive: true });
    run('tar', ['-xzf', join(project, 'archive-client-1.0.0.tgz'), '-C', home, '--strip-components', '1']);
    const require = createRequire(join(OWN, '../contracts/package.json'));
    symlinkSync(dirname(require.resolve('zod/package.json')), join(modules, 'zod'));
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(project, 'program.ts'), PROGRAM);
    const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
    const options = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom', '--strict', '--types', ''];
    run(process.execPath, [compiler, ...options, 'program.ts']);
    expect(run(process.execPath, ['program.js'])).toBe('0 /amber/archives/a%20b/thread\n');
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
});
