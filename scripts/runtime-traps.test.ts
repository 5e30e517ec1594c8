import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = join(__dirname, '..');

/** What Node gets wrong, and where the right way is told; browsers do not. */
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
    // It ends with 1 where nothing is found.
    if ((error as { status?: number }).status === 1) return { stdout: '' };
    throw error;
  }
}
