import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, test as everywhere, expect } from '@jest/globals';

const DOCKER = join(__dirname, '../docker');
/** On other systems `head`, `xargs` and `touch` differ from those of the image. */
const test = process.platform === 'linux' ? everywhere : everywhere.skip;
/**
 * Replacements for the programs that the scripts call. `node` stands for `node dist/cli.js backup FILE --copy COMMAND`;
 * `rclone` uses folders as stores. `sleep` starts the next day: it runs the next command of `rounds`, or ends the
 * script if none is left.
 */
const PROGRAMS = {
  date: 'printf 2026-11-%02dT03-00-00Z "$(cat "$ROOT/day")"',
  node: '[ ! -e "$ROOT/away" ] && echo whole > "$3" && /bin/sleep 0.05 && exec sh -c "$5"',
  sleep: `
    cd "$ROOT"
    echo $(($(cat day) + 1)) > day
    next="$(ls rounds | head -n 1)"
    [ -n "$next" ] || { kill $PPID; exit; }
    . "./rounds/$next"
    rm "rounds/$next"`,
  rclone: `
    case "$*" in *store:*) [ ! -e "$ROOT/store-away" ] || exit 1 ;; esac
    if [ "$1 $2" = "delete --files-from-raw" ]; then
      while read -r name; do rm -f "$ROOT/store/$name"; done < "$3"
      exit
    fi
    [ "$1" = copy ] || exit 1
    shift $(($# - 2))
    case "$2" in store:*) set -- "$1" "$ROOT/store" ;; esac
    mkdir -p "$2" && cp -Ru "$1"/. "$2" && rm -rf "$2/coming" "$2/.deleted"`,
};

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'backup-'));
  for (const folder of ['bin', 'rounds', 'tmp', 'backups']) mkdirSync(join(root, folder), { recursive: true });
  for (const [name, text] of Object.entries(PROGRAMS)) put(`bin/${name}`, `#!/bin/sh\n${text}\n`);
  for (const name of ['backup.sh', 'backup-copies.sh'])
    put(name, readFileSync(join(DOCKER, name), 'utf8').replace(/(?<=[ "(])\/(?=backup|data|from|tmp)/g, `${root}/`));
  put('day', '1');
  put('from/api-1/ledger/2026-11-one.ndjson', 'one\n');
  put('from/api-2/ledger/2026-11-two.ndjson', 'two\n');
  put('data/media/ab/kept', 'kept');
  put('data/media/coming/half', 'ha');
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
  chmodSync(join(root, path), 0o755);
}

/** Runs the backup service with seven backups to keep: for one day, then for one more after each command. */
function run(store: string, ...between: string[]): void {
  for (const [at, command] of between.entries()) put(`rounds/${at}`, command);
  const env = { ROOT: root, PATH: `${root}/bin:${process.env['PATH']}` };
  const { signal } = spawnSync('sh', [join(root, 'backup.sh'), '86400', '7', store], {
    env,
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  expect(signal).toBe('SIGTERM');
}

const files = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(join(root, folder), join(parentPath, name)))
    .toSorted();
const backups = (folder: string) => files(folder).filter((file) => file.startsWith('amber-'));
const days = (...numbers: number[]) =>
  numbers.map((number) => `amber-2026-11-${String(number).padStart(2, '0')}T03-00-00Z`);
const idle = (count: number) => Array.from({ length: count }, () => ':');
const hasFailed = () => !existsSync(join(root, 'tmp/done'));

test('the eighth backup ends the first, in the volume and in the store', () => {
  run('store:amber', ...idle(6));
  expect(backups('backups')).toEqual(days(1, 2, 3, 4, 5, 6, 7));
  expect(files('store')).toEqual(files('backups'));
  run('store:amber');
  expect(backups('backups')).toEqual(days(2, 3, 4, 5, 6, 7, 8));
  expect(files('store')).toEqual(files('backups'));
  expect(hasFailed()).toBe(false);
});

test('ledgers are copied as they are now, media where they are whole, and nothing to a store where none is set', () => {
  run('', 'echo more >> from/api-1/ledger/2026-11-one.ndjson');
  expect(files('backups')).toEqual([
    ...days(1, 2),
    'ledger/2026-11-one.ndjson',
    'ledger/2026-11-two.ndjson',
    'media/ab/kept',
  ]);
  expect(readFileSync(join(root, 'backups/ledger/2026-11-one.ndjson'), 'utf8')).toBe('one\nmore\n');
  expect(existsSync(join(root, 'store'))).toBe(false);
});

test('a medium that was removed goes with the last backup that was made before', () => {
  const medium = 'media/ab/removed';
  put(`data/${medium}`, 'removed');
  run('store:amber', ':', `rm data/${medium}`, ...idle(5));
  expect(backups('backups')).toEqual(days(2, 3, 4, 5, 6, 7, 8));
  expect(['backups', 'store'].filter((folder) => files(folder).includes(medium))).toEqual(['backups', 'store']);
  run('store:amber');
  expect(['backups', 'store'].filter((folder) => files(folder).includes(medium))).toEqual([]);
  expect(files('store')).toContain('media/ab/kept');
});

test.each([
  ['the database', 'touch away', days(1, 2, 3, 4, 5, 6, 7)],
  ['the ledgers', 'mv from gone', days(1, 2, 3, 4, 5, 6, 7, 8)],
])('where the copy of %s fails, nothing is deleted and the service is not healthy', (_what, command, left) => {
  run('store:amber', ...idle(6), command);
  expect(backups('backups')).toEqual(left);
  expect(backups('store')).toEqual(days(1, 2, 3, 4, 5, 6, 7));
  expect(hasFailed()).toBe(true);
});

test('what a killed process has left half-written goes', () => {
  put('backups/amber-2026-10-31T03-00-00Z.7.part', 'half');
  run('');
  expect(backups('backups')).toEqual(days(1));
});

test('while the store is away the volume keeps the last seven, and the store has them once it is back', () => {
  run('store:amber', ...idle(6), 'touch store-away');
  expect(backups('backups')).toEqual(days(2, 3, 4, 5, 6, 7, 8));
  expect(backups('store')).toEqual(days(1, 2, 3, 4, 5, 6, 7));
  expect(hasFailed()).toBe(true);
  rmSync(join(root, 'store-away'));
  run('store:amber');
  expect(files('store')).toEqual(files('backups'));
  expect(hasFailed()).toBe(false);
});

test('what a restored volume does not hold stays in the store, however many backups it holds', () => {
  run('store:amber', ...idle(6));
  // The state after an interrupted restore from the store: the backups are there, the media are not.
  rmSync(join(root, 'backups/media'), { recursive: true });
  rmSync(join(root, 'data/media'), { recursive: true });
  put('data/media/cd/other', 'other');
  run('store:amber', ...idle(9));
  expect(files('store')).toEqual(expect.arrayContaining(['media/ab/kept', 'media/cd/other']));
  expect(backups('store')).toEqual(backups('backups'));
});

test('what was deleted while the store was away, and is kept again, stays there', () => {
  const medium = 'media/ab/again';
  put(`data/${medium}`, 'again');
  run('store:amber', `rm data/${medium}`, ...idle(5), 'touch store-away');
  expect([files('backups').includes(medium), files('store').includes(medium)]).toEqual([false, true]);
  put(`data/${medium}`, 'again');
  rmSync(join(root, 'store-away'));
  run('store:amber');
  expect([files('backups').includes(medium), files('store').includes(medium)]).toEqual([true, true]);
});

test('a volume that is new deletes nothing in the store', () => {
  run('store:amber', ...idle(6));
  for (const folder of ['backups', 'data', 'from']) rmSync(join(root, folder), { recursive: true });
  put('backups/.new', '');
  put('data/media/cd/other', 'other');
  put('from/api-1/ledger/2026-11-three.ndjson', 'three');
  run('store:amber');
  expect(backups('store')).toEqual(days(1, 2, 3, 4, 5, 6, 7, 8));
  expect(files('store')).toEqual(
    expect.arrayContaining(['ledger/2026-11-one.ndjson', 'media/ab/kept', 'media/cd/other']),
  );
});
