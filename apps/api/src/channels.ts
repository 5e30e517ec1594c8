import { channel } from 'node:diagnostics_channel';

/** Events that features emit for metrics. The values are of few kinds: no ids, no addresses. */
interface Told {
  /** One call to one Solana node. */
  rpc: { method: string; outcome: 'answered' | 'failed' };
  /** A refused call, by its code. */
  refusal: { code: string };
  /** The wait of a question for an index thread. */
  wait: { ms: number };
  /** A message to a browser, and its outcome. */
  push: { outcome: 'taken' | 'gone' | 'refused' | 'later' };
  /**
   * Bytes of media that were not fetched, because a budget is spent: the request's, the payer's share, or that of all.
   */
  mediaRefused: { budget: 'request' | 'share' | 'all'; bytes: number };
}

const CHANNELS = {
  rpc: channel('archive:rpc'),
  refusal: channel('archive:refusal'),
  wait: channel('archive:wait'),
  push: channel('archive:push'),
  mediaRefused: channel('archive:media-refused'),
} satisfies Record<keyof Told, unknown>;

/** Costs next to nothing without a listener. */
export function tell<Name extends keyof Told>(name: Name, told: Told[Name]): void {
  if (CHANNELS[name].hasSubscribers) CHANNELS[name].publish(told);
}

/** Returns a function that stops listening. */
export function listen<Name extends keyof Told>(name: Name, hear: (told: Told[Name]) => void): () => void {
  const heard = (told: unknown) => hear(told as Told[Name]);
  CHANNELS[name].subscribe(heard);
  return () => void CHANNELS[name].unsubscribe(heard);
}
