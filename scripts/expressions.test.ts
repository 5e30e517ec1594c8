import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseSync } from '@swc/core';
import { isSafePattern } from 'redos-detector';
import { processorMsOf } from '../packages/testing/src/processor-time.ts';

const ROOT = join(__dirname, '..');
const TESTS = /\.(test|spec)\.|\/(tests|trials|bench|testing)\/|\/_/;
/** Milliseconds: far above the time of any expression, far below a noticeable delay. */
const LONGEST_MS = 1_000;
/**
 * The detector's step limit. An expression not proven safe within it counts as unsafe. A lower limit is stricter and
 * takes a third of the time.
 */
const MOST_STEPS = 8_000;
/** Choices without repetition that are safe: they allow a thousand ways per position. */
const MOST_CHOICES = 10;

/** The expressions of each file. */
const read = new Map<string, Expressions>();

/**
 * Expressions that a long text makes slow, the bound on the text, and the worst text within the bound. Every expression
 * that is not listed must be safe for any text.
 */
const BOUNDED: { file: string; pattern: string; bound: string; worst: string }[] = [
  {
    file: 'apps/api/src/accounts/signed-message.ts',
    pattern: String.raw`"(?:[^"\\]|\\.)*"\s*(:)?`,
    bound: 'valid JSON of at most 8,000 characters, in which every string ends',
    worst: JSON.stringify('"'.repeat(3_999)),
  },
  {
    file: 'apps/api/src/config.ts',
    pattern: String.raw`\/*$`,
    bound: 'an address that the operator sets',
    worst: `https://a.example${'/'.repeat(2_000)}x`,
  },
  {
    file: 'apps/api/src/clients.ts',
    pattern: '%.*$',
    bound: 'an address, or a header of at most 16 kB, neither with a line break: the first % ends it',
    worst: '%'.repeat(16_000),
  },
  {
    file: 'apps/api/src/http/web-files.ts',
    pattern: String.raw`^\/static\/.*-[\w-]{8}\.[a-z0-9]+$`,
    bound: 'names of files that were built',
    worst: `/static/${'-aaaaaaaa.'.repeat(25)}!`,
  },
  {
    file: 'packages/embedded-mongo/src/platform.ts',
    pattern: '^([A-Z_]+)="?(.*?)"?$',
    bound: 'a line of the system’s own /etc/os-release',
    worst: `A="${'"'.repeat(1_000)}\n`,
  },
  {
    file: 'packages/local-solana/src/chain/token-accounts.ts',
    pattern: '0+$',
    bound: 'digits of 64 bits',
    worst: `${'0'.repeat(40)}1`,
  },
  {
    file: 'packages/local-solana/src/rpc/call.ts',
    pattern: '=+$',
    bound: 'a transaction in base64, on a development machine',
    worst: `${'='.repeat(2_000)}x`,
  },
  {
    file: 'packages/solana/src/amount.ts',
    pattern: '0+$',
    bound: 'digits of 64 bits',
    worst: `${'0'.repeat(40)}1`,
  },
  ...['apps/web/scripts/check-build.mjs', 'apps/web/scripts/check-bundle.mjs', 'scripts/run.mjs'].flatMap((file) =>
    literalsOf(file)
      .filter(({ pattern }) => /^(<style|<\(\?:script|\(\\d\+\)\\\.)/.test(pattern))
      .map(({ pattern }) => ({ file, pattern, bound: 'files of this repository, while it is built', worst: '' })),
  ),
];

/**
 * Patterns built at run time, in the form that they take. Their parts are checked here, and none repeats a part that
 * repeats.
 */
const MADE: Record<string, string> = {
  'apps/api/src/accounts/agent-key-store.ts': '^amber_([0-9a-f]{12})_[A-Za-z0-9_-]{32}$',
  'apps/web/src/lib/routes.ts': '^/archive/([^/]+)$',
  'packages/contracts/src/schemas/post-schema.ts': '^[A-Za-z0-9_-]{1,64}$',
  'packages/local-solana/src/rpc/cluster.ts': String.raw`^\d{1,13}(\.\d{1,6})?$`,
};

interface Literal {
  pattern: string;
  flags: string;
}

interface Expressions {
  literals: Literal[];
  isMade: boolean;
}

const files = execFileSync('git', ['ls-files', 'apps', 'packages', 'scripts', 'docker'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(tsx?|[mc]?js)$/.test(file) && !TESTS.test(file));

describe('every regular expression of the sources', () => {
  test('is looked at: literals by what they are, made ones by what they become', () => {
    const all = files.map((file) => ({ file, ...readExpressions(file) }));
    expect(all.flatMap(({ literals }) => literals).length).toBeGreaterThan(100);
    expect(all.filter(({ isMade }) => isMade).map(({ file }) => file)).toEqual(Object.keys(MADE));
    for (const pattern of Object.values(MADE))
      expect([pattern, isSafe({ pattern, flags: '' })]).toEqual([pattern, true]);
  });

  test('is safe for any text, or has a bound that is named here', () => {
    const slow = files.flatMap((file) =>
      literalsOf(file)
        .filter((literal) => !isSafe(literal))
        .map(({ pattern }) => `${file} ${pattern}`),
    );
    expect([...new Set(slow)].toSorted()).toEqual(BOUNDED.map(({ file, pattern }) => `${file} ${pattern}`).toSorted());
  });

  test.each(BOUNDED)('$file: $pattern is quick within its bound: $bound', async ({ file, pattern, worst }) => {
    const { flags } = literalsOf(file).find((one) => one.pattern === pattern) as Literal;
    expect(await processorMsOf(() => worst.replace(new RegExp(pattern, flags), ''))).toBeLessThan(LONGEST_MS);
  });

  test('that would take for ever is found', () => {
    for (const pattern of ['^(a+)+$', '^(a|a)*$', '^([a-b]*)([a-c]*)$']) {
      expect([pattern, isSafe({ pattern, flags: 'u' })]).toEqual([pattern, false]);
    }
  });
});

const known = new Map<string, boolean>();

function isSafe(literal: Literal): boolean {
  const key = `/${literal.pattern}/${literal.flags}`;
  const answer = known.get(key) ?? look(literal);
  known.set(key, answer);
  return answer;
}

function look({ pattern, flags }: Literal): boolean {
  return (
    hasFewWays(pattern) ||
    isSafePattern(pattern, {
      maxSteps: MOST_STEPS,
      unicode: /[uv]/.test(flags),
      caseInsensitive: flags.includes('i'),
      dotAll: flags.includes('s'),
      multiLine: flags.includes('m'),
    }).safe
  );
}

/**
 * Whether a pattern has no repetition and few choices. Each choice at most doubles the ways to match, so it needs no
 * detector.
 */
function hasFewWays(pattern: string): boolean {
  const choices = pattern.replace(/\(\?(?:[:=!]|<[=!])/g, '(').match(/[|?]/g) ?? [];
  return !/[*+{]/.test(pattern) && choices.length <= MOST_CHOICES;
}

function literalsOf(file: string): Literal[] {
  return readExpressions(file).literals;
}

function readExpressions(file: string): Expressions {
  const found = read.get(file) ?? parse(file);
  read.set(file, found);
  return found;
}

function parse(file: string): Expressions {
  const found: Expressions = { literals: [], isMade: false };
  const source = readFileSync(join(ROOT, file), 'utf8');
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    const { type, pattern, flags, callee } = node as Record<string, unknown> & { callee?: { value?: string } };
    if (type === 'RegExpLiteral') found.literals.push({ pattern: String(pattern), flags: String(flags) });
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.value === 'RegExp') found.isMade = true;
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseSync(source, { syntax: 'typescript', tsx: file.endsWith('x'), target: 'es2023' }));
  return found;
}
