const { appendFileSync } = require('node:fs');
const { relative } = require('node:path');

/** What a test of the full tier needs to run as it did. */
const TIER = process.env.TEST_TIER === 'full' ? 'TEST_TIER=full ' : '';

/** Writes what `scripts/test-results.ts` reads: a line when a file starts, and one when it ends. */
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
    // Nobody looks at a test that is skipped or left for later.
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

/** The command that runs a part of the tests, as `scripts/test-parts.ts` has them. */
function partOf(file) {
  if (file.startsWith('apps/api/')) return 'api';
  return file.startsWith('apps/web/') ? 'web' : 'unit';
}

/** For a shell, and as the pattern that Jest takes it for. */
function quote(name) {
  return `'${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll("'", '.')}'`;
}
