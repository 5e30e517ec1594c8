import { setTimeout as delay } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { Chain } from '../chain/chain.ts';
import { callMethod, type RpcRequest, readRequests, toRpcError } from '../rpc/dispatch.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import { Subscriptions } from '../rpc/subscriptions.ts';
import type { Faults } from './faults.ts';

/** Serves one WebSocket connection. An endpoint with the fault `lag` or `silence` sends no notifications. */
export function serveSocket(client: WebSocket, chain: Chain, faults: Faults): void {
  const send = (message: unknown) => client.send(JSON.stringify(message));
  const subscriptions = new Subscriptions(chain, (notification) => {
    if (!faults.has('silence') && !faults.has('lag')) send(notification);
  });
  client.on('close', () => subscriptions.close());
  // A protocol error of a client only ends its connection.
  client.on('error', () => client.terminate());
  client.on('message', (data) => {
    serve(String(data)).catch((error: unknown) => send({ jsonrpc: '2.0', id: null, error: toRpcError(error) }));
  });

  async function serve(body: string): Promise<void> {
    const { requests, isBatch } = readRequests(body);
    const asked = requests.map(({ method }) => method);
    const late = faults.take('delay', asked);
    if (late) await delay(late.ms);
    if (['drop', 'html', 'status'].some((kind) => faults.take(kind as 'drop', asked))) return client.terminate();
    const answers = requests.map(answer);
    if (faults.take('drop-answer', asked)) return client.terminate();
    const replies = answers.map((one) => one.reply);
    send(isBatch ? replies : replies[0]);
    for (const { afterwards } of answers) afterwards?.();
  }

  function answer(request: RpcRequest): { reply: unknown; afterwards?: (() => void) | undefined } {
    const { id, method } = request;
    try {
      const wrong = faults.take('error', [method]);
      if (wrong) throw new RpcError(wrong.code, wrong.message);
      const lens = faults.lens(method);
      const subscribed = subscriptions.call(request, lens);
      const result = subscribed ? subscribed.result : callMethod(chain, lens, request);
      return { reply: { jsonrpc: '2.0', id, result }, afterwards: subscribed?.afterwards };
    } catch (error) {
      return { reply: { jsonrpc: '2.0', id, error: toRpcError(error) } };
    }
  }
}
