// Excludes test.ts, which runs all tests.
module.exports = require('../jest.preset.cjs')(__dirname, { testMatch: ['**/*.test.ts'] });
