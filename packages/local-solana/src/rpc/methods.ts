import * as accounts from './accounts.ts';
import type { Call } from './call.ts';
import * as cluster from './cluster.ts';
import * as history from './history.ts';
import { sendTransaction, simulateTransaction } from './transactions.ts';

const { requestTokens, REQUEST_TOKENS, sendBack, SEND_BACK, ...clusterMethods } = cluster;

/** All methods by their JSON-RPC names. */
export const methods: ReadonlyMap<string, (call: Call) => unknown> = new Map(
  Object.entries({
    ...accounts,
    ...history,
    ...clusterMethods,
    sendTransaction,
    simulateTransaction,
    [REQUEST_TOKENS]: requestTokens,
    [SEND_BACK]: sendBack,
  }),
);
