import { ENDPOINTS, PRODUCT_SLUG } from '@archive/contracts';
import { expect, type Page, test } from '@playwright/test';
import { complaintsOf } from './complaints.ts';
import { expectNoViolations } from './no-violations.ts';
import { TestWallet } from './test-wallet.ts';

const LOCAL_WALLET = 'Local wallet';

test('one prompt signs in, from the dialog to the dashboard', async ({ page, context }) => {
  const wallet = new TestWallet();
  await wallet.install(context);
  await page.goto('/dashboard');
  await openDialog(page);
  await expect(dialog(page)).toHaveAccessibleName('Connect a wallet on Solana to continue');
  const row = dialog(page).getByRole('button', { name: wallet.name });
  await expect(row).toContainText('Detected');
  await row.click();
  await expect(page.getByText('Reactions Given', { exact: true })).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
  expect(wallet.prompts).toEqual(['signIn']);
  await expect(page.getByRole('region', { name: 'Wallet information' })).toContainText(wallet.address.slice(0, 12));
  // The button that opened the dialog is gone; its replacement has the focus.
  await expect(account(page)).toBeFocused();
});

test('who only visits loads no wallet code; nearing the button fetches it', async ({ page }) => {
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url());
  });
  await page.goto('/');
  await expect(card(page)).toBeVisible();
  await page.waitForLoadState('networkidle');
  const isWallet = (url: string) => /wallet-provider/.test(url);
  expect(scripts.filter(isWallet)).toEqual([]);
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Connect/ })
    .hover();
  await expect.poll(() => scripts.filter(isWallet).length).toBe(1);
});

test('a wallet without sign-in connects and signs', async ({ page, context }) => {
  const wallet = new TestWallet({ hasSignIn: false });
  await wallet.install(context);
  await page.goto('/dashboard');
  await signIn(page, wallet.name);
  expect(wallet.prompts).toEqual(['connect', 'signMessage']);
});

test('a wallet that cannot sign is told so', async ({ page, context }) => {
  const wallet = new TestWallet({ hasSignIn: false, canSign: false });
  await wallet.install(context);
  await page.goto('/');
  await openDialog(page);
  await dialog(page).getByRole('button', { name: wallet.name }).click();
  await expect(dialog(page).getByRole('alert').first()).toContainText(
    'Wallet not connected or does not support message signing',
  );
});

test('reacting and taking back needs no prompt, on the card, in the dialog, and after a reload', async ({
  page,
  context,
}) => {
  const wallet = new TestWallet();
  await wallet.install(context);
  await page.goto('/?search=note+number+11+from');
  await signIn(page, wallet.name);
  const heart = card(page).getByRole('button', { name: /^Heart/ });
  await expect(heart).toHaveAccessibleName('Heart: 0');
  await answered(page, () => heart.click());
  await expect(heart).toHaveAccessibleName('Heart: 1');
  await expect(heart).toHaveAttribute('aria-pressed', 'true');

  await card(page).locator('[data-post-stop]').click();
  const inDialog = dialog(page).getByRole('button', { name: /^Heart/ });
  await expect(inDialog).toHaveAccessibleName('Heart: 1');
  await expect(inDialog).toHaveAttribute('aria-pressed', 'true');
  const up = dialog(page).getByRole('button', { name: /^Thumbs up/ });
  await answered(page, () => up.click());
  await expect(up).toHaveAccessibleName('Thumbs up: 1');
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await expect(card(page).getByRole('button', { name: /^Thumbs up/ })).toHaveAccessibleName('Thumbs up: 1');

  await page.reload();
  await expect(heart).toHaveAttribute('aria-pressed', 'true');
  await answered(page, () => heart.click());
  await expect(heart).toHaveAccessibleName('Heart: 0');
  await expect(heart).toHaveAttribute('aria-pressed', 'false');
  await page.reload();
  await expect(card(page).getByRole('button', { name: /^Thumbs up/ })).toHaveAttribute('aria-pressed', 'true');
  await expect(heart).toHaveAccessibleName('Heart: 0');
  expect(wallet.prompts).toEqual(['signIn']);

  await page.goto('/dashboard');
  const given = page.getByRole('region', { name: 'Reactions given' });
  await expect(given.getByRole('link')).toHaveCount(1);
  await given.getByRole('link').click();
  await expect(dialog(page)).toContainText('Note number 11 from the harbour log.');
});

test('a post opened while its reaction is on its way shows the reaction', async ({ page, context }) => {
  const wallet = new TestWallet();
  await wallet.install(context);
  await page.goto('/?search=note+number+17+from');
  await signIn(page, wallet.name);
  const heart = card(page).getByRole('button', { name: /^Heart/ });
  await expect(heart).toBeEnabled();
  const reacted = page.waitForResponse((answer) => answer.request().method() === 'POST');
  let opened = () => {};
  const isOpened = new Promise<void>((resolve) => {
    opened = resolve;
  });
  await page.route(/\/reactions\//, async (route) => {
    await isOpened;
    await route.continue();
  });
  await page.route(/\/archives\/[0-9a-f]{24}$/, async (route) => {
    // An answer from before the reaction that arrives after the reaction's answer.
    const answer = await route.fetch();
    opened();
    await reacted;
    await expect(card(page).getByRole('button', { name: 'Heart: 1', includeHidden: true })).toHaveCount(1);
    await route.fulfill({ response: answer });
  });
  await heart.click();
  const asked = page.waitForResponse(/\/archives\/[0-9a-f]{24}$/);
  await card(page).locator('[data-post-stop]').click();
  await (await asked).finished();
  const inDialog = dialog(page).getByRole('button', { name: /^Heart/ });
  await expect(inDialog).toHaveAttribute('aria-pressed', 'true');
  await expect(inDialog).toHaveAccessibleName('Heart: 1');
});

test('reactions wait for what the person has given before they can be pressed', async ({ page, context }) => {
  const wallet = new TestWallet();
  await wallet.install(context);
  await page.goto('/?search=note+number+18+from');
  await signIn(page, wallet.name);
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/reactions\/user/, async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.reload();
  const down = card(page).getByRole('button', { name: /^Thumbs down/ });
  await expect(account(page)).toBeVisible();
  await expect(down).toBeDisabled();
  release();
  await answered(page, () => down.click());
  await expect(down).toHaveAccessibleName('Thumbs down: 1');
});

test('a reaction the server refuses is rolled back, and a second press waits for the first', async ({
  page,
  context,
}) => {
  const wallet = new TestWallet();
  await wallet.install(context);
  await page.goto('/?search=note+number+12+from');
  await signIn(page, wallet.name);
  let calls = 0;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**/${PRODUCT_SLUG}/reactions/*`, async (route) => {
    // A call for the person's reactions may still come; let it pass.
    if (route.request().method() !== 'POST') return route.fallback();
    calls += 1;
    await held;
    await route.fulfill({ status: 500, json: { message: 'No.', code: 'internal_error' } });
  });
  const heart = card(page).getByRole('button', { name: /^Heart/ });
  await heart.click();
  await expect(heart).toHaveAccessibleName('Heart: 1');
  await heart.click();
  await card(page)
    .getByRole('button', { name: /^Thumbs down/ })
    .click();
  await expect(heart).toHaveAccessibleName('Heart: 1');
  release();
  await expect(heart).toHaveAccessibleName('Heart: 0');
  expect(calls).toBe(1);
});

test('a refused signature is said in words and asked again only by a click', async ({ page, context }) => {
  const wallet = new TestWallet({ hasSignIn: false });
  await wallet.install(context);
  wallet.answer = 'no';
  await page.goto('/');
  await openDialog(page);
  const row = dialog(page).getByRole('button', { name: wallet.name });
  await row.click();
  await expect(dialog(page).getByText('You declined in your wallet. Nothing was signed.')).toBeVisible();
  expect(wallet.prompts).toEqual(['connect']);
  await page.reload();
  await expect(card(page)).toBeVisible();
  // By now all code that could ask has loaded.
  await page.waitForLoadState('networkidle');
  expect(wallet.prompts).toEqual(['connect']);

  wallet.answer = 'yes';
  await signIn(page, wallet.name);
  expect(wallet.prompts).toEqual(['connect', 'connect', 'signMessage']);
});

test('Escape does not leave a prompt behind, and there is one prompt at a time', async ({ page, context }) => {
  const wallet = new TestWallet();
  await wallet.install(context);
  wallet.answer = 'wait';
  await page.goto('/');
  await openDialog(page);
  const row = dialog(page).getByRole('button', { name: wallet.name });
  await row.click();
  await expect(dialog(page).getByText(`Approve the request in ${wallet.name}.`)).toBeVisible();
  // Before the prompt, the page asks the server for the text to sign.
  await expect.poll(() => wallet.prompts).toEqual(['signIn']);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await expect(dialog(page)).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await row.click();
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  wallet.answer = 'yes';
  // After another request of the page, it has received the wallet's answer.
  await expect.poll(() => wallet.answered).toBe(1);
  await page.evaluate(() => fetch('/ready'));
  await expect(account(page)).toHaveCount(0);
  expect(wallet.prompts).toEqual(['signIn']);
});

for (const isAnnounced of [true, false]) {
  test(`another account drops the session, ${isAnnounced ? 'announced' : 'found on focus'}`, async ({
    page,
    context,
  }) => {
    const wallet = new TestWallet();
    await wallet.install(context);
    await page.goto('/dashboard');
    await signIn(page, wallet.name);
    const token = await storedToken(page);
    await wallet.switchAccount(page, isAnnounced);
    if (!isAnnounced) await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await expect(page.getByText('Your wallet is on another account now, so you were signed out.')).toBeVisible();
    await expect(page.getByText('Please connect your wallet to view your dashboard')).toBeVisible();
    expect(await storedToken(page)).toBeNull();
    await expect.poll(() => statusOf(page, token)).toBe(401);
    expect(wallet.prompts).toEqual(['signIn']);
  });
}

test('a wallet that leaves takes signing with it, not the session', async ({ page, context }) => {
  const wallet = new TestWallet();
  await wallet.install(context);
  await page.goto('/?search=note+number+13+from');
  await signIn(page, wallet.name);
  await wallet.disconnect(page);
  await card(page)
    .getByRole('button', { name: /^Heart/ })
    .click();
  await expect(page.getByText('Wallet not connected or does not support message signing')).toBeVisible();
  await expect(card(page).getByRole('button', { name: /^Heart/ })).toHaveAccessibleName('Heart: 0');
  await account(page).click();
  await page.getByRole('button', { name: 'Connect wallet' }).click();
  await dialog(page).getByRole('button', { name: wallet.name }).click();
  await expect(dialog(page)).toHaveCount(0);
  await card(page)
    .getByRole('button', { name: /^Heart/ })
    .click();
  await expect(card(page).getByRole('button', { name: /^Heart/ })).toHaveAccessibleName('Heart: 1');
  expect(wallet.prompts).toEqual(['signIn', 'connect']);
});

test('profile and preferences are kept', async ({ page, context }) => {
  const wallet = new TestWallet();
  await wallet.install(context);
  await page.goto('/dashboard');
  await signIn(page, wallet.name);
  const form = page.getByRole('form', { name: 'Profile Settings' });
  await form.getByLabel('Display name').fill('Ines Kowal');
  await form.getByLabel('Bio').fill(`🌿${'x'.repeat(600)}`);
  await expect(form.getByText('500 / 500')).toBeVisible();
  await form.getByLabel('Bio').fill('Reads old forums 🌿');
  await expect(form.getByText('18 / 500')).toBeVisible();
  await form.getByRole('button', { name: 'Save profile' }).click();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ines Kowal');
  await answered(page, () => form.getByLabel('Dark').click());
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await answered(page, () => form.getByLabel('Notifications').click());
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ines Kowal');
  await expect(form.getByLabel('Notifications')).not.toBeChecked();
  await expect(form.getByLabel('Dark')).toBeChecked();

  await page.route(`**${ENDPOINTS.updateProfile.path}`, (route) => route.fulfill({ status: 503, body: '' }));
  await form.getByRole('button', { name: 'Save profile' }).click();
  await expect(page.getByText('Failed to update profile. Please try again.')).toBeVisible();
});

test('the theme a person has saved comes with them', async ({ page, context, browser, baseURL }) => {
  const wallet = new TestWallet();
  await wallet.install(context);
  await page.goto('/dashboard');
  await signIn(page, wallet.name);
  await answered(page, () => page.getByRole('form', { name: 'Profile Settings' }).getByLabel('Dark').click());

  const elsewhere = await browser.newContext({ baseURL: baseURL ?? '' });
  await wallet.install(elsewhere);
  const other = await elsewhere.newPage();
  await other.goto('/dashboard');
  await signIn(other, wallet.name);
  await expect(other.locator('html')).toHaveAttribute('data-theme', 'dark');
  await elsewhere.close();
});

test('a logout ends the session in every tab, and the token with it', async ({ page, context }) => {
  const wallet = new TestWallet();
  await wallet.install(context);
  await page.goto('/dashboard');
  const second = await context.newPage();
  await second.goto('/dashboard');
  await signIn(page, wallet.name);
  // The other tab follows the sign-in.
  await expect(second.getByText('Reactions Given', { exact: true })).toBeVisible();
  const token = await storedToken(page);
  await page.getByRole('main').getByRole('button', { name: 'Logout' }).click();
  for (const tab of [page, second]) {
    await expect(tab.getByText('Please connect your wallet to view your dashboard')).toBeVisible();
    await expect(tab.getByRole('banner').getByRole('button', { name: 'Connect wallet' })).toBeVisible();
    expect(await storedToken(tab)).toBeNull();
  }
  await expect.poll(() => statusOf(page, token)).toBe(401);
  await page.reload();
  await expect(page.getByText('Please connect your wallet to view your dashboard')).toBeVisible();
  expect(wallet.prompts).toEqual(['signIn']);
});

test('signing out everywhere ends the session of another browser too', async ({ page, context, browser }) => {
  const wallet = new TestWallet();
  await wallet.install(context);
  const elsewhere = await browser.newContext();
  await wallet.install(elsewhere);
  const other = await elsewhere.newPage();
  for (const one of [page, other]) {
    await one.goto('/dashboard');
    await signIn(one, wallet.name);
  }
  const token = await storedToken(other);
  expect(await statusOf(page, token)).toBe(200);
  await account(page).click();
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page.getByText('You are signed out on every device.')).toBeVisible();
  await expect(page.getByText('Please connect your wallet to view your dashboard')).toBeVisible();
  expect(await statusOf(page, token)).toBe(401);
  await other.reload();
  await expect(other.getByText('Please connect your wallet to view your dashboard')).toBeVisible();
  await elsewhere.close();
});

test('the local wallet is labelled, signs in, and is there after a reload', async ({ page }) => {
  await page.goto('/?search=note+number+14+from');
  await openDialog(page);
  await expect(dialog(page).getByRole('button', { name: LOCAL_WALLET })).toContainText('For trying out');
  await dialog(page).getByRole('button', { name: LOCAL_WALLET }).click();
  await expect(account(page)).toBeVisible();
  await page.reload();
  const heart = card(page).getByRole('button', { name: /^Heart/ });
  await answered(page, () => heart.click());
  await expect(heart).toHaveAccessibleName('Heart: 1');
  await account(page).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('banner').getByRole('button', { name: 'Connect wallet' })).toBeVisible();
  await expect(heart).toHaveAttribute('title', 'Sign in to react');
});

test('signing in and reacting is refused nothing by the policy and complains of nothing', async ({ page, context }) => {
  const complaints = complaintsOf(page);
  const wallet = new TestWallet();
  await wallet.install(context);
  await page.goto('/?search=note+number+15+from');
  await signIn(page, wallet.name);
  await answered(page, () =>
    card(page)
      .getByRole('button', { name: /^Heart/ })
      .click(),
  );
  await page.goto('/dashboard');
  await expect(page.getByText('Reactions Given', { exact: true })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(complaints).toEqual([]);
});

for (const width of [1400, 360]) {
  test(`axe finds nothing, ${width} wide: dialog, menu, dashboard`, async ({ page, context }) => {
    await page.setViewportSize({ width, height: 900 });
    const wallet = new TestWallet();
    await wallet.install(context);
    await page.goto('/?search=note+number+16+from');
    await openDialog(page);
    await dialog(page).getByRole('button', { name: 'More options' }).click();
    await expectNoViolations(page, 'wallets');
    wallet.answer = 'wait';
    await dialog(page).getByRole('button', { name: wallet.name }).click();
    await expect(dialog(page).getByRole('button', { name: 'Cancel' })).toBeVisible();
    await expectNoViolations(page, 'wallet asked');
    wallet.answer = 'yes';
    await expect(account(page)).toBeVisible();
    await answered(page, () =>
      card(page)
        .getByRole('button', { name: /^Thumbs up/ })
        .click(),
    );
    await account(page).click();
    await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
    await expectNoViolations(page, 'wallet menu');
    await page.goto('/dashboard');
    await expect(page.getByRole('region', { name: 'Reactions given' }).getByRole('link')).toHaveCount(1);
    await expectNoViolations(page, 'dashboard of a wallet');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
}

function dialog(page: Page) {
  return page.getByRole('dialog');
}

function card(page: Page) {
  return page.getByRole('region', { name: 'Posts' }).getByRole('article').first();
}

/** The account button of the bar, after the sign-in. */
function account(page: Page) {
  return page.getByRole('banner').getByRole('button', { name: /^Wallet/ });
}

async function openDialog(page: Page): Promise<void> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Connect/ })
    .click();
  await expect(dialog(page)).toBeVisible();
}

async function signIn(page: Page, walletName: string): Promise<void> {
  await openDialog(page);
  await dialog(page).getByRole('button', { name: walletName }).click();
  await expect(account(page)).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
}

/** Does something and waits until the page has the server's answer. Until then the page ignores presses. */
async function answered(page: Page, act: () => Promise<void>): Promise<void> {
  const [request] = await Promise.all([
    page.waitForRequest((sent) => ['POST', 'PUT', 'DELETE'].includes(sent.method())),
    act(),
  ]);
  const response = await request.response();
  expect(response?.ok()).toBe(true);
  await response?.finished();
  // After another request of the page, it has received the answer.
  await page.evaluate(() => fetch('/ready'));
}

function storedToken(page: Page): Promise<string | null> {
  return page.evaluate((key) => localStorage.getItem(key) ?? sessionStorage.getItem(key), `${PRODUCT_SLUG}.token`);
}

async function statusOf(page: Page, token: string | null): Promise<number> {
  const answer = await page.request.get(ENDPOINTS.me.path, { headers: { Authorization: `Bearer ${token}` } });
  return answer.status();
}
