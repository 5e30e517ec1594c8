import { buildSignInMessage, PRODUCT_NAME, PRODUCT_SLUG, type SignInInput } from '@archive/contracts';
import type {
  SolanaSignInInput,
  SolanaSignInMethod,
  SolanaSignMessageMethod,
  SolanaSignTransactionMethod,
} from '@solana/wallet-standard-features';
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { getWallets } from '@wallet-standard/app';
import type { IdentifierString, Wallet, WalletAccount, WalletIcon } from '@wallet-standard/base';
import type { StandardConnectMethod, StandardEventsListeners, StandardEventsOnMethod } from '@wallet-standard/features';
import bs58 from 'bs58';
import nacl from 'tweetnacl';
import { LOCAL_WALLET_NAME } from './known-wallets.ts';

const SEED_KEY = `${PRODUCT_SLUG}.local-wallet.seed`;
const ALLOWED_KEY = `${PRODUCT_SLUG}.local-wallet.allowed`;
const CHAINS: readonly IdentifierString[] = ['solana:localnet'];
const FEATURES: readonly IdentifierString[] = ['solana:signMessage', 'solana:signTransaction', 'solana:signIn'];
const ICON: WalletIcon = `data:image/svg+xml;base64,${btoa(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#d8851a"/><path d="M9 11h14v11H9z" fill="none" stroke="#fff" stroke-width="2"/></svg>',
)}`;

let isOffered = false;

/**
 * Registers a wallet whose key is stored in this browser, without protection. It is for the local network, where
 * nothing has a price, and signs without asking.
 */
export function offerLocalWallet(): void {
  if (isOffered) return;
  isOffered = true;
  getWallets().register(new LocalWallet());
}

class LocalWallet implements Wallet {
  readonly version = '1.0.0';
  readonly name = LOCAL_WALLET_NAME;
  readonly icon = ICON;
  readonly chains = CHAINS;
  accounts: readonly WalletAccount[] = [];
  readonly #listeners = new Set<StandardEventsListeners['change']>();

  get features() {
    return {
      'standard:connect': { version: '1.0.0', connect: this.#connect },
      'standard:disconnect': { version: '1.0.0', disconnect: this.#disconnect },
      'standard:events': { version: '1.0.0', on: this.#on },
      'solana:signMessage': { version: '1.0.0', signMessage: this.#signMessage },
      'solana:signIn': { version: '1.0.0', signIn: this.#signIn },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signTransaction: this.#signTransaction,
      },
    } as const;
  }

  readonly #connect: StandardConnectMethod = async ({ silent } = {}) => {
    if (!silent || localStorage.getItem(ALLOWED_KEY) !== null) this.#allow();
    return { accounts: this.accounts };
  };

  readonly #disconnect = async () => {
    localStorage.removeItem(ALLOWED_KEY);
    this.#setAccounts([]);
  };

  readonly #on: StandardEventsOnMethod = (_event, listener) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly #signMessage: SolanaSignMessageMethod = async (...inputs) =>
    inputs.map(({ message }) => ({ signedMessage: message, signature: sign(message) }));

  readonly #signIn: SolanaSignInMethod = async (...inputs) => {
    const account = this.#allow();
    return inputs.map((input) => {
      const signedMessage = new TextEncoder().encode(buildSignInMessage(complete(input), account.address));
      return { account, signedMessage, signature: sign(signedMessage) };
    });
  };

  readonly #signTransaction: SolanaSignTransactionMethod = async (...inputs) =>
    inputs.map(({ transaction }) => {
      const parsed = VersionedTransaction.deserialize(transaction);
      parsed.sign([Keypair.fromSeed(readSeed())]);
      return { signedTransaction: parsed.serialize() };
    });

  #allow(): WalletAccount {
    localStorage.setItem(ALLOWED_KEY, 'yes');
    const known = this.accounts[0];
    if (known !== undefined) return known;
    const { publicKey } = keys();
    const account = { address: bs58.encode(publicKey), publicKey, chains: CHAINS, features: FEATURES };
    this.#setAccounts([account]);
    return account;
  }

  #setAccounts(accounts: readonly WalletAccount[]): void {
    this.accounts = accounts;
    for (const listener of this.#listeners) listener({ accounts });
  }
}

function keys(): nacl.SignKeyPair {
  return nacl.sign.keyPair.fromSeed(readSeed());
}

function sign(message: Uint8Array): Uint8Array {
  return nacl.sign.detached(message, keys().secretKey);
}

/** The stored seed. A missing or damaged one is replaced. */
function readSeed(): Uint8Array {
  const kept = bs58.decodeUnsafe(localStorage.getItem(SEED_KEY) ?? '');
  if (kept?.length === nacl.sign.seedLength) return kept;
  const seed = nacl.randomBytes(nacl.sign.seedLength);
  localStorage.setItem(SEED_KEY, bs58.encode(seed));
  return seed;
}

function complete(input: SolanaSignInInput): SignInInput {
  const { domain, statement, uri, version, chainId, nonce, issuedAt, expirationTime } = input;
  if (version !== '1' || !domain || !statement || !uri || !chainId || !nonce || !issuedAt || !expirationTime) {
    throw new Error(`The local wallet signs in to ${PRODUCT_NAME} alone.`);
  }
  return { domain, statement, uri, version, chainId, nonce, issuedAt, expirationTime };
}
