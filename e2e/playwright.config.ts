import { existsSync } from 'node:fs';
import { isFull } from '@archive/tiers';
import fullOnly from '@archive/tiers/full-only.json' with { type: 'json' };
import { defineConfig } from '@playwright/test';

const SYSTEM_BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const executablePath = process.env['CHROMIUM_PATH'] || SYSTEM_BROWSERS.find((path) => existsSync(path));

/** The browser may reach only the product. As root, in containers, it needs to run without a sandbox. */
const args = [
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** Playwright matches a pattern against the file, the titles of the groups, and the test's title. */
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
  // Ends hanging tests, also on the slowest machine, where a page takes four times as long.
  timeout: 120_000,
  globalTimeout: 1_800_000,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env['CI']),
  reporter: 'list',
  use: {
    // The set-up writes the address there; workers read this file afterwards.
    baseURL: process.env['PRODUCT_URL'],
    browserName: 'chromium',
    launchOptions: { ...(executablePath ? { executablePath } : {}), args },
    // A service worker would answer before a test's route. Its own tests allow it.
    serviceWorkers: 'block',
    viewport: { width: 1400, height: 900 },
    // Without a graphics card, the processor draws each frame of an animation.
    contextOptions: { reducedMotion: isFull ? 'no-preference' : 'reduce' },
    locale: 'en-GB',
    timezoneId: 'UTC',
    // A trace costs a tenth of the time; `--trace on` records one.
    screenshot: 'only-on-failure',
  },
});
