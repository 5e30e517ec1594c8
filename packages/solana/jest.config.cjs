module.exports = { ...require('../../jest.preset.cjs'), rootDir: __dirname, testTimeout: 20_000 };
