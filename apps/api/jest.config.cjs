const { join } = require('node:path');

module.exports = require('../../jest.preset.cjs')(__dirname, {
  globalSetup: './tests/_global-setup.ts',
  globalTeardown: './tests/_global-teardown.ts',
  // The language detector is ESM alone, and Jest asks for it as `require` does.
  moduleNameMapper: { '^eld/extrasmall$': join(__dirname, 'node_modules/eld/src/entries/static.extrasmall.js') },
});
