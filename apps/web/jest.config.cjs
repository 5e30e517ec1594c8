module.exports = require('../../jest.preset.cjs')(__dirname, {
  testEnvironment: '<rootDir>/jest.environment.cjs',
  // Looked up in the sandbox again and again they make a signature's check thirty times as slow.
  sandboxInjectedGlobals: ['Math', 'Array', 'BigInt', 'Float64Array', 'Int32Array', 'Uint8Array', 'Uint32Array'],
  setupFilesAfterEnv: ['<rootDir>/jest.setup.ts'],
  // Besides the preset's, what web3.js brings as ESM alone.
  transformIgnorePatterns: [
    '/node_modules/(?!\\.pnpm/(wouter|regexparam|thumbhash|@noble\\+[a-z]+)@)(?!wouter|regexparam|thumbhash|@noble|\\.pnpm)',
  ],
  moduleNameMapper: {
    '\\.css$': '<rootDir>/jest.css-stub.cjs',
    // What is written, not what is published.
    '^@archive/client$': '<rootDir>/../../packages/client/src/index.ts',
  },
});
