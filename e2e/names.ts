import { expect, type Page } from '@playwright/test';

/** What is a control, or names a part of the page. */
const NAMED =
  /^(alertdialog|banner|button|checkbox|combobox|complementary|dialog|form|group|heading|img|link|navigation|progressbar|radio|region|search|searchbox|slider|spinbutton|switch|tab|tablist|table|textbox)\b/;
/** Compared in a dialog alone: those of a page depend on what other tests have done. */
const SAID = /^(status|alert)\b/;
/** What other tests change beside this one. */
const SHARED = /^(article|listitem|row)\b/;

/**
 * Compares with `names/STATE.txt`, in their order, what a screen reader says of each control and each part of the open
 * dialog, with its status lines and alerts. Where no dialog is open, the controls and parts of the page are compared.
 * After a change that is meant, write the files again: `npm run test:e2e -- --update-snapshots`.
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

/** Figures differ from run to run, and so do wallets. */
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
