import { appendFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';

/** Writes the input of `scripts/test-results.ts`: a line when a test starts, and one when it ends. */
export default class ResultsReporter implements Reporter {
  readonly #file = process.env['TEST_RESULTS'];

  onTestBegin(test: TestCase): void {
    this.#write({ file: fileOf(test), isStart: true });
  }

  onTestEnd(test: TestCase, { status, retry, duration }: TestResult): void {
    const isPassed = status === 'passed';
    const isLast = isPassed || retry === test.retries || status === test.expectedStatus;
    // If one test of a serial group fails, the whole group runs again: earlier tests pass twice, and later ones ran
    // only now.
    const before = test.results.slice(0, retry).map((result) => result.status);
    const isNew = isPassed && !before.includes('passed');
    const isShaky = isNew && before.some((one) => one !== 'skipped');
    const tier = process.env['TEST_TIER'] === 'full' ? 'TEST_TIER=full ' : '';
    const command = `${tier}npm run test:e2e -- ${basename(test.location.file)}:${test.location.line}`;
    this.#write({
      file: fileOf(test),
      ms: duration,
      passed: isNew ? 1 : 0,
      failed: isLast && !isPassed ? 1 : 0,
      again: isLast && !isPassed ? [command] : [],
      shaky: isShaky ? [command] : [],
    });
  }

  #write(line: object): void {
    if (this.#file) appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}

function fileOf(test: TestCase): string {
  return `e2e/${basename(test.location.file)}`;
}
