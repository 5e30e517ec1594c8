import { createHash, randomInt, sign } from 'node:crypto';
import bs58 from 'bs58';
import { u32Bytes, u64Bytes } from './bytes.ts';
import { faucet, featureWallet, type LocalKey, PROJECT_TOKEN_DECIMALS, projectMint } from './genesis.ts';
import { ASSOCIATED_TOKEN, COMPUTE_BUDGET, SYSTEM, TOKEN } from './programs.ts';
import { decodeTransaction, type Transaction } from './transaction.ts';

const SYSTEM_TRANSFER = 2;
const SET_COMPUTE_UNIT_LIMIT = 2;
const CREATE_IDEMPOTENT = 1;
const TRANSFER_CHECKED = 12;
const MINT_TO_CHECKED = 14;
const COMPUTE_UNITS = 200_000;
const MAX_COMPUTE_UNITS = 1_400_000;
const FIELD = 2n ** 255n - 19n;
/** The constant d of edwards25519. */
const CURVE_D = (-121_665n * power(121_666n, FIELD - 2n)) % FIELD;

interface Step {
  program: string;
  accounts: { address: string; writable?: boolean }[];
  data: Uint8Array;
}

/** A transfer of lamports from the faucet, which signs it. */
export function airdropTransaction(receiver: string, lamports: bigint, blockhash: string): Transaction {
  const transfer: Step = {
    program: SYSTEM,
    accounts: [
      { address: faucet.address, writable: true },
      { address: receiver, writable: true },
    ],
    data: bytes(u32Bytes(SYSTEM_TRANSFER), u64Bytes(lamports)),
  };
  return signedBy(faucet, [distinction(), transfer], blockhash);
}

/** Mints project tokens for a wallet, in base units, and creates its token account if it is missing. */
export function tokensTransaction(receiver: string, baseUnits: bigint, blockhash: string): Transaction {
  const account = associatedTokenAddress(receiver, projectMint, TOKEN);
  const create: Step = {
    program: ASSOCIATED_TOKEN,
    accounts: [
      { address: faucet.address, writable: true },
      { address: account, writable: true },
      { address: receiver },
      { address: projectMint },
      { address: SYSTEM },
      { address: TOKEN },
    ],
    data: bytes([CREATE_IDEMPOTENT]),
  };
  const mint: Step = {
    program: TOKEN,
    accounts: [
      { address: projectMint, writable: true },
      { address: account, writable: true },
      { address: faucet.address },
    ],
    data: bytes([MINT_TO_CHECKED], u64Bytes(baseUnits), [PROJECT_TOKEN_DECIMALS]),
  };
  return signedBy(faucet, [distinction(), create, mint], blockhash);
}

/** Project tokens from the feature wallet, as an operator refunds them. */
export function sendBackTransaction(receiver: string, baseUnits: bigint, blockhash: string): Transaction {
  const accountOf = (owner: string) => associatedTokenAddress(owner, projectMint, TOKEN);
  const transfer: Step = {
    program: TOKEN,
    accounts: [
      { address: accountOf(featureWallet.address), writable: true },
      { address: projectMint },
      { address: accountOf(receiver), writable: true },
      { address: featureWallet.address },
    ],
    data: bytes([TRANSFER_CHECKED], u64Bytes(baseUnits), [PROJECT_TOKEN_DECIMALS]),
  };
  return signedBy(featureWallet, [distinction(), transfer], blockhash);
}

/** A compute limit that differs each time, so that equal gifts within one slot are different transactions. */
function distinction(): Step {
  const limit = randomInt(COMPUTE_UNITS, MAX_COMPUTE_UNITS);
  return { program: COMPUTE_BUDGET, accounts: [], data: bytes([SET_COMPUTE_UNIT_LIMIT], u32Bytes(limit)) };
}

function signedBy(payer: LocalKey, steps: Step[], blockhash: string): Transaction {
  const used = steps.flatMap(({ accounts }) => accounts);
  const others = (addresses: string[]) => addresses.filter((address) => address !== payer.address);
  const writable = new Set(others(used.filter((account) => account.writable).map(({ address }) => address)));
  const named = others([...used.map(({ address }) => address), ...steps.map(({ program }) => program)]);
  const readonly = new Set(named.filter((address) => !writable.has(address)));
  const keys = [payer.address, ...writable, ...readonly];
  const indexOf = (address: string) => keys.indexOf(address);
  const message = bytes(
    [1, 0, readonly.size, keys.length],
    ...keys.map((key) => bs58.decode(key)),
    bs58.decode(blockhash),
    [steps.length],
    ...steps.flatMap(({ program, accounts, data }) => [
      [indexOf(program), accounts.length, ...accounts.map(({ address }) => indexOf(address)), data.length],
      data,
    ]),
  );
  return decodeTransaction(bytes([1], sign(null, message, payer.privateKey), message));
}

function associatedTokenAddress(owner: string, mint: string, program: string): string {
  for (let bump = 255; bump >= 0; bump -= 1) {
    const hash = createHash('sha256');
    for (const seed of [owner, program, mint]) hash.update(bs58.decode(seed));
    hash.update(bytes([bump], bs58.decode(ASSOCIATED_TOKEN))).update('ProgramDerivedAddress');
    const address = hash.digest();
    if (!isOnCurve(address)) return bs58.encode(address);
  }
  throw new Error('No derived address exists.');
}

/** Whether x² = (y² - 1) / (dy² + 1) has a solution (Euler's criterion); derived addresses must have none. */
function isOnCurve(key: Uint8Array): boolean {
  const little = Uint8Array.from(key).reverse();
  little[0] = (little[0] as number) & 0x7f;
  const y = BigInt(`0x${Buffer.from(little).toString('hex')}`);
  const square = (y * y) % FIELD;
  const ratio = ((square - 1n) * power((CURVE_D * square + 1n) % FIELD, FIELD - 2n)) % FIELD;
  return power(ratio, (FIELD - 1n) / 2n) <= 1n;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = ((base % FIELD) + FIELD) % FIELD;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % FIELD;
    square = (square * square) % FIELD;
  }
  return result;
}

function bytes(...parts: ArrayLike<number>[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => Array.from(part)));
}
