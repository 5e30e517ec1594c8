import { describe, expect, test } from '@jest/globals';
import { ExtensionType } from '@solana/spl-token';
import type { AccountInfo } from '@solana/web3.js';
import { _address } from '../_fetched-transaction.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs.ts';
import { _accountInfo, _mintInfo, _walletInfo } from './_fake-chain.ts';
import { readMint, UnsupportedMintError } from './read-mint.ts';

const MINT = _address('mint');
const _read = (info: AccountInfo<Buffer> | null) => readMint({ getAccountInfo: async () => info }, MINT);

describe('a mint', () => {
  test('has its program and its own decimals', async () => {
    expect(await _read(_mintInfo({ decimals: 9 }))).toEqual({ mint: MINT, tokenProgram: TOKEN_PROGRAM, decimals: 9 });
    const plain2022 = _mintInfo({ decimals: 0, program: TOKEN_2022_PROGRAM });
    expect(await _read(plain2022)).toEqual({ mint: MINT, tokenProgram: TOKEN_2022_PROGRAM, decimals: 0 });
  });

  test.each([
    'MintCloseAuthority',
    'MetadataPointer',
    'TokenMetadata',
    'GroupPointer',
    'TokenGroup',
    'GroupMemberPointer',
    'TokenGroupMember',
  ] as const)('may carry the extension %s, and padding behind it', async (name) => {
    for (const padding of [0, 2, 12]) {
      const info = _mintInfo({ extensions: [ExtensionType[name]], padding });
      expect(await _read(info)).toMatchObject({ decimals: 6 });
    }
  });

  test.each([
    ['TransferFeeConfig', 'it may take a fee from every transfer'],
    ['ConfidentialTransferMint', 'its balances may be hidden'],
    ['DefaultAccountState', 'its new accounts may start frozen'],
    ['NonTransferable', 'it cannot be transferred'],
    ['InterestBearingConfig', 'the amounts it shows are not the amounts it moves'],
    ['ScaledUiAmountConfig', 'the amounts it shows are not the amounts it moves'],
    ['PermanentDelegate', 'somebody may take it back from every account'],
    ['TransferHook', 'another program runs on every transfer'],
    ['PausableConfig', 'its transfers may be paused'],
  ] as const)('with the extension %s is refused: %s', async (name, reason) => {
    const info = _mintInfo({ extensions: [ExtensionType.MetadataPointer, ExtensionType[name]] });
    await expect(_read(info)).rejects.toThrow(
      new UnsupportedMintError(`The token ${MINT} cannot be used for payments: ${reason}`),
    );
  });

  test('with an extension that nobody has heard of yet is refused', async () => {
    await expect(_read(_mintInfo({ extensions: [4_711] }))).rejects.toThrow(
      `The token ${MINT} cannot be used for payments: it has an extension (4711) that is not known here`,
    );
  });

  test('of more decimals than 64 bits can pay with is refused', async () => {
    await expect(_read(_mintInfo({ decimals: 20 }))).rejects.toThrow('has too many decimals (20)');
  });

  test('is refused where there is none, or something else', async () => {
    await expect(_read(null)).rejects.toThrow(`There is no token ${MINT} on this network`);
    const account = _accountInfo({ owner: _address('payer'), mint: MINT, amount: 1n });
    for (const other of [
      _walletInfo(1_000_000),
      account,
      _mintInfo({ isInitialized: false }),
      _mintInfo({ program: _address('posing program') }),
      _walletInfo(1, TOKEN_PROGRAM),
    ]) {
      await expect(_read(other)).rejects.toMatchObject({
        name: 'UnsupportedMintError',
        message: `${MINT} is not a token`,
      });
    }
  });
});
