import { type AddressInput, addressOf, createClient, type Given } from '@archive/client';
import type { AnswerOf, JsonEndpointName } from '@archive/contracts';
import useSWR, { type SWRConfiguration } from 'swr';

const client = createClient();

/** A call other than reading a page. The token goes to our own paths alone, never to another host. */
export const callApi = client.call;

const early = new Map<string, Promise<unknown>>();

/** Starts calls before the page is drawn; the first `fetchJson` of the same address takes the answer over. */
export function fetchEarly(address: string): Promise<unknown> {
  const answer = client.get(address);
  early.set(address, answer);
  // Who asks later asks anew.
  answer.catch(() => early.delete(address));
  return answer;
}

export function fetchJson<Answer>(address: string): Promise<Answer> {
  const started = early.get(address);
  early.delete(address);
  return (started ?? client.get(address)) as Promise<Answer>;
}

/** The answer to a call that reads, kept under its address; nothing is asked while `input` is null. */
export function useAnswer<N extends JsonEndpointName>(
  name: N,
  input: AddressInput<N> | null,
  options: SWRConfiguration<AnswerOf<N>> = {},
) {
  const key = input && addressOf(name, ...([input] as unknown as Given<AddressInput<N>>));
  return useSWR<AnswerOf<N>>(key, fetchJson, options);
}
