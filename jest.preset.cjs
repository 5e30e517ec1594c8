const { basename, join } = require('node:path');
const { files: FULL_ONLY } = require('./packages/tiers/full-only.json');

/**
 * Milliseconds before a hanging test ends: many times the slowest test, because a busy machine may be that much slower.
 */
const TIMEOUT_MS = 600_000;

/** Packages that are ESM only, or load parts of themselves by `import()`. */
const ESM = '(eld|wouter|regexparam|s3mini|thumbhash|esm-env|valibot|@(atcute|mary-ext|noble|xdevplatform)[+/][\\w-]+)';

/** The Jest settings of all workspaces: swc compiles to CommonJS, including ESM-only packages. */
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
