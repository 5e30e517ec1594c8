module.exports = {
  ...require('../jest.preset.cjs'),
  rootDir: __dirname,
  // Not test.ts, which runs all tests.
  testMatch: ['**/*.test.ts'],
};
