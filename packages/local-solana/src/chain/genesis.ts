import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import bs58 from 'bs58';
import type { AccountState, Engine } from './engine.ts';
import { SYSTEM, TOKEN } from './programs.ts';

export const PROJECT_TOKEN_DECIMALS = 6;

const MINT_BYTES = 82;
/** Every amount is exact as a JSON number. */
const FAUCET_LAMPORTS = 9_000_000_000_000_000n;
const FEATURE_WALLET_LAMPORTS = 10_000_000_000n;
/** Wraps a raw ed25519 seed into PKCS #8. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface LocalKey {
  address: string;
  privateKey: KeyObject;
  /** Seed and public key, 64 bytes, as wallets store it. */
  secret: Uint8Array;
}

/** Public keys and secrets for local use only; the same on every machine. */
export const faucet = localKey('faucet');
export const featureWallet = localKey('feature wallet');
export const projectMint = localKey('project mint').address;

/** Creates the first accounts of an empty chain. */
export function writeGenesis(engine: Engine): void {
  engine.setAccount(faucet.address, wallet(FAUCET_LAMPORTS));
  engine.setAccount(featureWallet.address, wallet(FEATURE_WALLET_LAMPORTS));
  engine.setAccount(projectMint, {
    lamports: engine.rentExemption(MINT_BYTES),
    owner: TOKEN,
    data: mintData(faucet.address),
    executable: false,
  });
}

function wallet(lamports: bigint): AccountState {
  return { lamports, owner: SYSTEM, data: new Uint8Array(), executable: false };
}

function mintData(authority: string): Uint8Array {
  const data = new Uint8Array(MINT_BYTES);
  data[0] = 1;
  data.set(bs58.decode(authority), 4);
  data[44] = PROJECT_TOKEN_DECIMALS;
  data[45] = 1;
  return data;
}

function localKey(name: string): LocalKey {
  const seed = createHash('sha256').update(`local solana ${name}`).digest();
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const publicBytes = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    address: bs58.encode(publicBytes),
    privateKey,
    secret: new Uint8Array(Buffer.concat([seed, publicBytes])),
  };
}
