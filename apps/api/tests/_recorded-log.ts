import pino, { type Logger } from 'pino';

export interface LogLine extends Record<string, unknown> {
  level: number;
  msg: string;
  err?: { type: string; message: string };
}

/** A log whose lines a test can read. */
export function recordedLog(): { log: Logger; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { log, lines };
}
