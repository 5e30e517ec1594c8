const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/** Stands for Node's main context, which has no object of its own. */
const MAIN_CONTEXT = {};
const { compileFunction } = vm;
/** Compiled modules by file name. Each test file runs all modules again, so the compiled code is reused. */
const compiled = new Map();
vm.compileFunction = (code, names, options) => {
  if (options?.parsingContext !== MAIN_CONTEXT) return compileFunction(code, names, options);
  const key = [options.filename, ...names].join();
  const known = compiled.get(key);
  if (known?.code === code) return known.run;
  const run = compileFunction(code, names, { ...options, parsingContext: undefined });
  compiled.set(key, { code, run });
  return run;
};

/**
 * Runs tests in Node's main context. In Jest's sandbox every use of a global name (`Error`, `Buffer`, `Uint8Array`)
 * goes through a proxy, which made signatures thirty times slower. After each file, globals and environment variables
 * are restored.
 */
module.exports = class extends TestEnvironment {
  #globals = Object.entries(Object.getOwnPropertyDescriptors(globalThis));
  #variables = { ...process.env };
  #exit = process.exit;

  constructor(...given) {
    super(...given);
    this.global = globalThis;
  }

  async teardown() {
    await super.teardown();
    const names = new Set(this.#globals.map(([name]) => name));
    for (const name of Object.keys(globalThis)) if (!names.has(name)) delete globalThis[name];
    for (const [name, descriptor] of this.#globals)
      if (descriptor.configurable) Object.defineProperty(globalThis, name, descriptor);
    for (const name of Object.keys(process.env)) if (!(name in this.#variables)) delete process.env[name];
    Object.assign(process.env, this.#variables);
    process.exit = this.#exit;
  }

  getVmContext() {
    return MAIN_CONTEXT;
  }
};
