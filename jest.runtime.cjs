const { createRequire } = require('node:module');
const { default: Runtime } = require('jest-runtime');

/** What takes longest to load and remembers nothing between files of tests: each worker loads it once, not once a file. */
const LIBRARIES = [
  '@modelcontextprotocol/node',
  '@modelcontextprotocol/server',
  '@opensearch-project/opensearch',
  '@solana/spl-token',
  '@solana/web3.js',
  'express',
  'feedsmith',
  'jsonwebtoken',
  'libsql',
  'mongodb',
  'sharp',
  'supertest',
  'zod',
];

/** Loads these as Node does. `jest.environment.cjs` runs tests in the same context, so that they share its globals. */
module.exports = class extends Runtime {
  requireModuleOrMock(from, name) {
    return LIBRARIES.includes(name) ? createRequire(from)(name) : super.requireModuleOrMock(from, name);
  }
};
