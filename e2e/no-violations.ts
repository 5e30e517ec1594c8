import { isFull } from '@archive/tiers';
import { expect, type Page } from '@playwright/test';
import axe, { type AxeResults } from 'axe-core';
import { expectNames } from './names.ts';

const PHONE_WIDTH = 360;
/** The quick tier runs axe in one window size and one theme, where a page shows most; the full tier runs all. */
const QUICK_WIDTH = 1400;
const COLOUR_SCHEMES = isFull ? (['light', 'dark'] as const) : (['light'] as const);

/**
 * Expects no axe violations, and a page no wider than its window or a phone's. With a state name, also compares the
 * accessible names (`expectNames`) in the wide window.
 */
export async function expectNoViolations(page: Page, state?: string): Promise<void> {
  if (state !== undefined && page.viewportSize()?.width === QUICK_WIDTH) await expectNames(page, state);
  await expectFit(page);
  await expectFit(page, PHONE_WIDTH);
  if (!isFull && page.viewportSize()?.width !== QUICK_WIDTH) return;
  for (const colorScheme of COLOUR_SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(endOfTransitions);
    // Polls, because the page may still change: one dialog may be replacing another.
    await expect.poll(() => findViolations(page), { message: colorScheme }).toEqual([]);
  }
}

/** Expects that the page is not wider than its window, or than a window of the given width. */
export async function expectFit(page: Page, width?: number): Promise<void> {
  const size = page.viewportSize();
  if (size === null) throw new Error('the window has no size of its own');
  const isOther = width !== undefined && width !== size.width;
  if (isOther) await page.setViewportSize({ ...size, width });
  // Scripts that react to the width need a moment.
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
    .toBeLessThanOrEqual(width ?? size.width);
  if (isOther) await page.setViewportSize(size);
}

/**
 * Runs in the page. Waits for the end of transitions: their intermediate colours mean nothing, and an element that
 * inherits one may start its own afterwards.
 */
async function endOfTransitions(): Promise<void> {
  const running = () => document.getAnimations().filter((animation) => animation instanceof CSSTransition);
  for (let all = running(); all.length > 0; all = running()) {
    await Promise.allSettled(all.map(({ finished }) => finished));
  }
}

async function findViolations(page: Page): Promise<string[]> {
  // Half a megabyte, so it is loaded once per document.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { run } = (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe;
    const { violations } = await run({ resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
  });
}
