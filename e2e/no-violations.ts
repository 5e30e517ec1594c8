import { isFull } from '@archive/tiers';
import { expect, type Page } from '@playwright/test';
import axe, { type AxeResults } from 'axe-core';
import { expectNames } from './names.ts';

const PHONE_WIDTH = 360;
/** The quick tier asks axe in the one window and the one theme in which a page shows most; the full one everywhere. */
const QUICK_WIDTH = 1400;
const COLOUR_SCHEMES = isFull ? (['light', 'dark'] as const) : (['light'] as const);

/**
 * What axe finds on the page as it is now, by rule and element: nothing. Nor is it wider than its window, or than a
 * phone's would be. Where the state has a name, each control is called as `expectNames` has it, in the wide window.
 */
export async function expectNoViolations(page: Page, state?: string): Promise<void> {
  if (state !== undefined && page.viewportSize()?.width === QUICK_WIDTH) await expectNames(page, state);
  await expectFit(page);
  await expectFit(page, PHONE_WIDTH);
  if (!isFull && page.viewportSize()?.width !== QUICK_WIDTH) return;
  for (const colorScheme of COLOUR_SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(endOfTransitions);
    // Asked again where the page is still on its way to what it shows: a dialog may just take the place of another.
    await expect.poll(() => findViolations(page), { message: colorScheme }).toEqual([]);
  }
}

/** The page as it is now is not wider than its window, or than that of another width would be. */
export async function expectFit(page: Page, width?: number): Promise<void> {
  const size = page.viewportSize();
  if (size === null) throw new Error('the window has no size of its own');
  const isOther = width !== undefined && width !== size.width;
  if (isOther) await page.setViewportSize({ ...size, width });
  // What follows the width in a script takes a moment.
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
    .toBeLessThanOrEqual(width ?? size.width);
  if (isOther) await page.setViewportSize(size);
}

/** Runs in the page: colours in the middle of a transition are nobody's, and what inherits one may begin its own after it. */
async function endOfTransitions(): Promise<void> {
  const running = () => document.getAnimations().filter((animation) => animation instanceof CSSTransition);
  for (let all = running(); all.length > 0; all = running()) {
    await Promise.allSettled(all.map(({ finished }) => finished));
  }
}

async function findViolations(page: Page): Promise<string[]> {
  // Half a megabyte, once for each document.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { run } = (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe;
    const { violations } = await run({ resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
  });
}
