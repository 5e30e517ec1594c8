import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

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
