import { appendFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';

/** Writes what `scripts/test-results.ts` reads: a line when a test starts, and one when it ends. */
export default class ResultsReporter implements Reporter {
  readonly #file = process.env['TEST_RESULTS'];

  onTestBegin(test: TestCase): void {
    this.#write({ file: fileOf(test), isStart: true });
  }

  onTestEnd(test: TestCase, { status, retry, duration }: TestResult): void {
    const isPassed = status === test.expectedStatus;
    const isLast = isPassed || retry === test.retries;
    const command = `npm run test:e2e -- ${basename(test.location.file)}:${test.location.line}`;
    this.#write({
      file: fileOf(test),
      ms: duration,
      passed: isPassed && status !== 'skipped' ? 1 : 0,
      failed: isLast && !isPassed ? 1 : 0,
      again: isLast && !isPassed ? [command] : [],
      shaky: isPassed && retry > 0 ? [command] : [],
    });
  }

  #write(line: object): void {
    if (this.#file) appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}

function fileOf(test: TestCase): string {
  return `e2e/${basename(test.location.file)}`;
}
