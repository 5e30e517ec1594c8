const { appendFileSync } = require('node:fs');
const { relative } = require('node:path');

/** The variable that repeats a test of the full tier. */
const TIER = process.env.TEST_TIER === 'full' ? 'TEST_TIER=full ' : '';

/** Writes the input of `scripts/test-results.ts`: a line when a file starts, and one when it ends. */
module.exports = class {
  #file = process.env.TEST_RESULTS;

  onTestFileStart({ path }) {
    this.#write({ file: relative(__dirname, path), isStart: true });
  }

  onTestFileResult({ path }, result) {
    const file = relative(__dirname, path);
    const { start, end } = result.perfStats;
    const command = `${TIER}npm run test:${partOf(file)} -- ${file}`;
    const failed = result.testResults.filter(({ status }) => status === 'failed');
    const isBroken = Boolean(result.testExecError || result.failureMessage) && failed.length === 0;
    // A skipped or pending test counts as failed.
    failed.push(
      ...result.testResults.filter(({ status }) => ['pending', 'skipped', 'todo', 'disabled'].includes(status)),
    );
    const commands = failed.map(({ fullName }) => `${command} -t ${quote(fullName)}`);
    this.#write({
      file,
      ms: end - start,
      passed: result.numPassingTests,
      failed: failed.length + (isBroken ? 1 : 0),
      again: isBroken ? [command] : commands,
    });
  }

  #write(line) {
    if (this.#file) appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }
};

/** The part of the tests that contains a file, as in `scripts/test-parts.ts`. */
function partOf(file) {
  if (process.env.TEST_SEARCH_URL) return 'search';
  if (file.startsWith('apps/api/')) return 'api';
  return file.startsWith('apps/web/') ? 'web' : 'unit';
}

/** Quotes a test name for a shell and as Jest's name pattern. */
function quote(name) {
  return `'${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll("'", '.')}'`;
}
