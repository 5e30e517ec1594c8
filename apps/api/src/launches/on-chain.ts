import { AppError } from '../app-error.ts';
import { ChainUnavailableError } from '../chain/solana-rpc.ts';

export const NOTHING_SENT = 'Nothing was launched. Please try again.';

/** Runs a call to the chain before a launch. If no node answers, the launch is refused. */
export async function onChain<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof ChainUnavailableError)) throw cause;
    throw new AppError('chain_unavailable', `The network cannot be reached right now. ${NOTHING_SENT}`, {
      headers: { 'Retry-After': '5' },
      cause,
    });
  }
}
