const { appendFileSync } = require('node:fs');
const { relative } = require('node:path');

/** Writes what `scripts/test-results.ts` reads: a line when a file starts, and one when it ends. */
module.exports = class {
  #file = process.env.TEST_RESULTS;

  onTestFileStart({ path }) {
    this.#write({ file: relative(__dirname, path), isStart: true });
  }

  onTestFileResult({ path }, result) {
    const file = relative(__dirname, path);
    const { start, end } = result.perfStats;
    const command = `npm run test:${partOf(file)} -- ${file}`;
    const failed = result.testResults.filter(({ status }) => status === 'failed');
    const commands = failed.map(({ fullName }) => `${command} -t ${quote(fullName)}`);
    const isBroken = Boolean(result.testExecError || result.failureMessage) && failed.length === 0;
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
