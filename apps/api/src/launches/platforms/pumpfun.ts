import { TOKEN_2022_PROGRAM } from '@archive/solana/verify';
import { ComputeBudgetProgram, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import type { LaunchPlatform, LaunchTerms } from './launch-platform.ts';

const PUMP = new PublicKey('6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P');
const MAYHEM = new PublicKey('MAyhSmzXzV1pTf7LsNkrNwkWKTo4ougAJ1PPg47MD4e');
const ASSOCIATED_TOKEN = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
const TOKEN_2022 = new PublicKey(TOKEN_2022_PROGRAM);
/** First 8 bytes of SHA-256 of `global:create_v2`. */
const CREATE_V2 = Buffer.from('d6904cec5f8b31b4', 'hex');
/** Arguments: no mayhem mode, no cashback, the default creator fee (8 bytes), no holder reward. */
const PLAIN = Buffer.alloc(1 + 1 + 8 + 1);
/** More than a creation without a purchase needs; the fee is at most about 0.00002 SOL. */
const COMPUTE_UNITS = 400_000;
const MICRO_LAMPORTS_PER_UNIT = 50_000;

/**
 * A coin on pump.fun's bonding curve, which holds the whole supply. The launching wallet is the creator and receives
 * the creator's fees; nothing is bought. The program exists only on the main network and on devnet. Since it cannot run
 * on a local network, tests compare its encoding with pump.fun's own library.
 */
export const pumpfun: LaunchPlatform = {
  name: 'pumpfun',
  label: 'pump.fun',
  tokenProgram: TOKEN_2022_PROGRAM,
  isOn: (network) => network === 'mainnet' || network === 'devnet',
  instructions: async (terms) => [
    ComputeBudgetProgram.setComputeUnitLimit({ units: COMPUTE_UNITS }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: MICRO_LAMPORTS_PER_UNIT }),
    createV2(terms),
  ],
};

/** Accounts in the order of pump.fun's "Coin Creation Accounts", without those for quote tokens other than SOL. */
export function createV2({ payer, mint, wallet, name, symbol, uri }: LaunchTerms): TransactionInstruction {
  const bondingCurve = derived(PUMP, 'bonding-curve', mint);
  const solVault = derived(MAYHEM, 'sol-vault');
  const keys = [
    { pubkey: mint, isSigner: true, isWritable: true },
    readOnly(derived(PUMP, 'mint-authority')),
    writable(bondingCurve),
    writable(tokenAccount(bondingCurve, mint)),
    readOnly(derived(PUMP, 'global')),
    { pubkey: payer, isSigner: true, isWritable: true },
    readOnly(SystemProgram.programId),
    readOnly(TOKEN_2022),
    readOnly(ASSOCIATED_TOKEN),
    writable(MAYHEM),
    readOnly(derived(MAYHEM, 'global-params')),
    writable(solVault),
    writable(derived(MAYHEM, 'mayhem-state', mint)),
    writable(tokenAccount(solVault, mint)),
    readOnly(derived(PUMP, '__event_authority')),
    readOnly(PUMP),
  ];
  const data = Buffer.concat([CREATE_V2, borshText(name), borshText(symbol), borshText(uri), wallet.toBuffer(), PLAIN]);
  return new TransactionInstruction({ programId: PUMP, keys, data });
}

function derived(program: PublicKey, seed: string, ...more: PublicKey[]): PublicKey {
  return PublicKey.findProgramAddressSync([Buffer.from(seed), ...more.map((key) => key.toBuffer())], program)[0];
}

function tokenAccount(owner: PublicKey, mint: PublicKey): PublicKey {
  return PublicKey.findProgramAddressSync(
    [owner.toBuffer(), TOKEN_2022.toBuffer(), mint.toBuffer()],
    ASSOCIATED_TOKEN,
  )[0];
}

function readOnly(pubkey: PublicKey) {
  return { pubkey, isSigner: false, isWritable: false };
}

function writable(pubkey: PublicKey) {
  return { pubkey, isSigner: false, isWritable: true };
}

/** A string in Borsh encoding: the length in 4 bytes, little-endian, and UTF-8. */
function borshText(value: string): Buffer {
  const bytes = Buffer.from(value, 'utf8');
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}
