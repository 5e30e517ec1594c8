const preset = require('./jest.preset.cjs');

/** All of Jest's tests, for `npx jest FILE` at the root and for editors; browser tests are Playwright's, in e2e. */
module.exports = {
  projects: ['apps/*', 'packages/!(testing|processes|tiers|local-search)', 'scripts'].map(
    (folder) => `<rootDir>/${folder}`,
  ),
  testSequencer: '<rootDir>/jest.sequencer.cjs',
  // Of several projects at once, Jest reads the time limit here and not in theirs.
  testTimeout: preset.TIMEOUT_MS,
  // Each of those that wait together runs a whole product.
  maxConcurrency: 2,
  // What a test that failed half-way has left open keeps a single worker, which is this process, from ending.
  forceExit: true,
};
