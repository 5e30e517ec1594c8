import { buildSignInMessage, type SignInInput } from '@archive/contracts';
import type { BrowserContext, Page } from '@playwright/test';
import { Keypair, type TransactionInstruction, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import nacl from 'tweetnacl';

type Prompt = 'connect' | 'signMessage' | 'signIn' | 'signTransaction';

/** How a wallet changes a transaction before it signs it. */
export type Rewrite = (instructions: TransactionInstruction[]) => TransactionInstruction[];

interface PageAccount {
  address: string;
  publicKey: number[];
}

interface PageWallet {
  setAccount(account: PageAccount | null, isAnnounced: boolean): void;
}

interface WalletOptions {
  name?: string;
  /** Whether the wallet connects and signs with one prompt. */
  hasSignIn?: boolean;
  canSign?: boolean;
  rewrite?: Rewrite;
  /** The 32-byte seed of its keys, for a wallet with a fixed address. */
  seed?: Uint8Array;
}

/**
 * A Wallet Standard wallet, injected into every page of a context. Its keys stay in the test, which decides how the
 * person answers.
 */
export class TestWallet {
  readonly name: string;
  /** The prompts so far, in order. */
  readonly prompts: Prompt[] = [];
  /** The signed messages, in order. */
  readonly signed: string[] = [];
  answer: 'yes' | 'no' | 'wait' = 'yes';
  /** The number of accepted prompts. */
  answered = 0;
  #keys = nacl.sign.keyPair();
  #isAllowed = false;
  readonly #options: WalletOptions;

  constructor(options: WalletOptions = {}) {
    this.#options = options;
    this.name = options.name ?? 'Test wallet';
    if (options.seed) this.#keys = nacl.sign.keyPair.fromSeed(options.seed);
  }

  get address(): string {
    return bs58.encode(this.#keys.publicKey);
  }

  async install(context: BrowserContext): Promise<void> {
    const { hasSignIn = true, canSign = true } = this.#options;
    await context.exposeFunction('testWallet', (method: string, input: unknown) => this.#ask(method, input));
    await context.addInitScript(announce, { name: this.name, hasSignIn, canSign });
  }

  /** Switches to another account of the wallet; with `isAnnounced` false it sends no event. */
  async switchAccount(page: Page, isAnnounced = true): Promise<void> {
    this.#keys = nacl.sign.keyPair();
    await this.#tell(page, this.#account(), isAnnounced);
  }

  async disconnect(page: Page): Promise<void> {
    this.#isAllowed = false;
    await this.#tell(page, null, true);
  }

  #tell(page: Page, account: PageAccount | null, isAnnounced: boolean): Promise<void> {
    return page.evaluate(
      ([next, announced]) => {
        (window as unknown as { pageWallet: PageWallet }).pageWallet.setAccount(next, announced);
      },
      [account, isAnnounced] as const,
    );
  }

  async #ask(method: string, input: unknown): Promise<unknown> {
    switch (method) {
      case 'connectSilently':
        return this.#isAllowed ? this.#account() : null;
      case 'connect':
        await this.#prompt('connect');
        return this.#account();
      case 'disconnect':
        this.#isAllowed = false;
        return null;
      case 'signMessage':
        await this.#prompt('signMessage');
        this.signed.push(Buffer.from(input as number[]).toString());
        return this.#sign(Uint8Array.from(input as number[]));
      case 'signIn': {
        await this.#prompt('signIn');
        const message = new TextEncoder().encode(buildSignInMessage(input as SignInInput, this.address));
        return { account: this.#account(), message: [...message], signature: this.#sign(message) };
      }
      case 'signTransaction':
        await this.#prompt('signTransaction');
        return [...this.#signTransaction(Uint8Array.from(input as number[]))];
      default:
        throw new Error(`No such method: ${method}`);
    }
  }

  async #prompt(prompt: Prompt): Promise<void> {
    this.prompts.push(prompt);
    while (this.answer === 'wait') await new Promise((resolve) => setTimeout(resolve, 20));
    if (this.answer === 'no') throw new Error('User rejected the request.');
    this.#isAllowed = true;
    this.answered += 1;
  }

  #account(): PageAccount {
    return { address: this.address, publicKey: [...this.#keys.publicKey] };
  }

  #sign(message: Uint8Array): number[] {
    return [...nacl.sign.detached(message, this.#keys.secretKey)];
  }

  #signTransaction(bytes: Uint8Array): Uint8Array {
    const { rewrite } = this.#options;
    const signer = Keypair.fromSecretKey(this.#keys.secretKey);
    let transaction = VersionedTransaction.deserialize(bytes);
    if (rewrite) {
      const { recentBlockhash, instructions } = TransactionMessage.decompile(transaction.message);
      const message = { payerKey: signer.publicKey, recentBlockhash, instructions: rewrite(instructions) };
      transaction = new VersionedTransaction(new TransactionMessage(message).compileToLegacyMessage());
    }
    transaction.sign([signer]);
    return transaction.serialize();
  }
}

/** Runs in the page, before its own scripts. */
function announce({ name, hasSignIn, canSign }: { name: string; hasSignIn: boolean; canSign: boolean }): void {
  type Listener = (change: { accounts: unknown[] }) => void;
  const ask = (window as unknown as { testWallet: (method: string, input?: unknown) => Promise<unknown> }).testWallet;
  const chains = ['solana:mainnet', 'solana:devnet', 'solana:localnet'];
  const listeners = new Set<Listener>();
  let accounts: unknown[] = [];

  function setAccount(account: PageAccount | null, isAnnounced = true) {
    const names = Object.keys(features).filter((feature) => feature.startsWith('solana:'));
    accounts =
      account === null
        ? []
        : [{ address: account.address, publicKey: Uint8Array.from(account.publicKey), chains, features: names }];
    if (isAnnounced) for (const listener of listeners) listener({ accounts });
  }

  const features: Record<string, unknown> = {
    'standard:connect': {
      version: '1.0.0',
      connect: async ({ silent = false } = {}) => {
        setAccount((await ask(silent ? 'connectSilently' : 'connect')) as PageAccount | null);
        return { accounts };
      },
    },
    'standard:disconnect': {
      version: '1.0.0',
      disconnect: async () => {
        await ask('disconnect');
        setAccount(null);
      },
    },
    'standard:events': {
      version: '1.0.0',
      on: (_: string, listener: Listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    'solana:signTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: ['legacy', 0],
      signTransaction: async ({ transaction }: { transaction: Uint8Array }) => [
        { signedTransaction: Uint8Array.from((await ask('signTransaction', [...transaction])) as number[]) },
      ],
    },
  };
  if (canSign) {
    features['solana:signMessage'] = {
      version: '1.0.0',
      signMessage: async ({ message }: { message: Uint8Array }) => [
        {
          signedMessage: message,
          signature: Uint8Array.from((await ask('signMessage', [...message])) as number[]),
        },
      ],
    };
  }
  if (hasSignIn) {
    features['solana:signIn'] = {
      version: '1.0.0',
      signIn: async (input: unknown) => {
        const answer = (await ask('signIn', input)) as { account: PageAccount; message: number[]; signature: number[] };
        setAccount(answer.account);
        return [
          {
            account: accounts[0],
            signedMessage: Uint8Array.from(answer.message),
            signature: Uint8Array.from(answer.signature),
          },
        ];
      },
    };
  }

  const wallet = {
    version: '1.0.0',
    name,
    icon: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=',
    chains,
    features,
    get accounts() {
      return accounts;
    },
  };
  const register = (api: { register: (wallet: unknown) => void }) => api.register(wallet);
  window.addEventListener('wallet-standard:app-ready', (event) =>
    register((event as CustomEvent<{ register: (wallet: unknown) => void }>).detail),
  );
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }));
  (window as unknown as { pageWallet: PageWallet }).pageWallet = { setAccount };
}
