import { expect, type Page } from '@playwright/test';

/** Roles of controls, and of parts of a page. */
const NAMED =
  /^(alertdialog|banner|button|checkbox|combobox|complementary|dialog|form|group|heading|img|link|navigation|progressbar|radio|region|search|searchbox|slider|spinbutton|switch|tab|tablist|table|textbox)\b/;
/** Compared in dialogs only: on a page they depend on other tests. */
const SAID = /^(status|alert)\b/;
/** Roles whose content other tests change. */
const SHARED = /^(article|listitem|row)\b/;

/**
 * Compares the accessible names of controls and parts with `names/STATE.txt`, in order: those of the open dialog with
 * its status lines and alerts, or else those of the page. After an intended change, update the files:
 * `npm run test:e2e -- --update-snapshots`.
 */
export async function expectNames(page: Page, state: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  const dialog = page.locator('dialog[open]');
  await expect(async () => {
    const isDialog = (await dialog.count()) > 0;
    const part = isDialog ? dialog.last() : page.locator('body');
    expect(namesIn(await part.ariaSnapshot(), isDialog)).toMatchSnapshot(`${state.replaceAll(' ', '-')}.txt`);
  }).toPass({ timeout: 30_000 });
}

/** Replaces figures and wallets, which differ in each run. */
function masked(node: string): string {
  return node
    .replace(/https?:[^"]*/g, 'address')
    .replace(/\w+…\w+/g, '…')
    .replace(/\d+/g, '#')
    .replace(/^((?:textbox|spinbutton) "[^"]*".*?): .*/, '$1')
    .replace(/:?'?:?$/, '');
}

function namesIn(snapshot: string, isDialog: boolean): string {
  const names = new Set<string>();
  let leftOut = Number.POSITIVE_INFINITY;
  for (const line of snapshot.split('\n')) {
    const depth = line.search(/\S/);
    if (depth > leftOut) continue;
    leftOut = Number.POSITIVE_INFINITY;
    const node = line.trim().replace(/^- '?/, '');
    if (SHARED.test(node)) leftOut = depth;
    if (NAMED.test(node) || (isDialog && SAID.test(node))) names.add(masked(node));
  }
  return [...names, ''].join('\n');
}
