module.exports = require('../../jest.preset.cjs')(__dirname, { globalSetup: './tests/_global-setup.ts' });
