import {
  buildProfileMessage,
  buildReactionMessage,
  type ProfileMessage,
  type ReactionMessage,
  type Session,
} from '@archive/contracts';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import request from 'supertest';
import nacl from 'tweetnacl';
import type { TestApi } from './_test-api.ts';

/** A wallet with a real key. */
export class TestWallet {
  readonly #pair = nacl.sign.keyPair();
  readonly address = bs58.encode(this.#pair.publicKey);

  get keypair(): Keypair {
    return Keypair.fromSecretKey(this.#pair.secretKey);
  }

  sign(text: string): string {
    return bs58.encode(this.signBytes(new TextEncoder().encode(text)));
  }

  signBytes(bytes: Uint8Array): Uint8Array {
    return nacl.sign.detached(bytes, this.#pair.secretKey);
  }

  async signIn(api: TestApi): Promise<Session> {
    const { body } = await request(api.app).post('/amber/auth/challenge').send({ walletAddress: this.address });
    const message = body.challenge as string;
    const answer = await request(api.app)
      .post('/amber/auth/verify')
      .send({ walletAddress: this.address, message, signature: this.sign(message) });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body as Session;
  }

  signedReaction(fields: Omit<ReactionMessage, 'walletAddress'>) {
    const message = buildReactionMessage({ ...fields, walletAddress: this.address });
    return { walletAddress: this.address, message, signature: this.sign(message) };
  }

  signedProfile(fields: Omit<ProfileMessage, 'walletAddress' | 'action'>) {
    const message = buildProfileMessage({ ...fields, action: 'updateProfile', walletAddress: this.address });
    return { walletAddress: this.address, message, signature: this.sign(message), profileData: fields.profileData };
  }
}
