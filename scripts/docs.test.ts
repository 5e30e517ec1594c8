import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { SECRET_NAMES, SETTING_NAMES } from '../apps/api/src/config.ts';
import { BUDGETS } from '../apps/api/src/http/rate-limits.ts';
import * as limits from '../packages/contracts/src/limits.ts';

const ROOT = join(__dirname, '..');

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** The cells of every table row in a Markdown text, without markup. */
function rows(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| -/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    );
}

test('the table of settings names every setting of the server, and no other', () => {
  const [server = ''] = read('docs/configuration.md').split('## The scripts');
  const named = rows(server).map(([name]) => name);
  expect(named.slice(1).toSorted()).toEqual(SETTING_NAMES.toSorted());
});

test('the guide names every setting that may stand in a file, and no other', () => {
  const [, sentence = ''] = /instead, as orchestrators(.*?)\. A line break/s.exec(read('docs/configuration.md')) ?? [];
  const named = [...sentence.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name);
  expect([...new Set(named)].toSorted()).toEqual(SECRET_NAMES.toSorted());
});

/** The period in seconds of budgets that last longer than a minute. */
const LONGER: Record<string, number> = { reaction: 86_400, report: 3_600, reportNetwork: 86_400 };

test('the table of limits says what the code says', () => {
  const text = read('docs/architecture.md');
  const table = rows(text.slice(text.indexOf('## Limits'), text.indexOf('## A payment'))).slice(1);
  expect(table.length).toBeGreaterThan(20);
  const values: Record<string, number> = { ...limits };
  for (const [name, { points, seconds }] of Object.entries(BUDGETS)) {
    expect([name, seconds]).toEqual([name, LONGER[name] ?? 60]);
    values[name] = points;
  }
  for (const [, value, name = ''] of table) expect([name, value]).toEqual([name, values[name]?.toLocaleString('en')]);
  expect(table.map(([, , name]) => name).toSorted()).toEqual(Object.keys(values).toSorted());
});

test('the table of collections names every collection, and no other', () => {
  const text = read('docs/architecture.md');
  const table = text.slice(text.indexOf('## Data kept'), text.indexOf('The index file:'));
  const named = rows(table)
    .slice(1)
    .flatMap(([names = '']) => names.split(', '));
  const sources = readdirSync(join(ROOT, 'apps/api/src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => read(join('apps/api/src', file)))
    .join('\n');
  const used = [...sources.matchAll(/(?:collection(?:<[^(]+>)?\(|tableName: )'([a-z_]+)'/g)].map(([, name]) => name);
  expect(named.toSorted()).toEqual([...new Set(used)].toSorted());
});

test('the guide of the agent tells of every alarm, and of no other', () => {
  const text = read('docs/agent.md');
  const table = rows(text.slice(text.indexOf('| `alarm`'), text.indexOf('Other lines that tell')));
  const sources = readdirSync(join(ROOT, 'apps/api/src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => read(join('apps/api/src', file)))
    .join('\n');
  const raised = [...sources.matchAll(/\balarm: '([^']+)'|#alarm\(['`](\w+)/g)].map(
    ([, whole, first]) => whole ?? first,
  );
  const named = table.slice(1).map(([name]) => name);
  expect(named.toSorted()).toEqual([...new Set(raised)].toSorted());
});

test('every file that the guides name is there', () => {
  const guides = ['CONTRIBUTING.md', 'README.md', 'docs/agent.md', 'docs/architecture.md', 'docs/configuration.md'];
  const named = guides.flatMap((guide) =>
    [...read(guide).matchAll(/`((?:apps|packages|docs|scripts|e2e|docker)\/[\w./-]+\.\w+)`/g)].map(
      ([, file]) => file as string,
    ),
  );
  expect(named.length).toBeGreaterThan(20);
  for (const file of named.filter((one) => !one.includes('NAME'))) expect(() => read(file)).not.toThrow();
});
