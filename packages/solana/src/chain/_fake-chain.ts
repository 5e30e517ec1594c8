import { AccountLayout, AccountState, MintLayout } from '@solana/spl-token';
import { type AccountInfo, PublicKey, type SimulatedTransactionResponse, SystemProgram } from '@solana/web3.js';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs.ts';
import type { PaymentChecker } from './check-before-paying.ts';

const NOBODY = PublicKey.default;
const RENT_LAMPORTS = 2_039_280;

function _info(owner: string, data: Buffer, lamports = RENT_LAMPORTS): AccountInfo<Buffer> {
  return { owner: new PublicKey(owner), data, lamports, executable: false, rentEpoch: 0 };
}

export function _walletInfo(lamports: number, owner = SystemProgram.programId.toBase58()): AccountInfo<Buffer> {
  return _info(owner, Buffer.alloc(0), lamports);
}

/** A mint with these Token-2022 extensions, each with empty data. */
export function _mintInfo(
  mint: { decimals?: number; isInitialized?: boolean; extensions?: number[]; padding?: number; program?: string } = {},
): AccountInfo<Buffer> {
  const { decimals = 6, isInitialized = true, extensions, padding = 0 } = mint;
  const data = Buffer.alloc(MintLayout.span);
  const authority = { mintAuthorityOption: 1 as const, mintAuthority: NOBODY };
  const freeze = { freezeAuthorityOption: 0 as const, freezeAuthority: NOBODY };
  MintLayout.encode({ ...authority, ...freeze, supply: 10n ** 15n, decimals, isInitialized }, data);
  if (!extensions) return _info(mint.program ?? TOKEN_PROGRAM, data);
  const entries = extensions.map((type) => Buffer.from(Uint16Array.of(type, 0).buffer));
  const whole = [data, Buffer.alloc(AccountLayout.span - data.length), Buffer.of(1), ...entries, Buffer.alloc(padding)];
  return _info(mint.program ?? TOKEN_2022_PROGRAM, Buffer.concat(whole));
}

export function _accountInfo(account: {
  owner: string;
  mint: string;
  amount: bigint;
  program?: string;
  state?: AccountState;
  delegate?: string;
  closeAuthority?: string;
}): AccountInfo<Buffer> {
  const { delegate, closeAuthority } = account;
  const data = Buffer.alloc(AccountLayout.span);
  AccountLayout.encode(
    {
      owner: new PublicKey(account.owner),
      mint: new PublicKey(account.mint),
      amount: account.amount,
      state: account.state ?? AccountState.Initialized,
      delegateOption: delegate ? 1 : 0,
      delegate: delegate ? new PublicKey(delegate) : NOBODY,
      delegatedAmount: delegate ? 1n : 0n,
      closeAuthorityOption: closeAuthority ? 1 : 0,
      closeAuthority: closeAuthority ? new PublicKey(closeAuthority) : NOBODY,
      isNativeOption: 0,
      isNative: 0n,
    },
    data,
  );
  return _info(account.program ?? TOKEN_PROGRAM, data);
}

/** A node that holds these accounts and answers every simulation with `simulated`. */
export function _fakeChain(chain: {
  accounts: Record<string, AccountInfo<Buffer> | null>;
  simulated: { err?: SimulatedTransactionResponse['err']; account?: AccountInfo<Buffer> | null };
  fee?: number | null;
}): PaymentChecker {
  const context = { slot: 1 };
  const { err = null, account } = chain.simulated;
  return {
    getLatestBlockhash: async () => ({ blockhash: NOBODY.toBase58(), lastValidBlockHeight: 151 }),
    getMultipleAccountsInfo: async (keys) => keys.map((key) => chain.accounts[key.toBase58()] ?? null),
    getMinimumBalanceForRentExemption: async () => RENT_LAMPORTS,
    getFeeForMessage: async () => ({ context, value: chain.fee === undefined ? 5_000 : chain.fee }),
    simulateTransaction: async () => {
      const data = account ? [account.data.toString('base64'), 'base64'] : [];
      const accounts = account ? [{ ...account, owner: account.owner.toBase58(), data }] : null;
      return { context, value: { err, logs: [], accounts } };
    },
  };
}
