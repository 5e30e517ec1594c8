const preset = require('./jest.preset.cjs');

/** All Jest tests, for `npx jest FILE` in the root and for editors. The browser tests in e2e use Playwright. */
module.exports = {
  projects: ['apps/*', 'packages/!(testing|processes|tiers|local-search)', 'scripts'].map(
    (folder) => `<rootDir>/${folder}`,
  ),
  testSequencer: '<rootDir>/jest.sequencer.cjs',
  // With several projects, Jest reads the time limit here and ignores theirs.
  testTimeout: preset.TIMEOUT_MS,
  // Concurrent tests each run a whole product.
  maxConcurrency: 2,
  // After a failed test, open handles would keep a single worker, which is this process, from ending.
  forceExit: true,
};
