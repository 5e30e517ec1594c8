module.exports = require('../../jest.preset.cjs')(__dirname, { globalSetup: './src/testing/build-threads.cjs' });
