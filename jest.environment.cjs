const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/** Stands for the context that Node itself runs in, which has no object of its own. */
const MAIN_CONTEXT = {};
const { compileFunction } = vm;
/** By file name: each file of tests runs all modules anew, and what is compiled for one serves the next. */
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
 * Tests in Node's own context. In the sandbox that Jest makes, every use of a global name (`Error`, `Buffer`, `Uint8Array`)
 * asks a proxy: signatures took thirty times as long. What a file sets on globals and in the environment goes with it.
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
