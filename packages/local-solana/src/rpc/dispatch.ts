import type { Chain } from '../chain/chain.ts';
import { Call, type Lens } from './call.ts';
import { methods } from './methods.ts';
import { INTERNAL_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR, RpcError } from './rpc-error.ts';

const MAX_BATCH = 100;

export interface RpcRequest {
  id: string | number | null;
  method: string;
  params: unknown;
}

export type RpcReply = { jsonrpc: '2.0'; id: RpcRequest['id'] } & ({ result: unknown } | { error: RpcError });

/** Parses a body: one request or a batch. Throws `RpcError` if it is not JSON-RPC. */
export function readRequests(body: string): { requests: RpcRequest[]; isBatch: boolean } {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new RpcError(PARSE_ERROR, 'Parse error');
  }
  if (!Array.isArray(value)) return { requests: [readRequest(value)], isBatch: false };
  if (value.length === 0 || value.length > MAX_BATCH) throw new RpcError(INVALID_REQUEST, 'Invalid request');
  return { requests: value.map(readRequest), isBatch: true };
}

export function reply(id: RpcRequest['id'], answer: () => unknown): RpcReply {
  try {
    return { jsonrpc: '2.0', id, result: answer() };
  } catch (error) {
    return { jsonrpc: '2.0', id, error: toRpcError(error) };
  }
}

export function callMethod(chain: Chain, lens: Lens, { method, params }: RpcRequest): unknown {
  const run = methods.get(method);
  if (!run) throw new RpcError(METHOD_NOT_FOUND, 'Method not found');
  return run(new Call(chain, lens, params));
}

export function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  console.error(error);
  return new RpcError(INTERNAL_ERROR, 'Internal error');
}

function readRequest(value: unknown): RpcRequest {
  if (typeof value !== 'object' || value === null) throw new RpcError(INVALID_REQUEST, 'Invalid request');
  const { id, method, params } = value as Record<string, unknown>;
  if (typeof method !== 'string') throw new RpcError(INVALID_REQUEST, 'Invalid request');
  return { id: typeof id === 'string' || typeof id === 'number' ? id : null, method, params };
}
