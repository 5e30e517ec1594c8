import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = join(__dirname, '..');

/** Calls that are wrong in Node but not in browsers, and the module with the replacement. */
const TRAPS = [{ call: 'URL.canParse(', right: 'packages/contracts/src/parse-url.ts' }];

test.each(TRAPS)('no source that Node runs asks $call: see $right', ({ call }) => {
  const { stdout } = grep(call);
  expect(stdout).toBe('');
});

test('the search finds what is there', () => {
  expect(grep('export function parseUrl(').stdout).toContain('packages/contracts/src/parse-url.ts');
});

function grep(text: string): { stdout: string } {
  try {
    const args = ['grep', '--untracked', '-lF', text, '--', 'apps/api', 'packages', 'e2e'];
    return { stdout: execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }) };
  } catch (error) {
    // It exits with 1 if nothing matches.
    if ((error as { status?: number }).status === 1) return { stdout: '' };
    throw error;
  }
}
