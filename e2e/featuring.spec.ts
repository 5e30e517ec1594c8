import { ENDPOINTS } from '@archive/contracts';
import { expect, test } from '@playwright/test';
import { ComputeBudgetProgram, PublicKey, TransactionInstruction } from '@solana/web3.js';
import { complaintsOf } from './complaints.ts';
import { journal, openSheet, pay, sheet, steps, swallow } from './feature-sheet.ts';
import { fund, interceptNode, openChain, tokensOf } from './local-chain.ts';
import { expectNoViolations } from './no-violations.ts';
import { accountName, card, openNote, openPost, readNote, signedIn, signIn } from './note-page.ts';
import { type Rewrite, TestWallet } from './test-wallet.ts';

const LOCAL_WALLET = 'Local wallet';
const MEMO_PROGRAM = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
const PRICE = 1_000_000n;

test('a newcomer pays with two clicks, and the post turns gold everywhere', async ({ page }) => {
  await openNote(page, 20);
  await signIn(page, LOCAL_WALLET);
  await openSheet(page);
  await expect(sheet(page)).toContainText('Featuring price1 AMBER');
  await expect(sheet(page).getByRole('alert').filter({ hasText: /./ })).toHaveCount(0);
  await sheet(page).getByRole('button', { name: 'Get test tokens' }).click();
  await pay(page);
  await expect(sheet(page).getByText('This post is featured, paid for by')).toBeVisible();
  await expect(sheet(page)).toHaveAccessibleName('Featured');
  await expect(steps(page)).toHaveText(['Sent', 'Confirmed', 'Featured']);
  const address = await accountName(page);
  await sheet(page).getByRole('button', { name: 'Close', exact: true }).last().click();
  const dialog = page.getByRole('dialog', { name: 'Post' });
  await expect(dialog).toContainText(`paid for by ${address}`);
  await expect(dialog.getByRole('button', { name: 'Feature This Tweet' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(card(page).getByText('Featured')).toBeVisible();
  await page.reload();
  await expect(card(page).getByText('Featured')).toBeVisible();
  const { featuredBy, payee } = await readNote(page, 20);
  expect(featuredBy).toBe('payment');
  expect(`${payee?.slice(0, 6)}…${payee?.slice(-4)}`).toBe(address);
});

test('signed out, the button says what is missing', async ({ page }) => {
  await openNote(page, 21);
  await openPost(page);
  await page.getByRole('button', { name: 'Feature This Tweet' }).click();
  await expect(page.getByText('Please connect your wallet and sign in to feature this tweet')).toBeVisible();
});

test('the sheet says before the signature what it will do, and that is what happens', async ({ page, context }) => {
  const complaints = complaintsOf(page);
  const wallet = await signedIn(page, context, 22);
  const chain = await openChain(page);
  await fund(chain, wallet.address, '24.5');
  const solBefore = await chain.connection.getBalance(new PublicKey(wallet.address));
  await openSheet(page);
  await expect(sheet(page).getByRole('blockquote')).toContainText('Note number 22 from the harbour log.');
  await expect(sheet(page)).toContainText(`To the Amber wallet, ${chain.wallet}`);
  await expect(sheet(page)).toContainText('Featuring price1 AMBER');
  await expect(sheet(page)).toContainText('Network fee0.000005 SOL');
  await expect(sheet(page)).toContainText('23.5 AMBER');
  await expect(sheet(page)).toContainText('Local network');
  const total =
    (await sheet(page)
      .getByText(/^1 AMBER \+ [\d.]+ SOL$/)
      .textContent()) ?? '';
  const sol = Number(/\+ ([\d.]+) SOL/.exec(total)?.[1]);
  await pay(page);
  await expect(sheet(page).getByText('This post is featured')).toBeVisible();
  expect(wallet.prompts).toEqual(['signIn', 'signTransaction']);
  expect(await tokensOf(chain, wallet.address)).toBe(23_500_000n);
  const solAfter = await chain.connection.getBalance(new PublicKey(wallet.address));
  expect(solBefore - solAfter).toBeLessThanOrEqual(Math.round(sol * 1e9));
  expect(complaints).toEqual([]);
});

const guard = ComputeBudgetProgram.setComputeUnitLimit({ units: 300_000 });
const memo = new TransactionInstruction({ programId: MEMO_PROGRAM, keys: [], data: Buffer.from('kept by a wallet') });

test('a wallet may put instructions of its own around the payment', async ({ page, context }) => {
  const rewrite: Rewrite = (all) => [guard, memo, ...all, memo];
  const wallet = await signedIn(page, context, 23, new TestWallet({ rewrite }));
  await fund(await openChain(page), wallet.address, '1');
  await openSheet(page);
  await pay(page);
  await expect(sheet(page).getByText('This post is featured')).toBeVisible();
});

test('a no in the wallet sends nothing and can be taken back', async ({ page, context }) => {
  const wallet = await signedIn(page, context, 25);
  const chain = await openChain(page);
  await fund(chain, wallet.address, '1');
  const sent: string[] = [];
  await interceptNode(page, chain, ({ method }) => void sent.push(method));
  await openSheet(page);
  wallet.answer = 'no';
  await pay(page);
  await expect(sheet(page).getByText('You declined in your wallet. Nothing was signed.')).toBeVisible();
  expect(sent).not.toContain('sendTransaction');
  expect(await journal(page)).toEqual([]);
  wallet.answer = 'yes';
  await pay(page);
  await expect(sheet(page).getByText('This post is featured')).toBeVisible();
});

test('a wallet that takes the transfer out is refused', async ({ page, context }) => {
  const rewrite: Rewrite = (all) => all.slice(0, -1);
  const wallet = await signedIn(page, context, 26, new TestWallet({ rewrite }));
  const chain = await openChain(page);
  await fund(chain, wallet.address, '1');
  await openSheet(page);
  await pay(page);
  await expect(sheet(page).getByRole('alert').first()).toContainText('Error: Your wallet changed the payment itself.');
  expect(await tokensOf(chain, wallet.address)).toBe(PRICE);
  expect(await journal(page)).toEqual([]);
});

test('too few tokens are said in the words of the specification', async ({ page, context }) => {
  const wallet = await signedIn(page, context, 26);
  await fund(await openChain(page), wallet.address, '0.999999');
  await openSheet(page);
  const sentence = 'Error: Insufficient token balance. You need 1 tokens to feature this tweet.';
  await expect(sheet(page).getByText(sentence)).toBeVisible();
  await expect(sheet(page).getByRole('button', { name: /^Pay/ })).toHaveCount(0);
});

test('terms that do not agree with the chain, or are closed, are never paid', async ({ page, context }) => {
  const wallet = await signedIn(page, context, 26);
  const chain = await openChain(page);
  await fund(chain, wallet.address, '1');
  const expected: [object, string][] = [
    [{ decimals: 9 }, 'Error: Invalid feature price or token decimals'],
    [{ featurePrice: '1e3' }, 'Error: Invalid feature price or token decimals'],
    [{ wallet: wallet.address }, 'Error: Dev wallet cannot be the same as your wallet'],
    [{ mintAddress: wallet.address }, `Error: ${wallet.address} is not a token`],
    [{ network: 'mainnet' }, 'Error: This page and the archive are on different Solana networks.'],
    [{ enabled: false }, 'Featuring is not open at the moment.'],
  ];
  await openPost(page);
  for (const [change, sentence] of expected) {
    await page.route(`**${ENDPOINTS.featureWallet.path}`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), ...change } });
    });
    await page.getByRole('button', { name: 'Feature This Tweet' }).click();
    await expect(sheet(page).getByText(sentence)).toBeVisible();
    await expect(sheet(page).getByRole('button', { name: /^Pay/ })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(sheet(page)).toHaveCount(0);
    await page.unroute(`**${ENDPOINTS.featureWallet.path}`);
  }
});

test('a post that somebody else has featured meanwhile is not paid for', async ({ page, context }) => {
  const wallet = await signedIn(page, context, 36);
  await fund(await openChain(page), wallet.address, '1');
  await openSheet(page);
  await expect(sheet(page).getByRole('button', { name: /^Pay/ })).toBeVisible();
  await page.route(/\/archives\/[0-9a-f]{24}$/, async (route) => {
    const answer = await route.fetch();
    const featured = { featured: true, featuredBy: 'team', featuredAt: '2026-11-21T10:00:00.000Z' };
    await route.fulfill({ response: answer, json: { ...(await answer.json()), ...featured } });
  });
  await pay(page);
  const sentence = 'Error: This post was featured by somebody else in the meantime.';
  await expect(sheet(page).getByText(sentence)).toBeVisible();
  expect(wallet.prompts).toEqual(['signIn']);
  await sheet(page).getByRole('button', { name: 'Try again' }).click();
  await expect(sheet(page).getByText('This post is featured.')).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('what was stopped or changed since it was shown is not paid', async ({ page, context }) => {
  const wallet = await signedIn(page, context, 36);
  await fund(await openChain(page), wallet.address, '3');
  const other = new TestWallet().address;
  await openPost(page);
  const path = `**${ENDPOINTS.featureWallet.path}`;
  const offerAnew = async (change: object | null) => {
    await page.getByRole('button', { name: 'Feature This Tweet' }).click();
    await expect(sheet(page).getByRole('button', { name: /^Pay/ })).toBeVisible();
    await page.route(path, async (route) => {
      if (change === null) return route.abort();
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), ...change } });
    });
    await pay(page);
  };
  const leave = async () => {
    await page.unroute(path);
    await page.keyboard.press('Escape');
    await expect(sheet(page)).toHaveCount(0);
  };

  await offerAnew({ enabled: false, stopped: true });
  await expect(sheet(page).getByText('Featuring is paused for now. Please pay nothing.')).toBeVisible();
  await expect(sheet(page).getByRole('button', { name: /^Pay/ })).toHaveCount(0);
  await leave();

  await offerAnew({ featurePrice: '2' });
  await expect(sheet(page).getByRole('alert').first()).toContainText('What is asked for has changed.');
  await expect(sheet(page).getByRole('button', { name: 'Pay 2 AMBER and feature' })).toBeVisible();
  await leave();

  await offerAnew({ wallet: other });
  await expect(sheet(page).getByRole('alert').first()).toContainText('What is asked for has changed.');
  await expect(sheet(page)).toContainText(other);
  await leave();

  await offerAnew(null);
  await expect(sheet(page).getByText('Error: The server could not be reached.')).toBeVisible();
  await expect(sheet(page).getByText('Nothing was sent.')).toBeVisible();
  await leave();
  expect(wallet.prompts).toEqual(['signIn']);
});

test('a payment signed while featuring was being stopped is not sent', async ({ page, context }) => {
  const wallet = await signedIn(page, context, 36);
  const chain = await openChain(page);
  await fund(chain, wallet.address, '1');
  await openSheet(page);
  wallet.answer = 'wait';
  await pay(page);
  await expect.poll(() => wallet.prompts).toContain('signTransaction');
  await page.route(`**${ENDPOINTS.featureWallet.path}`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), enabled: false, stopped: true } });
  });
  wallet.answer = 'yes';
  await expect(sheet(page).getByText('Featuring is paused for now. Please pay nothing.')).toBeVisible();
  expect(await tokensOf(chain, wallet.address)).toBe(PRICE);
  expect(await journal(page)).toEqual([]);
});

test('who comes second gets a credit, and features another post with it', async ({
  page,
  context,
  browser,
  baseURL,
}) => {
  // A credit is usable once its payment is final.
  test.slow();
  const second = await signedIn(page, context, 32);
  const chain = await openChain(page);
  await fund(chain, second.address, '1');
  const elsewhere = await browser.newContext({ baseURL: baseURL ?? '' });
  const rival = await elsewhere.newPage();
  const first = await signedIn(rival, elsewhere, 32);
  await fund(chain, first.address, '1');
  await openSheet(rival);

  await openSheet(page);
  second.answer = 'wait';
  await pay(page);
  await expect.poll(() => second.prompts).toContain('signTransaction');
  await pay(rival);
  await expect(sheet(rival).getByText('This post is featured')).toBeVisible();
  await elsewhere.close();

  second.answer = 'yes';
  await expect(sheet(page).getByText('Your payment is kept as a credit.')).toBeVisible();
  await sheet(page).getByRole('link', { name: 'See your credits on the dashboard' }).click();
  const credits = page.getByRole('region', { name: 'Credits' });
  await expect(credits).toContainText('1 AMBER');
  await expect(credits).toContainText('Its post was already featured when it arrived.');
  await expect(page.getByText('1 AMBER is yours to use')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Choose a post' }).click();

  await openNote(page, 33);
  await openSheet(page);
  await sheet(page).getByRole('button', { name: 'Use a credit of 1 AMBER' }).click();
  await expect(sheet(page).getByText('This post is featured, paid for by')).toBeVisible();
  expect((await readNote(page, 33)).payee).toBe(second.address);
  expect(second.prompts).toEqual(['signIn', 'signTransaction']);
  await page.goto('/dashboard');
  await credits.getByRole('link', { name: 'Used on this post' }).click();
  await expect(page.getByRole('dialog')).toContainText('Note number 33 from the harbour log.');
  await expect(page.getByText('is yours to use')).toHaveCount(0);
});

for (const width of [1400, 360]) {
  test(`axe finds nothing, ${width} wide: sheet and credits`, async ({ page, context }) => {
    await page.setViewportSize({ width, height: 900 });
    const wallet = await signedIn(page, context, 35);
    const chain = await openChain(page);
    await openSheet(page);
    await expect(sheet(page).getByRole('button', { name: 'Get test tokens' })).toBeVisible();
    await expectNoViolations(page, 'feature sheet');
    await sheet(page).getByRole('button', { name: 'Get test tokens' }).click();
    await expect(sheet(page).getByRole('button', { name: /^Pay/ })).toBeVisible();
    await expectNoViolations(page, 'feature sheet to pay');
    await interceptNode(page, chain, ({ method, params }) =>
      method === 'sendTransaction' ? swallow([], params) : undefined,
    );
    wallet.answer = 'wait';
    await pay(page);
    await expect(sheet(page).getByRole('button', { name: 'Cancel' })).toBeVisible();
    await expectNoViolations(page, 'approve a payment');
    wallet.answer = 'yes';
    await expect(steps(page).nth(1)).toHaveText('Waiting for Solana');
    await expectNoViolations(page, 'payment under way');
    await page.route(`**${ENDPOINTS.featureCredits.path}`, (route) => route.fulfill({ json: CREDITS }));
    await page.goto('/dashboard');
    await expect(page.getByText('1.5 AMBER is yours to use')).toBeVisible();
    await expectNoViolations(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
}

const CREDITS = [
  { reason: 'already_featured', baseUnits: '1500000', usedOn: null, usable: true },
  { reason: 'too_little', baseUnits: '1', usedOn: null, usable: false },
  { reason: 'change', baseUnits: '18446744073709551615', usedOn: 'f'.repeat(24), usable: false },
].map((credit, index) => ({
  ...credit,
  _id: String(index),
  transaction: '5'.repeat(88),
  createdAt: '2026-11-20T10:00:00.000Z',
}));
