import { join } from 'node:path';
import { BIN, ROOT, run } from '../packages/processes/src/index.ts';
import { findBrowser, PLAYWRIGHT } from './browser.ts';
import { buildProduct } from './build-product.ts';
import { PARTS, type PartName } from './test-parts.ts';

/** `npm run test:PART -- [FILE...] [-t NAME]`: runs some tests against the current sources. */
const [part = '', ...args] = process.argv.slice(2);
const all = [...Object.keys(PARTS), 'e2e'];
if (!all.includes(part)) {
  console.error(`npm run test:PART, with ${all.join(', ')}`);
  process.exit(2);
}
process.exitCode = await (part === 'e2e' ? testInBrowser() : testInJest(part as PartName));

async function testInJest(name: PartName): Promise<number> {
  const projects = ['--selectProjects', ...PARTS[name].projects, '--'];
  return (await run(join(BIN, 'jest'), [...options(), ...projects, ...files()], { interactive: true })).code;
}

async function testInBrowser(): Promise<number> {
  await buildProduct();
  const env = { CHROMIUM_PATH: await findBrowser((line) => console.log(line)) };
  // Playwright's `-g` is Jest's `-t`.
  const given = args.map((arg) => (arg === '-t' ? '-g' : arg));
  return (
    await run(process.execPath, [PLAYWRIGHT, 'test', ...given], { env, cwd: join(ROOT, 'e2e'), interactive: true })
  ).code;
}

/** The arguments from the first option on. */
function options(): string[] {
  const first = args.findIndex((arg) => arg.startsWith('-'));
  return first === -1 ? [] : args.slice(first);
}

function files(): string[] {
  const first = args.findIndex((arg) => arg.startsWith('-'));
  return first === -1 ? args : args.slice(0, first);
}
