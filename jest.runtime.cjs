const { createRequire } = require('node:module');
const { default: Runtime } = require('jest-runtime');

/**
 * Libraries that are slow to load and keep no state between test files. Each worker loads them once, not once per file.
 */
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

/**
 * Loads these libraries with Node's `require`. `jest.environment.cjs` runs tests in the same context, so they share its
 * globals.
 */
module.exports = class extends Runtime {
  requireModuleOrMock(from, name) {
    return LIBRARIES.includes(name) ? createRequire(from)(name) : super.requireModuleOrMock(from, name);
  }
};
