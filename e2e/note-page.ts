import { ENDPOINTS, type Post } from '@archive/contracts';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { posts } from './posts.ts';
import { TestWallet } from './test-wallet.ts';

const NOTES = posts();

/** Opens the list that contains one harbour note. */
export async function openNote(page: Page, number: number): Promise<void> {
  await page.goto(`/?search=note+number+${number}+from`);
  await expect(card(page)).toBeVisible();
}

export async function signedIn(
  page: Page,
  context: BrowserContext,
  note: number,
  wallet = new TestWallet(),
): Promise<TestWallet> {
  await wallet.install(context);
  await openNote(page, note);
  await signIn(page, wallet.name);
  return wallet;
}

export async function signIn(page: Page, walletName: string): Promise<void> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Connect/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: walletName }).click();
  await expect(account(page)).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

export async function openPost(page: Page): Promise<void> {
  await card(page).locator('[data-post-stop]').click();
  await expect(page.getByRole('dialog', { name: 'Post' })).toBeVisible();
}

export function card(page: Page) {
  return page.getByRole('region', { name: 'Posts' }).getByRole('article').first();
}

function account(page: Page) {
  return page.getByRole('banner').locator('[data-account]');
}

/** The wallet's address as the bar shows it: first 6 and last 4 characters. */
export async function accountName(page: Page): Promise<string> {
  return /\w{6}…\w{4}/.exec((await account(page).textContent()) ?? '')?.[0] ?? '';
}

export async function readNote(page: Page, number: number): Promise<Post> {
  const id = NOTES.find(({ content }) => content === `Note number ${number} from the harbour log.`)?.id ?? '';
  const answer = await page.request.get(ENDPOINTS.getArchive.path.replace(':id', id));
  return (await answer.json()) as Post;
}
