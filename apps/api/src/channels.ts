import { channel } from 'node:diagnostics_channel';

/** What rooms tell of their work while it is done, to whoever counts it. Values are of few kinds: no ids, no addresses. */
interface Told {
  /** One question to one Solana node. */
  rpc: { method: string; outcome: 'answered' | 'failed' };
  /** A call that was not answered as it was asked, by its code. */
  refusal: { code: string };
  /** How long a question waited for a thread of the archive index. */
  wait: { ms: number };
  /** A message to a browser, and what became of it. */
  push: { outcome: 'taken' | 'gone' | 'refused' | 'later' };
  /** Bytes of media that were not fetched: the day's share of a payer, or what all may use, is spent. */
  mediaRefused: { budget: 'request' | 'share' | 'all'; bytes: number };
}

const CHANNELS = {
  rpc: channel('archive:rpc'),
  refusal: channel('archive:refusal'),
  wait: channel('archive:wait'),
  push: channel('archive:push'),
  mediaRefused: channel('archive:media-refused'),
} satisfies Record<keyof Told, unknown>;

/** Where nobody listens it costs next to nothing. */
export function tell<Name extends keyof Told>(name: Name, told: Told[Name]): void {
  if (CHANNELS[name].hasSubscribers) CHANNELS[name].publish(told);
}

/** Answers how to stop listening. */
export function listen<Name extends keyof Told>(name: Name, hear: (told: Told[Name]) => void): () => void {
  const heard = (told: unknown) => hear(told as Told[Name]);
  CHANNELS[name].subscribe(heard);
  return () => void CHANNELS[name].unsubscribe(heard);
}
