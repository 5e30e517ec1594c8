module.exports = require('../../jest.preset.cjs')(__dirname, {
  testEnvironment: '<rootDir>/jest.environment.cjs',
  // Through the sandbox's global lookup these make a signature check thirty times slower.
  sandboxInjectedGlobals: ['Math', 'Array', 'BigInt', 'Float64Array', 'Int32Array', 'Uint8Array', 'Uint32Array'],
  setupFilesAfterEnv: ['<rootDir>/jest.setup.ts'],
  // Besides the preset's packages, the ESM-only ones of web3.js.
  transformIgnorePatterns: [
    '/node_modules/(?!\\.pnpm/(wouter|regexparam|thumbhash|@noble\\+[a-z]+)@)(?!wouter|regexparam|thumbhash|@noble|\\.pnpm)',
  ],
  moduleNameMapper: {
    '\\.css$': '<rootDir>/jest.css-stub.cjs',
    // The sources, not the build.
    '^@archive/client$': '<rootDir>/../../packages/client/src/index.ts',
  },
});
