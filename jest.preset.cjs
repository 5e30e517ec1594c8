const { basename, join } = require('node:path');
const { files: FULL_ONLY } = require('./packages/tiers/full-only.json');

/** Ends a test that hangs, in milliseconds: many times what the slowest takes, since a busy machine may be as slow. */
const TIMEOUT_MS = 600_000;

/** Packages that come as ESM alone, or load parts of themselves by `import()`. */
const ESM = '(eld|wouter|regexparam|s3mini|thumbhash|esm-env|valibot|@(atcute|mary-ext|noble|xdevplatform)[+/][\\w-]+)';

/** What every workspace's tests share: swc to CommonJS, ESM-only packages included. */
module.exports = (rootDir, own = {}) => ({
  displayName: basename(rootDir),
  rootDir,
  testEnvironment: require.resolve('./jest.environment.cjs'),
  testTimeout: TIMEOUT_MS,
  testPathIgnorePatterns: [
    '/node_modules/',
    ...(process.env.TEST_TIER === 'full' ? [] : FULL_ONLY.map((file) => `^${join(__dirname, file)}$`)),
  ],
  transform: {
    '^.+\\.([cm]?[jt]sx?)$': [
      require.resolve('@swc/jest'),
      {
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic' } },
        },
        module: { type: 'commonjs' },
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!\\.pnpm/(${ESM})@)(?!${ESM}|\\.pnpm)`],
  ...own,
});
module.exports.TIMEOUT_MS = TIMEOUT_MS;
