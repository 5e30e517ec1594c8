module.exports = require('../../jest.preset.cjs')(__dirname, {
  testEnvironment: '<rootDir>/jest.environment.cjs',
  setupFilesAfterEnv: ['<rootDir>/jest.setup.ts'],
  // Besides the preset's, what web3.js brings as ESM alone.
  transformIgnorePatterns: [
    '/node_modules/(?!\\.pnpm/(wouter|regexparam|@noble\\+[a-z]+)@)(?!wouter|regexparam|@noble|\\.pnpm)',
  ],
  moduleNameMapper: { '\\.css$': '<rootDir>/jest.css-stub.cjs' },
});
