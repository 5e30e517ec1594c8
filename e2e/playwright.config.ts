import { existsSync } from 'node:fs';
import { isFull } from '@archive/tiers';
import fullOnly from '@archive/tiers/full-only.json' with { type: 'json' };
import { defineConfig } from '@playwright/test';

const SYSTEM_BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const executablePath = process.env['CHROMIUM_PATH'] || SYSTEM_BROWSERS.find((path) => existsSync(path));

/** Nothing but the product may be talked to, and root (containers) has no sandbox. */
const args = [
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** What Playwright matches is the file, what describes the test, and its title. */
const leftOut = fullOnly.browserTests.map((start) => new RegExp(`^ *${start.replace(/[^\w ]/g, '\\$&')}`));

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  grepInvert: isFull ? [] : leftOut,
  globalSetup: './start-product.ts',
  outputDir: 'test-results',
  snapshotPathTemplate: '{testDir}/names/{arg}{ext}',
  fullyParallel: true,
  workers: 2,
  // It ends what hangs, on the slowest machine: a page takes four times as long there.
  timeout: 120_000,
  globalTimeout: 1_800_000,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env['CI']),
  reporter: 'list',
  use: {
    // The set-up puts the address there; workers read this file after it.
    baseURL: process.env['PRODUCT_URL'],
    browserName: 'chromium',
    launchOptions: { ...(executablePath ? { executablePath } : {}), args },
    // It would answer before what a test puts in the place of the server; its own tests allow it.
    serviceWorkers: 'block',
    viewport: { width: 1400, height: 900 },
    // Without a graphics card each frame of a movement is drawn by the processor.
    contextOptions: { reducedMotion: isFull ? 'no-preference' : 'reduce' },
    locale: 'en-GB',
    timezoneId: 'UTC',
    // A trace, which costs a tenth of the time, is made by `--trace on`.
    screenshot: 'only-on-failure',
  },
});
