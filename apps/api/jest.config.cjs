const { join } = require('node:path');
const preset = require('../../jest.preset.cjs')(__dirname);

module.exports = {
  ...preset,
  runtime: require.resolve('../../jest.runtime.cjs'),
  globalSetup: './tests/_global-setup.ts',
  globalTeardown: './tests/_global-teardown.ts',
  // Those of a search cluster are run beside one.
  testPathIgnorePatterns: [
    ...preset.testPathIgnorePatterns,
    ...(process.env.TEST_SEARCH_URL ? [] : ['/tests/search-cluster']),
  ],
  // The language detector is ESM alone, and Jest asks for it as `require` does.
  moduleNameMapper: { '^eld/extrasmall$': join(__dirname, 'node_modules/eld/src/entries/static.extrasmall.js') },
};
