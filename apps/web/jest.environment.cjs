const { TestEnvironment } = require('jest-environment-jsdom');

/** Globals from Node: jsdom lacks them, or its versions are incompatible with Node's. */
const FROM_NODE = [
  'fetch',
  'Headers',
  'Request',
  'Response',
  'TextEncoder',
  'TextDecoder',
  'Uint8Array',
  'structuredClone',
];

module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    for (const name of FROM_NODE) this.global[name] = globalThis[name];
  }
};
