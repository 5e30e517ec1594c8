import type { PostReactions, ReactionType } from '@archive/contracts';
import { type Answer, call, type Served, TestWallet } from '@archive/testing';

/** A signed-in user who reacts to posts. */
export class Visitor {
  readonly #product: Served;
  readonly address: string;
  readonly token: string;

  constructor(product: Served, address: string, token: string) {
    this.#product = product;
    this.address = address;
    this.token = token;
  }

  static async open(product: Served): Promise<Visitor> {
    const wallet = new TestWallet();
    return new Visitor(product, wallet.address, (await wallet.signIn(product)).token);
  }

  set(post: string, type: ReactionType, isOn: boolean): Promise<Answer> {
    return isOn
      ? call(this.#product, 'POST', `/amber/reactions/${post}`, this.token, { reactionType: type })
      : call(this.#product, 'DELETE', `/amber/reactions/${post}/${type}`, this.token);
  }
}

export async function reactionsTo(product: Served, post: string, wallet = ''): Promise<PostReactions> {
  const { body } = await call(product, 'GET', `/amber/reactions/${post}${wallet && `?walletAddress=${wallet}`}`);
  return body;
}
