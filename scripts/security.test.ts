import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { REMOVED_WORDS } from '../packages/contracts/src/kept-data.ts';

const ROOT = join(__dirname, '..');
const text = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
const NAMED = /`((?:apps|packages|docs|scripts|e2e|docker)\/[\w./-]+\.\w+)`/g;
const TEST = /\.(test|spec)\.tsx?$/;

interface Line {
  section: string;
  shownBy: string;
}

const lines: Line[] = text
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map((cells) => ({ section: cells[1] as string, shownBy: cells[4] as string }));

describe('the map of ASVS', () => {
  test('has every chapter, each with lines of its own', () => {
    const chapters = [...text.matchAll(/^## V(\d+) /gm)].map(([, number]) => Number(number));
    expect(chapters).toEqual(Array.from({ length: 17 }, (_, index) => index + 1));
    expect([...new Set(lines.map(({ section }) => Number(section.split('.')[0])))]).toEqual(chapters);
  });

  test.each(lines)('says of $section which test shows it, or why none does: $shownBy', ({ shownBy }) => {
    const tests = [...shownBy.matchAll(NAMED)].map(([, file]) => file as string).filter((file) => TEST.test(file));
    if (tests.length === 0) expect(shownBy).toMatch(/^(does not apply|open: .+)$/);
  });

  test('names no file that is not there', () => {
    const named = [...text.matchAll(NAMED)].map(([, file]) => file as string);
    expect(named.length).toBeGreaterThan(80);
    expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});

test('security and privacy tell the same of where words of a removed post stay', () => {
  const [, table = ''] = /### Words of a removed post\n(.*?)\n## /s.exec(text) ?? [];
  const told = table.split('\n').flatMap((line) => /^\| (.+?) +\| (.+?) +\|$/.exec(line)?.slice(1) ?? []);
  const [where, howLong, , , ...rest] = told;
  expect([where, howLong]).toEqual(['Where', 'How long']);
  expect(rest).toEqual(REMOVED_WORDS.flatMap((one) => [one.where, one.howLong]));
});

test('the decision on the ledger names every kind of entry', () => {
  const entries = readFileSync(join(ROOT, 'apps/api/src/ledger/ledger-entry.ts'), 'utf8');
  const lines = [...entries.matchAll(/\| \{ kind: ([^;]+);/g)].map(([, kinds]) => kinds as string);
  const kinds = lines.flatMap((kinds) => [...kinds.matchAll(/'([\w-]+)'/g)].map(([, kind]) => kind as string));
  const decision = readFileSync(join(ROOT, 'docs/decisions/0006-backup-and-ledger.md'), 'utf8');
  const named = decision.split('\n').flatMap((line) => (/^\| `/.test(line) ? (line.split('|')[1] ?? '') : []));
  const told = named.flatMap((cell) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, kind]) => kind as string));
  expect(told.toSorted()).toEqual(kinds.toSorted());
});
