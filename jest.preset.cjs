/** What every workspace's tests share: swc to CommonJS, ESM-only packages included. */
module.exports = {
  testEnvironment: 'node',
  transform: {
    '^.+\\.(m?[jt]sx?)$': [
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
  transformIgnorePatterns: ['/node_modules/(?!\\.pnpm/(wouter|regexparam)@)(?!wouter|regexparam|\\.pnpm)'],
  extensionsToTreatAsEsm: [],
};
