import '../../../wallet/buffer-global.ts';
import { Connection } from '@solana/web3.js';
import { PlainError } from '../../../wallet/wallet-errors.ts';
import { CHAIN_AWAY } from './feature-errors.ts';

const TIMEOUT_MS = 10_000;

/** A connection to the configured RPC node. It uses HTTP only and opens no WebSocket. */
export function openConnection(rpcUrl: string): Connection {
  return new Connection(rpcUrl, { commitment: 'confirmed', fetch: fetchWithin, disableRetryOnRateLimit: true });
}

/** Calls an RPC method that only some nodes have. */
export async function callNode<Answer>(rpcUrl: string, method: string, params: unknown[]): Promise<Answer> {
  const response = await fetchWithin(rpcUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const answer = (await response.json()) as { result?: Answer; error?: { message: string } };
  if (answer.error !== undefined || answer.result === undefined) {
    throw new PlainError(answer.error?.message ?? CHAIN_AWAY);
  }
  return answer.result;
}

/** Fetches with a time limit and requires JSON: some proxies answer with an HTML page. */
async function fetchWithin(...[address, init]: Parameters<typeof fetch>): Promise<Response> {
  try {
    const response = await fetch(address, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await response.text();
    JSON.parse(text);
    if (response.ok) return new Response(text, { status: response.status, headers: response.headers });
  } catch {
    // Every failure counts as no answer.
  }
  throw new PlainError(CHAIN_AWAY);
}
