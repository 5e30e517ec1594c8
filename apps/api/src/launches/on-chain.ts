import { AppError } from '../app-error.ts';
import { ChainUnavailableError } from '../chain/solana-rpc.ts';

export const NOTHING_SENT = 'Nothing was launched. Please try again.';

/** What the chain is asked before a launch; where no node answers, the launch is refused. */
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
