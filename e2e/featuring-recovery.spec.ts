import { ENDPOINTS } from '@archive/contracts';
import { expect, type Response, test } from '@playwright/test';
import { journal, openSheet, pay, sheet, signatureOf, steps, swallow } from './feature-sheet.ts';
import { fund, interceptNode, openChain, tokensOf } from './local-chain.ts';
import { openNote, readNote, signedIn } from './note-page.ts';

const PRICE = 1_000_000n;

test('a tab closed right after sending leaves a payment that the server finds', async ({ page, context }) => {
  const wallet = await signedIn(page, context, 27);
  const chain = await openChain(page);
  await fund(chain, wallet.address, '1');
  const watcher = await context.newPage();
  await openSheet(page);
  // The browser closes right after it sends the transaction.
  const reported = page.waitForResponse(isReport);
  const sent = page.waitForResponse((answer) => methodOf(answer) === 'sendTransaction');
  await pay(page);
  await reported;
  await sent;
  await page.close();
  await expect.poll(async () => (await readNote(watcher, 27)).payee).toBe(wallet.address);
  expect(await tokensOf(chain, wallet.address)).toBe(0n);
});

test('a reload resumes the same payment and says when it arrived', async ({ page, context }) => {
  const wallet = await signedIn(page, context, 28);
  const chain = await openChain(page);
  await fund(chain, wallet.address, '5');
  const swallowed: string[] = [];
  const release = await interceptNode(page, chain, ({ method, params }) =>
    method === 'sendTransaction' ? swallow(swallowed, params) : undefined,
  );
  await openSheet(page);
  await pay(page);
  await expect(steps(page).nth(1)).toHaveText('Waiting for Solana');
  expect(await journal(page)).toEqual([signatureOf(swallowed[0])]);
  await release();
  const again = page.waitForRequest((request) => request.postData()?.includes('"sendTransaction"') ?? false);
  await page.reload();
  expect(((await again).postDataJSON() as { params: unknown[] }).params[0]).toBe(swallowed[0]);
  await expect(page.getByText('Your payment arrived: the post is featured.')).toBeVisible();
  await expect.poll(() => journal(page)).toEqual([]);
  expect(wallet.prompts).toEqual(['signIn', 'signTransaction']);
  expect(await tokensOf(chain, wallet.address)).toBe(4n * PRICE);
});

test('while a payment may still land the button leads back to it, never to a second one', async ({ page, context }) => {
  const wallet = await signedIn(page, context, 29);
  const chain = await openChain(page);
  await fund(chain, wallet.address, '5');
  const swallowed: string[] = [];
  const release = await interceptNode(page, chain, ({ method, params }) =>
    method === 'sendTransaction' ? swallow(swallowed, params) : undefined,
  );
  // Opened beforehand, because the payment expires with its blockhash.
  const other = await context.newPage();
  await openNote(other, 29);
  await openSheet(page);
  await pay(page);
  await expect(sheet(page)).toHaveAccessibleName('Featuring this post');
  await page.keyboard.press('Escape');
  await expect(sheet(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Feature This Tweet' }).click();
  await expect(sheet(page)).toHaveAccessibleName('Featuring this post');

  // The other tab shows the same: it waits for this tab's payment.
  await openSheet(other);
  await expect(sheet(other)).toHaveAccessibleName('Featuring this post');
  await expect(sheet(other).getByRole('button', { name: /^Pay/ })).toHaveCount(0);

  await expect.poll(() => swallowed.length).toBeGreaterThan(1);
  expect(new Set(swallowed).size).toBe(1);
  await release();
  await expect(sheet(page).getByText('This post is featured')).toBeVisible();
  await expect(sheet(other).getByText('This post is featured, paid for by')).toBeVisible();
  expect(wallet.prompts).toEqual(['signIn', 'signTransaction']);
  expect(await tokensOf(chain, wallet.address)).toBe(4n * PRICE);
});

test('only a payment that can never land any more may be made again', async ({ page, context }) => {
  // The server decides 151 blocks after the report, which takes more than half a minute here.
  test.slow();
  const wallet = await signedIn(page, context, 30);
  const chain = await openChain(page);
  await fund(chain, wallet.address, '5');
  const swallowed: string[] = [];
  const release = await interceptNode(page, chain, async ({ method, params }) => {
    if (method === 'sendTransaction') return swallow(swallowed, params);
    if (method !== 'getLatestBlockhash') return undefined;
    // A blockhash near its expiry.
    const { context: at, value } = await chain.connection.getLatestBlockhashAndContext('confirmed');
    return { context: at, value: { ...value, lastValidBlockHeight: value.lastValidBlockHeight - 145 } };
  });
  await openSheet(page);
  await pay(page);
  await expect(sheet(page)).toHaveAccessibleName('Featuring this post');
  await expect(sheet(page).getByRole('button', { name: 'Try again' })).toHaveCount(0);
  const expired = 'Error: The payment did not reach the network in time and never will. Nothing was paid.';
  await expect(sheet(page).getByText(expired)).toBeVisible({ timeout: 200_000 });
  expect(await journal(page)).toEqual([]);
  await release();
  await sheet(page).getByRole('button', { name: 'Try again' }).click();
  await pay(page);
  await expect(sheet(page).getByText('This post is featured')).toBeVisible();
  expect(await tokensOf(chain, wallet.address)).toBe(4n * PRICE);
});

test('what the node turns down before sending is not waited for', async ({ page, context }) => {
  const wallet = await signedIn(page, context, 31);
  const chain = await openChain(page);
  await fund(chain, wallet.address, '1');
  await openSheet(page);
  await expect(sheet(page).getByRole('button', { name: /^Pay/ })).toBeVisible();
  // The node refuses the payment, as if the tokens were spent after the offer.
  await page.route(`${chain.rpcUrl}/**`, async (route) => {
    const { id, method } = route.request().postDataJSON() as { id: string; method: string };
    if (method !== 'sendTransaction') return route.continue();
    const error = { code: -32_002, message: 'Transaction simulation failed: 0x1', data: { err: 'x', logs: ['no'] } };
    return route.fulfill({ headers: { 'Access-Control-Allow-Origin': '*' }, json: { jsonrpc: '2.0', id, error } });
  });
  await pay(page);
  await expect(
    sheet(page).getByText('Error: The network would not take this payment. Nothing was sent.'),
  ).toBeVisible();
  expect(await journal(page)).toEqual([]);
});

test('Escape does not leave a prompt behind, and a cancelled payment is never sent', async ({ page, context }) => {
  const wallet = await signedIn(page, context, 34);
  const chain = await openChain(page);
  await fund(chain, wallet.address, '1');
  const sent: string[] = [];
  await interceptNode(page, chain, ({ method }) => void sent.push(method));
  await openSheet(page);
  wallet.answer = 'wait';
  await pay(page);
  await expect(sheet(page).getByText(`Approve the request in ${wallet.name}.`).last()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(sheet(page)).toBeVisible();
  await expect.poll(() => wallet.prompts).toEqual(['signIn', 'signTransaction']);
  await sheet(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(sheet(page).getByRole('button', { name: /^Pay/ })).toBeVisible();
  wallet.answer = 'yes';
  // The person cancelled before this signature, so the sheet asks for the price again.
  await page.keyboard.press('Escape');
  await expect(sheet(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Feature This Tweet' }).click();
  await expect(sheet(page).getByRole('button', { name: /^Pay/ })).toBeVisible();
  expect(sent).not.toContain('sendTransaction');
  expect(await journal(page)).toEqual([]);
});

function isReport(answer: Response): boolean {
  return answer.request().method() === 'POST' && answer.url().endsWith(ENDPOINTS.verifyFeature.path);
}

function methodOf(answer: Response): string | undefined {
  return (answer.request().postDataJSON() as { method?: string } | null)?.method;
}
