import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from '../packages/processes/src/index.ts';

/** A Chromium without a window system. It takes two thirds of the time. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
const CHROMIUM = '/usr/bin/chromium';
const DEBIAN_PACKAGES = ['chromium-headless-shell', 'fonts-noto-core', 'fonts-noto-cjk', 'fonts-noto-color-emoji'];
const INSTALL_TIMEOUT_MS = 300_000;

export const PLAYWRIGHT = join(ROOT, 'e2e/node_modules/@playwright/test/cli.js');

/**
 * The path of a Chromium for the browser tests, installed if needed. Undefined means Playwright's own; `CHROMIUM_PATH`
 * overrides both.
 */
export async function findBrowser(say: (line: string) => void): Promise<string | undefined> {
  const given = process.env['CHROMIUM_PATH'];
  if (given) return given;
  if (existsSync(HEADLESS_SHELL)) return HEADLESS_SHELL;
  const reasons: string[] = [];
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    say('Installing Chromium through apt');
    const reason = await installThroughApt();
    if (existsSync(HEADLESS_SHELL)) return HEADLESS_SHELL;
    reasons.push(`apt: ${reason}`);
  }
  if (existsSync(CHROMIUM)) return CHROMIUM;
  say("Installing Playwright's Chromium");
  const options = { quiet: true, timeoutMs: INSTALL_TIMEOUT_MS };
  const { code, output } = await run(process.execPath, [PLAYWRIGHT, 'install', '--only-shell', 'chromium'], options);
  if (code === 0) return undefined;
  reasons.push(`Playwright: ${lastLine(output)}`);
  throw new Error(
    `The browser tests need Chromium and it could not be installed here (${reasons.join('; ')}): install it and name its path in CHROMIUM_PATH.`,
  );
}

async function installThroughApt(): Promise<string> {
  const options = { quiet: true, timeoutMs: INSTALL_TIMEOUT_MS, env: { DEBIAN_FRONTEND: 'noninteractive' } };
  const update = await run('apt-get', ['-q', 'update'], options);
  if (update.code !== 0) return lastLine(update.output);
  const install = await run('apt-get', ['-q', 'install', '-y', '--no-install-recommends', ...DEBIAN_PACKAGES], options);
  return lastLine(install.output);
}

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) ?? '';
}
