import { createPrivateKey, sign } from 'node:crypto';
import {
  buildDeletionMessage,
  buildProfileMessage,
  buildReactionMessage,
  type DeletionMessage,
  ENDPOINTS,
  type ProfileMessage,
  type ReactionMessage,
  type Session,
} from '@archive/contracts';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { call, type Served } from './call.ts';

/** PKCS #8 prefix of an Ed25519 seed. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A wallet with a real key. It signs with Node's own cryptography, which is many times faster than that of wallets. */
export class TestWallet {
  readonly keypair = Keypair.generate();
  readonly address = this.keypair.publicKey.toBase58();
  readonly #key = createPrivateKey({
    key: Buffer.concat([PKCS8, this.keypair.secretKey.subarray(0, 32)]),
    format: 'der',
    type: 'pkcs8',
  });

  sign(text: string): string {
    return bs58.encode(this.signBytes(Buffer.from(text)));
  }

  signBytes(bytes: Uint8Array): Uint8Array {
    return new Uint8Array(sign(null, bytes, this.#key));
  }

  async signIn(api: Served): Promise<Session> {
    const { method, path } = ENDPOINTS.verify;
    const { status, body } = await call(api, method, path, null, await this.signedChallenge(api));
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body;
  }

  async signedChallenge(api: Served): Promise<{ walletAddress: string; message: string; signature: string }> {
    const { method, path } = ENDPOINTS.challenge;
    const { body } = await call(api, method, path, null, { walletAddress: this.address });
    return { walletAddress: this.address, message: body.challenge, signature: this.sign(body.challenge) };
  }

  signedReaction(fields: Omit<ReactionMessage, 'walletAddress'>) {
    const message = buildReactionMessage({ ...fields, walletAddress: this.address });
    return { walletAddress: this.address, message, signature: this.sign(message) };
  }

  signedDeletion(fields: Omit<DeletionMessage, 'walletAddress' | 'action'>) {
    const message = buildDeletionMessage({ ...fields, action: 'deleteAccount', walletAddress: this.address });
    return { walletAddress: this.address, message, signature: this.sign(message) };
  }

  signedProfile(fields: Omit<ProfileMessage, 'walletAddress' | 'action'>) {
    const message = buildProfileMessage({ ...fields, action: 'updateProfile', walletAddress: this.address });
    return { walletAddress: this.address, message, signature: this.sign(message), profileData: fields.profileData };
  }
}
