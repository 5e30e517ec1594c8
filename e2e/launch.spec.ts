import { type ArchivePage, ENDPOINTS, type TokenCheck, type TokenLaunch } from '@archive/contracts';
import { type Browser, expect, type Page, type Route, test } from '@playwright/test';
import bs58 from 'bs58';
import nacl from 'tweetnacl';
import { complaintsOf } from './complaints.ts';
import {
  checkToken,
  finish,
  form,
  launch,
  launchedMark,
  launchLink,
  nameField,
  openSheet,
  ownLaunches,
  readToken,
  revokeSession,
  sentence,
  sheet,
  symbolField,
  watchLaunches,
} from './launch-sheet.ts';
import { countMints, readMint } from './launched-mint.ts';
import { openChain } from './local-chain.ts';
import { expectNoViolations } from './no-violations.ts';
import { accountName, card, openNote, openPost, readNote, signedIn, signIn } from './note-page.ts';
import { TestWallet } from './test-wallet.ts';

/** The answer of token/check for a post without a token. */
const FREE = { exists: false, tokenLaunch: null, failure: null, refusal: null };
const ALREADY_USED = 'This tweet has already been used for a token launch';
const LAUNCH_CALL = `**${ENDPOINTS.launchToken.path}`;
const CHECK_CALL = `**${ENDPOINTS.checkToken.path.replace(':id', '*')}`;
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
/** A thousand million tokens with six decimals, in base units. */
const SUPPLY = 10n ** 15n;

test('a newcomer launches with two clicks, and the network holds the token as it was promised', async ({
  page,
  baseURL,
}) => {
  const complaints = complaintsOf(page);
  const calls = watchLaunches(page);
  await openNote(page, 37);
  await signIn(page, 'Local wallet');
  await openSheet(page);
  await expect(nameField(page)).toHaveValue('Bo Lindqvist Token');
  await expect(symbolField(page)).toHaveValue('BOLI');
  await expect(sheet(page)).toContainText('Note number 37 from the harbour log.');
  const address = (await form(page).getByTitle(ADDRESS).getAttribute('title')) ?? '';
  expect(`${address.slice(0, 6)}…${address.slice(-4)}`).toBe(await accountName(page));
  const promised = (await sentence(page).textContent()) ?? '';
  const { _id, id, content } = await readNote(page, 37);
  expect(promised).toBe(`I am launching a token named Bo Lindqvist Token with symbol BOLI for tweet ${id}`);

  await launch(page);
  await expect(sheet(page)).toHaveAccessibleName('BOLI is launched');
  await expect(sheet(page)).toContainText('Bo Lindqvist Token now exists, and this post is marked as its source.');
  const token = await readToken(page, 37);
  await expect(sheet(page).getByTitle(token.mint)).toBeVisible();
  await expect(sheet(page).getByTitle(token.transaction)).toBeVisible();
  await expect(sheet(page)).toContainText('Bo Lindqvist, ');
  expect(calls).toHaveLength(1);
  const [{ transaction }] = calls.map((call) => call.postDataJSON()) as [{ transaction: string }];
  expect(nacl.sign.detached.verify(Buffer.from(promised), bs58.decode(transaction), bs58.decode(address))).toBe(true);

  await finish(page);
  await expect(card(page).locator('[data-post-stop]')).toBeFocused();
  await expectLaunched(page, token);
  await page.reload();
  await expectLaunched(page, token);
  expect(complaints).toEqual([]);

  const chain = await openChain(page);
  const { value } = await chain.connection.getSignatureStatus(token.transaction, { searchTransactionHistory: true });
  expect(value?.err).toBeNull();
  const uri = baseURL + ENDPOINTS.tokenMetadata.path.replace(':mint', token.mint);
  const image = baseURL + ENDPOINTS.tokenImage.path.replace(':mint', token.mint);
  const { metadata, pointer, ...mint } = await readMint(chain, token.mint, address);
  expect(mint).toMatchObject({ decimals: 6, supply: SUPPLY, held: SUPPLY, isInitialized: true });
  expect(mint).toMatchObject({ mintAuthority: null, freezeAuthority: null });
  expect(metadata).toMatchObject({ name: 'Bo Lindqvist Token', symbol: 'BOLI', uri, additionalMetadata: [] });
  expect(metadata?.mint.toBase58()).toBe(token.mint);
  expect(metadata?.updateAuthority).toBeUndefined();
  expect(pointer?.authority).toBeNull();
  expect(pointer?.metadataAddress?.toBase58()).toBe(token.mint);

  const described = await page.request.get(uri);
  expect(described.headers()['content-type']).toContain('application/json');
  expect(await described.json()).toEqual({
    name: 'Bo Lindqvist Token',
    symbol: 'BOLI',
    description: content,
    image,
    external_url: `${baseURL}/post/${_id}`,
    showName: true,
    createdOn: baseURL,
  });
  const picture = await page.request.get(image);
  expect(picture.headers()['content-type']).toBe('image/png');
  expect((await picture.body()).subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  expect(await sizeOf(page, image)).toEqual([512, 512]);
});

test('a token named by hand is launched from the table, counted on the dashboard, and named first', async ({
  page,
  context,
}) => {
  const before = (await readArchive(page)).lastLaunch;
  const wallet = new TestWallet();
  await wallet.install(context);
  await page.goto('/?view=table&search=note+number+38+from');
  await signIn(page, wallet.name);
  const row = page.getByRole('table', { name: 'Posts' }).getByRole('row').nth(1);
  await row.getByRole('button', { name: 'Launch', exact: true }).click();
  // Spaces at the ends are neither shown nor signed.
  await nameField(page).fill('  Hafenlicht ⚓ Ω ');
  await symbolField(page).fill('');
  await symbolField(page).pressSequentially('ht7');
  await symbolField(page).press('ArrowLeft');
  // Text typed in the middle stays there.
  await symbolField(page).pressSequentially('af');
  await expect(symbolField(page)).toHaveValue('HTAF7');
  await symbolField(page).press('End');
  await symbolField(page).pressSequentially('wxyz');
  await expect(symbolField(page)).toHaveValue('HTAF7WXY');
  const { id } = await readNote(page, 38);
  const promised = `I am launching a token named Hafenlicht ⚓ Ω with symbol HTAF7WXY for tweet ${id}`;
  expect(await sentence(page).textContent()).toBe(promised);
  await launch(page);
  await expect(sheet(page)).toHaveAccessibleName('HTAF7WXY is launched');
  expect(wallet.prompts).toEqual(['signIn', 'signMessage']);
  expect(wallet.signed).toEqual([promised]);
  await finish(page);
  await expect(row.getByRole('button', { name: 'Launched' })).toBeDisabled();
  await expect(row.getByRole('button', { name: 'Launched' })).toHaveAttribute('title', ALREADY_USED);
  await expect(row.locator('[data-post-stop]')).toBeFocused();
  const token = await readToken(page, 38);
  const { metadata } = await readMint(await openChain(page), token.mint, wallet.address);
  expect(metadata).toMatchObject({ name: 'Hafenlicht ⚓ Ω', symbol: 'HTAF7WXY' });

  await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click();
  const tokens = page.getByRole('region', { name: 'Launched tokens' });
  await expect(tokens.getByRole('listitem')).toHaveCount(1);
  await expect(tokens.getByRole('listitem')).toContainText('HTAF7WXY Hafenlicht ⚓ Ω');
  await expect(tokens.getByRole('listitem')).toContainText('from a post by Cosima Wachter');
  await expect(figure(page, 'Tokens Launched')).toHaveText('1');
  await expect(figure(page, 'Total Interactions')).toHaveText('1');
  await tokens.getByRole('link').first().click();
  await expect(page.getByRole('dialog', { name: 'Post' })).toContainText('Note number 38 from the harbour log.');

  // Other tests may launch meanwhile. Whatever the last launch is, the page gets the same one each time.
  const told: (TokenLaunch | null)[] = [];
  await page.route(`**${ENDPOINTS.listArchives.path}*`, async (route) => {
    const answer = await route.fetch();
    const list = (await answer.json()) as ArchivePage;
    told.push(list.lastLaunch);
    await route.fulfill({ response: answer, json: { ...list, lastLaunch: told[0] } });
  });
  await page.goto('/');
  const banner = page.getByRole('region', { name: 'Last launched' });
  await expect(banner).toBeVisible();
  const { mint, symbol, name, author, amberId } = told[0] as TokenLaunch;
  expect(mint).not.toBe(before?.mint);
  await expect(banner).toContainText(`${symbol} ${name}`);
  await expect(banner).toContainText(new RegExp(`from a post by ${author}, (just now|\\d+ minutes? ago)`));
  const source = await page.request.get(ENDPOINTS.getArchive.path.replace(':id', amberId));
  expect(await source.json()).toMatchObject({ author, launched: true });
});

test('an opened post launches its token, and the focus comes back to the post', async ({ page, context }) => {
  const wallet = await signedIn(page, context, 39);
  await openPost(page);
  const dialog = page.getByRole('dialog', { name: 'Post' });
  await dialog.getByRole('button', { name: 'Launch Token' }).click();
  await launch(page);
  await expect(sheet(page)).toHaveAccessibleName('DILI is launched');
  await expect(sheet(page).getByRole('heading', { level: 2 })).toBeFocused();
  await finish(page);
  await expect(dialog.getByRole('button', { name: 'Already Launched' })).toBeDisabled();
  await expect(dialog.getByRole('heading', { level: 2 })).toBeFocused();
  const token = await readToken(page, 39);
  await expect(dialog).toContainText('DILI Dilip Raman Token');
  await expect(dialog.getByTitle(token.mint)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(launchedMark(page)).toBeDisabled();
  await expect(card(page).locator('[data-post-stop]')).toBeFocused();
  expect(wallet.prompts).toEqual(['signIn', 'signMessage']);
});

test('a post by itself launches its token, and the focus comes back to its heading', async ({ page, context }) => {
  await signedIn(page, context, 40);
  const { _id } = await readNote(page, 40);
  await page.goto(`/post/${_id}`);
  await page.getByRole('button', { name: 'Launch Token' }).click();
  await launch(page);
  await expect(sheet(page)).toHaveAccessibleName('ESRA is launched');
  await finish(page);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  const token = await readToken(page, 40);
  for (const look of [async () => {}, () => page.reload()]) {
    await look();
    await expect(page.getByRole('button', { name: 'Already Launched' })).toBeDisabled();
    await expect(page.getByRole('button', { name: 'Launch Token' })).toHaveCount(0);
    await expect(page.getByRole('main')).toContainText('ESRA Esra Yıldız Token');
    await expect(page.getByRole('main').getByTitle(token.mint)).toBeVisible();
  }
});

test('what no token may be called is said before the wallet is asked', async ({ page, context }) => {
  const wallet = await signedIn(page, context, 41);
  const calls = watchLaunches(page);
  await openSheet(page);
  const refused: { name: string; symbol: string; sentence: string; field: 'name' | 'symbol' }[] = [
    { name: '  ', symbol: 'ANWE', sentence: 'Token name is required', field: 'name' },
    { name: 'Anwen', symbol: '', sentence: 'Token symbol is required', field: 'symbol' },
    // 17 characters of 33 bytes.
    {
      name: `${'ü'.repeat(16)}x`,
      symbol: 'ANWE',
      sentence: 'Token name is too long',
      field: 'name',
    },
    {
      name: 'Anwen',
      symbol: 'AN WE',
      sentence: 'Token symbol must be 1 to 8 letters or digits (A–Z, 0–9)',
      field: 'symbol',
    },
  ];
  for (const { name, symbol, sentence, field } of refused) {
    await nameField(page).fill(name);
    await symbolField(page).fill(symbol);
    await launch(page);
    await expect(form(page).getByRole('alert')).toHaveText([sentence]);
    await expect(field === 'name' ? nameField(page) : symbolField(page)).toBeFocused();
    await expect(field === 'name' ? nameField(page) : symbolField(page)).toHaveAttribute('aria-invalid', 'true');
  }
  // Enter does the same as the button.
  await nameField(page).fill('');
  await nameField(page).press('Enter');
  await expect(form(page).getByRole('alert')).toHaveText([
    'Token name is required',
    'Token symbol must be 1 to 8 letters or digits (A–Z, 0–9)',
  ]);
  expect(wallet.prompts).toEqual(['signIn']);
  expect(calls).toEqual([]);
  expect(await checkToken(page, 41)).toEqual(FREE);
});

test('signed out, every way to launch says what is missing and opens nothing', async ({ page, context }) => {
  const wallet = new TestWallet();
  await wallet.install(context);
  await openNote(page, 42);
  const connect = page.getByRole('status').getByText('Please connect your wallet and sign in to launch a token');
  await expect(launchLink(page)).toHaveAttribute('title', 'Sign in to launch token');
  await launchLink(page).click();
  await expect(connect).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.reload();
  await openPost(page);
  await page.getByRole('button', { name: 'Launch Token' }).click();
  await expect(connect).toBeVisible();
  await expect(sheet(page)).toHaveCount(0);

  await openNote(page, 42);
  await signIn(page, wallet.name);
  await wallet.switchAccount(page);
  await expect(page.getByText('Your wallet is on another account now, so you were signed out.')).toBeVisible();
  await launchLink(page).click();
  await expect(page.getByRole('status').getByText('Please sign in to launch a token', { exact: true })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(wallet.prompts).toEqual(['signIn']);
});

test('a wallet that leaves the open sheet is missed before anything is signed', async ({ page, context }) => {
  const wallet = await signedIn(page, context, 19);
  const calls = watchLaunches(page);
  await openSheet(page);
  await wallet.disconnect(page);
  await expect(form(page)).toContainText('Please connect your wallet first');
  await nameField(page).fill('Kept all the way');
  await launch(page);
  await expect(sheet(page).getByRole('alert').getByText('Please connect your wallet first')).toBeVisible();
  expect(wallet.prompts).toEqual(['signIn']);
  await form(page).getByRole('button', { name: 'Connect wallet' }).click();
  await page
    .getByRole('dialog', { name: /^Connect a wallet/ })
    .getByRole('button', { name: wallet.name })
    .click();
  await expect(form(page)).toContainText('Wallet connected');
  await expect(nameField(page)).toHaveValue('Kept all the way');
  expect(calls).toEqual([]);
});

test('a session that has ended is begun anew from the sheet, and what was typed is launched', async ({
  page,
  context,
}) => {
  const wallet = await signedIn(page, context, 24);
  await openSheet(page);
  await nameField(page).fill('Kept all the way');
  await revokeSession(page);
  await launch(page);
  await expect(page.getByText('Your session has ended. Please sign in again.')).toBeVisible();
  await expect(form(page)).toContainText('Please sign in with your wallet first');
  expect((await checkToken(page, 24)).tokenLaunch).toBeNull();
  await launch(page);
  await expect(sheet(page).getByRole('alert').getByText('Please sign in with your wallet first')).toBeVisible();
  expect(wallet.prompts).toEqual(['signIn', 'signMessage']);
  await form(page).getByRole('button', { name: 'Sign in' }).click();
  await page
    .getByRole('dialog', { name: /^Connect a wallet/ })
    .getByRole('button', { name: wallet.name })
    .click();
  await expect(form(page)).toContainText('Wallet connected');
  await launch(page);
  await expect(sheet(page)).toHaveAccessibleName('DILI is launched');
  expect((await readToken(page, 24)).name).toBe('Kept all the way');
});

test('a no in the wallet launches nothing, keeps what was typed, and can be taken back', async ({ page, context }) => {
  const wallet = await signedIn(page, context, 43);
  const calls = watchLaunches(page);
  await openSheet(page);
  await nameField(page).fill('Second thoughts');
  await symbolField(page).fill('again');
  wallet.answer = 'no';
  await launch(page);
  await expect(sheet(page).getByText('You declined in your wallet. Nothing was signed.')).toBeVisible();
  await expect(nameField(page)).toHaveValue('Second thoughts');
  await expect(symbolField(page)).toHaveValue('AGAIN');
  expect(calls).toEqual([]);
  expect(await checkToken(page, 43)).toEqual(FREE);
  wallet.answer = 'yes';
  await launch(page);
  await expect(sheet(page)).toHaveAccessibleName('AGAIN is launched');
  expect(await readToken(page, 43)).toMatchObject({ name: 'Second thoughts', symbol: 'AGAIN' });
  expect(wallet.prompts).toEqual(['signIn', 'signMessage', 'signMessage']);
});

test('what is signed after Cancel launches nothing', async ({ page, context }) => {
  const wallet = await signedIn(page, context, 44);
  const calls = watchLaunches(page);
  await openSheet(page);
  await nameField(page).fill('Not this one');
  wallet.answer = 'wait';
  await launch(page);
  await expect(sheet(page).getByText(`Approve the request in ${wallet.name}.`, { exact: true }).last()).toBeVisible();
  // While the wallet asks, the sheet cannot be closed or changed.
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await expect(sheet(page).getByRole('button', { name: 'Close' })).toBeDisabled();
  await expect(nameField(page)).not.toBeEditable();
  await sheet(page).getByRole('button', { name: 'Cancel' }).click();
  await nameField(page).fill('But this one');
  wallet.answer = 'yes';
  const { id } = await readNote(page, 44);
  // After another request of the page, it has received the signature.
  await expect.poll(() => wallet.signed).toHaveLength(1);
  await page.evaluate(() => fetch('/ready'));
  expect(await checkToken(page, 44)).toEqual(FREE);
  expect(calls).toEqual([]);
  await launch(page);
  await expect(sheet(page)).toHaveAccessibleName('DILI is launched');
  expect((await readToken(page, 44)).name).toBe('But this one');
  expect(calls).toHaveLength(1);
  expect(wallet.signed).toEqual(
    ['Not this one', 'But this one'].map(
      (name) => `I am launching a token named ${name} with symbol DILI for tweet ${id}`,
    ),
  );
});

test('who comes second sees the token of who came first', async ({ page, context, browser, baseURL }) => {
  const second = await signedIn(page, context, 45);
  await openSheet(page);
  await nameField(page).fill('Came second');
  const rival = await visit(browser, baseURL, 45);
  await openSheet(rival.page);
  await nameField(rival.page).fill('Came first');
  await symbolField(rival.page).fill('FIRST');
  await launch(rival.page);
  await expect(sheet(rival.page)).toHaveAccessibleName('FIRST is launched');

  await launch(page);
  await expect(sheet(page)).toHaveAccessibleName('Already Launched');
  await expect(sheet(page)).toContainText(`${ALREADY_USED}. Its token is FIRST, Came first.`);
  const token = await readToken(page, 45);
  await expect(sheet(page).getByTitle(token.mint)).toBeVisible();
  expect(second.prompts).toEqual(['signIn', 'signMessage']);
  await finish(page);
  await expect(launchedMark(page)).toBeDisabled();
  expect(await ownLaunches(page)).toEqual([]);
  expect((await ownLaunches(rival.page)).map(({ mint }) => mint)).toEqual([token.mint]);
  const chain = await openChain(page);
  expect(await countMints(chain, second.address)).toBe(0);
  expect(await countMints(chain, rival.wallet.address)).toBe(1);
  await rival.page.context().close();
});

test('of two who press at the same moment one launches, and both see the one token', async ({
  page,
  context,
  browser,
  baseURL,
}) => {
  const wallet = await signedIn(page, context, 46);
  const rival = await visit(browser, baseURL, 46);
  const both = [
    { page, wallet, symbol: 'ONE' },
    { ...rival, symbol: 'OTHER' },
  ];
  let arrive = () => {};
  const areBothThere = new Promise<void>((resolve) => {
    let missing = both.length;
    arrive = () => {
      missing -= 1;
      if (missing === 0) resolve();
    };
  });
  for (const { page: tab, symbol } of both) {
    await tab.route(LAUNCH_CALL, async (route) => {
      arrive();
      await areBothThere;
      await route.continue();
    });
    await openSheet(tab);
    await symbolField(tab).fill(symbol);
  }
  await Promise.all(both.map(({ page: tab }) => launch(tab)));
  for (const { page: tab } of both) {
    await expect(sheet(tab)).toHaveAccessibleName(/ is launched$|^Already Launched$/);
  }
  const token = await readToken(page, 46);
  const chain = await openChain(page);
  for (const { page: tab, wallet: own, symbol } of both) {
    const isWinner = token.symbol === symbol;
    await expect(sheet(tab)).toHaveAccessibleName(isWinner ? `${symbol} is launched` : 'Already Launched');
    await expect(sheet(tab).getByTitle(token.mint)).toBeVisible();
    expect((await ownLaunches(tab)).map(({ mint }) => mint)).toEqual(isWinner ? [token.mint] : []);
    expect(await countMints(chain, own.address)).toBe(isWinner ? 1 : 0);
    await finish(tab);
    await expect(launchedMark(tab)).toBeDisabled();
  }
  expect(both.map(({ symbol }) => symbol)).toContain(token.symbol);
  await rival.page.context().close();
});

test('an answer that is lost on its way is asked for again', async ({ page, context }) => {
  const wallet = await signedIn(page, context, 47);
  const calls = watchLaunches(page);
  await page.route(LAUNCH_CALL, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await openSheet(page);
  await launch(page);
  await expect(sheet(page)).toHaveAccessibleName('BOLI is launched');
  await expect(sheet(page).getByTitle((await readToken(page, 47)).mint)).toBeVisible();
  await finish(page);
  await expect(launchedMark(page)).toBeDisabled();
  expect(calls).toHaveLength(1);
  expect(wallet.prompts).toEqual(['signIn', 'signMessage']);
  expect(await countMints(await openChain(page), wallet.address)).toBe(1);
});

test('a request that never arrives launches nothing, says so, and may be made again', async ({ page, context }) => {
  const wallet = await signedIn(page, context, 48);
  await page.route(LAUNCH_CALL, (route) => route.abort());
  await openSheet(page);
  await nameField(page).fill('Kept all the way');
  await launch(page);
  const sentence = 'The server could not be reached. As far as the archive knows, nothing was launched.';
  await expect(sheet(page).getByRole('alert').getByText(sentence)).toBeVisible();
  await expect(nameField(page)).toHaveValue('Kept all the way');
  expect(await checkToken(page, 48)).toEqual(FREE);
  await page.unroute(LAUNCH_CALL);
  await launch(page);
  await expect(sheet(page)).toHaveAccessibleName('COSI is launched');
  expect((await readToken(page, 48)).name).toBe('Kept all the way');
  expect(wallet.prompts).toEqual(['signIn', 'signMessage', 'signMessage']);
});

test('the sheet can be closed while the launch goes on, and its end is said', async ({ page, context }) => {
  await signedIn(page, context, 49);
  const release = await holdLaunch(page);
  await openSheet(page);
  await launch(page);
  await expect(sheet(page)).toHaveAccessibleName('Launching DILI');
  await expect(sheet(page)).toContainText('You can close the window: the launch goes on.');
  await sheet(page).getByRole('button', { name: 'Close' }).last().click();
  await expect(sheet(page)).toHaveCount(0);
  await expect(page.getByText('DILI is launched.')).toHaveCount(0);
  release();
  await expect(page.getByRole('status').getByText('DILI is launched.')).toBeVisible();
  await expect(launchedMark(page)).toBeDisabled();
  await expect(sheet(page)).toHaveCount(0);
});

test('a launch under way is followed by whoever opens the sheet meanwhile', async ({
  page,
  context,
  browser,
  baseURL,
}) => {
  const wallet = await signedIn(page, context, 50);
  const rival = await visit(browser, baseURL, 50);
  await openSheet(rival.page);
  await nameField(rival.page).fill('Came first');
  await symbolField(rival.page).fill('FIRST');

  const isUnderWay: TokenCheck = {
    exists: false,
    tokenLaunch: {
      amberId: (await readNote(page, 50))._id,
      name: 'Came first',
      symbol: 'FIRST',
      description: '',
      mint: '1'.repeat(32),
      transaction: '1'.repeat(64),
      pumpfunUrl: null,
      solscanUrl: null,
      solscanTokenUrl: null,
      createdAt: new Date().toISOString(),
      status: 'sent',
    },
    failure: null,
    refusal: null,
  };
  await page.route(CHECK_CALL, (route) => route.fulfill({ json: isUnderWay }));
  await launchLink(page).click();
  await expect(sheet(page)).toHaveAccessibleName('Launching FIRST');
  await expect(sheet(page)).toContainText('Came first is on its way to the network.');
  await expect(sheet(page).getByRole('button', { name: 'Sign and launch' })).toHaveCount(0);
  await launch(rival.page);
  await expect(sheet(rival.page)).toHaveAccessibleName('FIRST is launched');
  await page.unroute(CHECK_CALL);
  await expect(sheet(page)).toHaveAccessibleName('Already Launched');
  await expect(sheet(page).getByTitle((await readToken(page, 50)).mint)).toBeVisible();
  await finish(page);
  await expect(launchedMark(page)).toBeDisabled();
  expect(wallet.prompts).toEqual(['signIn']);
  await rival.page.context().close();
});

test('while launching is closed the sheet says so and asks for nothing', async ({ page, context }) => {
  const wallet = await signedIn(page, context, 10);
  await page.route(`**${ENDPOINTS.config.path}`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), launchPlatform: null } });
  });
  await launchLink(page).click();
  await expect(sheet(page)).toContainText('Launching is not open at the moment. Please come back later.');
  await expect(sheet(page).getByRole('button', { name: 'Sign and launch' })).toHaveCount(0);
  await expect(form(page)).toHaveCount(0);
  await sheet(page).getByRole('button', { name: 'Close' }).last().click();
  // The card has no launch link any more.
  await expect(launchLink(page)).toHaveCount(0);
  await expect(page.locator('article [data-post-stop]:focus')).toHaveCount(1);
  expect(wallet.prompts).toEqual(['signIn']);
});

for (const [index, width] of [1400, 360].entries()) {
  test(`axe finds nothing, ${width} wide: form to token`, async ({ page, context }) => {
    const note = index + 1;
    await page.setViewportSize({ width, height: 900 });
    const wallet = await signedIn(page, context, note);
    const release = await holdLaunch(page);
    await openSheet(page);
    await expect(form(page)).toContainText('Wallet connected');
    await expect(nameField(page)).toHaveAccessibleName('Token name');
    await expect(symbolField(page)).toHaveAccessibleName('Token symbol');
    await expectNoViolations(page, 'launch form');
    await nameField(page).fill('');
    await symbolField(page).fill('a b');
    await launch(page);
    await expect(form(page).getByRole('alert')).toHaveCount(2);
    await expect(nameField(page)).toHaveAccessibleDescription(/^Token name is required/);
    await expectNoViolations(page, 'launch form refused');
    await nameField(page).fill('A name of 32 letters that is wid');
    await symbolField(page).fill('WWWWWWWW');
    wallet.answer = 'wait';
    await launch(page);
    await expect(sheet(page).getByRole('button', { name: 'Cancel' })).toBeVisible();
    await expectNoViolations(page, 'approve a launch');
    wallet.answer = 'yes';
    await expect(sheet(page)).toHaveAccessibleName('Launching WWWWWWWW');
    await expectNoViolations(page, 'launching');
    release();
    await expect(sheet(page)).toHaveAccessibleName('WWWWWWWW is launched');
    await expectNoViolations(page, 'launched');
    await finish(page);
    await openPost(page);
    await expect(page.getByRole('dialog').getByTitle((await readToken(page, note)).mint)).toBeVisible();
    await expectNoViolations(page);
    await page.goto('/dashboard');
    await expect(page.getByRole('region', { name: 'Launched tokens' }).getByRole('listitem')).toHaveCount(1);
    await expectNoViolations(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
}

/** Checks that every view of the post shows its token. */
async function expectLaunched(page: Page, token: { symbol: string; name: string; mint: string }): Promise<void> {
  await expect(launchedMark(page)).toBeDisabled();
  await expect(launchedMark(page)).toHaveAttribute('title', ALREADY_USED);
  await expect(launchLink(page)).toHaveCount(0);
  await openPost(page);
  const dialog = page.getByRole('dialog', { name: 'Post' });
  await expect(dialog.getByRole('button', { name: 'Already Launched' })).toBeDisabled();
  await expect(dialog.getByRole('button', { name: 'Launch Token' })).toHaveCount(0);
  await expect(dialog).toContainText(ALREADY_USED);
  await expect(dialog).toContainText(`${token.symbol} ${token.name}`);
  await expect(dialog.getByTitle(token.mint)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
}

/** Forwards launch calls, but holds their answers until the returned function is called. */
async function holdLaunch(page: Page): Promise<() => void> {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(LAUNCH_CALL, async (route: Route) => {
    const answer = await route.fetch();
    await isReleased;
    await route.fulfill({ response: answer });
  });
  return release;
}

/** Another person in a separate browser context. */
async function visit(browser: Browser, baseURL: string | undefined, note: number) {
  const context = await browser.newContext({ baseURL: baseURL ?? '' });
  const page = await context.newPage();
  return { page, wallet: await signedIn(page, context, note) };
}

async function readArchive(page: Page): Promise<ArchivePage> {
  const answer = await page.request.get(`${ENDPOINTS.listArchives.path}?limit=1`);
  return (await answer.json()) as ArchivePage;
}

function figure(page: Page, label: string) {
  return page.getByText(label, { exact: true }).locator('..').getByRole('definition');
}

/** The width and height of a picture in the browser. */
function sizeOf(page: Page, address: string): Promise<number[]> {
  return page.evaluate(async (from) => {
    const { width, height } = await createImageBitmap(await (await fetch(from)).blob());
    return [width, height];
  }, address);
}
