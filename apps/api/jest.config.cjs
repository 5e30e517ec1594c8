module.exports = {
  ...require('../../jest.preset.cjs'),
  rootDir: __dirname,
  globalSetup: './tests/_global-setup.ts',
  globalTeardown: './tests/_global-teardown.ts',
  testTimeout: 60_000,
};
