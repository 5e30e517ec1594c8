import * as accounts from './accounts.ts';
import type { Call } from './call.ts';
import * as cluster from './cluster.ts';
import * as history from './history.ts';
import { sendTransaction, simulateTransaction } from './transactions.ts';

const { requestTokens, REQUEST_TOKENS, sendBack, SEND_BACK, ...clusterMethods } = cluster;

/** Every method by its name on the wire. */
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
