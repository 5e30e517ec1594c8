import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';

export interface Row {
  what: string;
  must: string;
  got: string;
  /** For figures that depend on the machine: the comparison that was measured in the same run. */
  beside?: string;
  isMet: boolean;
}

export function quantile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const p50 = (times: readonly number[]): number => quantile(times, 0.5);
export const p95 = (times: readonly number[]): number => quantile(times, 0.95);

export function ms(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
}

export async function timed<T>(work: () => T | Promise<T>): Promise<{ ms: number; value: T }> {
  const startedAt = performance.now();
  const value = await work();
  return { ms: performance.now() - startedAt, value };
}

/** Resident megabytes of a process: all, and those that are not pages of files. */
export function residentMegabytes(pid: number): { all: number; own: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
  return { all: read('VmRSS'), own: read('RssAnon') };
}

export function describeMachine(): string {
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${memory} GiB, Node ${process.versions.node}`;
}

export function toTable(rows: readonly Row[]): string {
  const verdict = ({ must, isMet }: Row) => (must === '' ? '' : isMet ? 'met' : 'short');
  const lines = rows.map((row) => `| ${row.what} | ${row.must} | ${row.got} | ${row.beside ?? ''} | ${verdict(row)} |`);
  return ['| | must | measured | beside, same run | |', '|---|---|---|---|---|', ...lines].join('\n');
}

/** Prints each row when it is added, so that an aborted run has still printed results. */
export class Rows extends Array<Row> {
  override push(...rows: Row[]): number {
    for (const row of rows)
      say(`  ${row.what}: ${row.got}${row.beside ? `; ${row.beside}` : ''}${row.isMet ? '' : '  SHORT'}`);
    return super.push(...rows);
  }
}

export function say(line: string): void {
  console.error(`[bench] ${line}`);
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

export function percent(value: number): string {
  return `${Math.round(value * 100)}%`;
}
