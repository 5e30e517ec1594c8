import type { ServerResponse } from 'node:http';
import { CallerGone } from '../app-error.ts';

/**
 * A signal that is aborted when the caller leaves before the answer is sent; at once if the caller has left already.
 */
export function untilGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const leave = () => {
    if (!response.writableFinished) gone.abort(new CallerGone());
  };
  if (response.destroyed) leave();
  else response.once('close', leave);
  return gone.signal;
}
