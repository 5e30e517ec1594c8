import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { runCommandLine } from '../src/cli/command-line.ts';
import type { TestApi } from './_test-api.ts';

export interface CommandOutcome {
  code: number;
  out: string;
  err: string;
}

/** Settings for a command line on an API's database, with its own data folder. */
export function commandSettings({ context }: TestApi): { MONGODB_URI: string; DATA_DIR: string } {
  const uri = new URL(process.env['MONGODB_URI'] as string);
  uri.pathname = `/${context.database.db.databaseName}`;
  return { MONGODB_URI: uri.href, DATA_DIR: mkdtempSync(join(tmpdir(), 'amber-')) };
}

/** Runs a command in this process, because a new process takes half a second to start. One at a time. */
export async function runCommand(api: TestApi, ...words: string[]): Promise<CommandOutcome> {
  const { MONGODB_URI, DATA_DIR } = process.env;
  const { exitCode } = process;
  const said = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    jest.spyOn(process[name], 'write').mockImplementation((text) => {
      said[name] += text;
      return true;
    }),
  );
  Object.assign(process.env, commandSettings(api));
  process.exitCode = 0;
  try {
    await runCommandLine(words);
    return { code: Number(process.exitCode), out: said.stdout, err: said.stderr };
  } finally {
    process.exitCode = exitCode;
    Object.assign(process.env, { MONGODB_URI, DATA_DIR });
    if (DATA_DIR === undefined) delete process.env['DATA_DIR'];
    for (const spy of spies) spy.mockRestore();
  }
}
