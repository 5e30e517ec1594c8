import type { Db } from 'mongodb';
import { AgentKeyStore } from '../src/ingest/agent-key-store.ts';
import type { TestWallet } from '../tests/_wallet.ts';
import { generatePosts } from './generate-posts.ts';

const POSTS_AT_ONCE = 500;

/** Sends so many generated posts to a running server, and answers the `_id` of every post it then holds. */
export async function addPosts(url: string, db: Db, count: number, seed: number): Promise<string[]> {
  const { key } = await new AgentKeyStore(db).create('stage');
  const posts = [...generatePosts(count, seed)];
  for (let at = 0; at < posts.length; at += POSTS_AT_ONCE) {
    await fetch(`${url}/amber/archives`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ posts: posts.slice(at, at + POSTS_AT_ONCE) }),
    });
  }
  const kept = await db
    .collection('posts')
    .find({}, { projection: { _id: 1 } })
    .toArray();
  return kept.map(({ _id }) => _id.toHexString());
}

/** Signs a wallet in at a running server; answers its token. */
export async function signIn(url: string, wallet: TestWallet): Promise<string> {
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as Record<string, string>;
  };
  const { challenge: message = '' } = await post('/amber/auth/challenge', { walletAddress: wallet.address });
  const signed = { walletAddress: wallet.address, message, signature: wallet.sign(message) };
  const { token = '' } = await post('/amber/auth/verify', signed);
  return token;
}
