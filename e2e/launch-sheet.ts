import { ENDPOINTS, PRODUCT_SLUG, type TokenCheck, type TokenLaunch } from '@archive/contracts';
import { expect, type Page, type Request } from '@playwright/test';
import { card, readNote } from './note-page.ts';

export async function openSheet(page: Page): Promise<void> {
  await launchLink(page).click();
  await expect(form(page)).toBeVisible();
}

export function launchLink(page: Page) {
  return card(page).getByRole('button', { name: 'Launch', exact: true });
}

/** The mark that replaces the launch link after a launch. */
export function launchedMark(page: Page) {
  return card(page).getByRole('button', { name: 'Launched', exact: true });
}

export async function launch(page: Page): Promise<void> {
  await sheet(page).getByRole('button', { name: 'Sign and launch' }).click();
}

export async function finish(page: Page): Promise<void> {
  await sheet(page).getByRole('button', { name: 'Done' }).click();
  await expect(sheet(page)).toHaveCount(0);
}

export function sheet(page: Page) {
  return page.getByRole('dialog', { name: /launch/i });
}

export function form(page: Page) {
  return sheet(page).getByRole('form', { name: 'Launch Token' });
}

export function nameField(page: Page) {
  return form(page).getByLabel('Token name');
}

export function symbolField(page: Page) {
  return form(page).getByLabel('Token symbol');
}

/** The sentence that the sheet shows for signing. */
export function sentence(page: Page) {
  return form(page).getByRole('blockquote', { name: 'Your wallet will ask you to sign' });
}

/** Records the launch calls that a page makes from now on. */
export function watchLaunches(page: Page): Request[] {
  const calls: Request[] = [];
  page.on('request', (request) => {
    const { method, path } = ENDPOINTS.launchToken;
    if (request.method() === method && new URL(request.url()).pathname === path) calls.push(request);
  });
  return calls;
}

/** The server's state of a note's token. */
export async function checkToken(page: Page, note: number): Promise<TokenCheck> {
  const { _id } = await readNote(page, note);
  const answer = await page.request.get(ENDPOINTS.checkToken.path.replace(':id', _id));
  return (await answer.json()) as TokenCheck;
}

/** The token that was launched from a note. */
export async function readToken(
  page: Page,
  note: number,
): Promise<TokenLaunch & { mint: string; transaction: string }> {
  const { exists, tokenLaunch } = await checkToken(page, note);
  expect(exists).toBe(true);
  const { mint = null, transaction = null } = tokenLaunch ?? {};
  if (tokenLaunch === null || mint === null || transaction === null) throw new Error(`Note ${note} has no token.`);
  return { ...tokenLaunch, mint, transaction };
}

/** The signed-in person's launches, as the server lists them. */
export async function ownLaunches(page: Page): Promise<TokenLaunch[]> {
  const token = await sessionToken(page);
  const answer = await page.request.get(ENDPOINTS.userTokens.path, { headers: { Authorization: `Bearer ${token}` } });
  return (await answer.json()) as TokenLaunch[];
}

/** Ends the session on the server without telling the page. */
export async function revokeSession(page: Page): Promise<void> {
  const token = await sessionToken(page);
  const answer = await page.request.post(ENDPOINTS.logout.path, { headers: { Authorization: `Bearer ${token}` } });
  expect(answer.ok()).toBe(true);
}

function sessionToken(page: Page): Promise<string | null> {
  return page.evaluate((key) => localStorage.getItem(key), `${PRODUCT_SLUG}.token`);
}
