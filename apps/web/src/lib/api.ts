import { type AddressInput, addressOf, createClient, type Given } from '@archive/client';
import type { AnswerOf, JsonEndpointName } from '@archive/contracts';
import useSWR, { type SWRConfiguration } from 'swr';

const client = createClient();

/** Calls the API. The token is sent to paths of this site only, never to another host. */
export const callApi = client.call;

const early = new Map<string, Promise<unknown>>();

/** Starts a call before the page renders. The first `fetchJson` of the same address takes over its answer. */
export function fetchEarly(address: string): Promise<unknown> {
  const answer = client.get(address);
  early.set(address, answer);
  // After a failure, the next caller sends a new request.
  answer.catch(() => early.delete(address));
  return answer;
}

export function fetchJson<Answer>(address: string): Promise<Answer> {
  const started = early.get(address);
  early.delete(address);
  return (started ?? client.get(address)) as Promise<Answer>;
}

/** The answer to a read call, cached under its address. Sends nothing while `input` is null. */
export function useAnswer<N extends JsonEndpointName>(
  name: N,
  input: AddressInput<N> | null,
  options: SWRConfiguration<AnswerOf<N>> = {},
) {
  const key = input && addressOf(name, ...([input] as unknown as Given<AddressInput<N>>));
  return useSWR<AnswerOf<N>>(key, fetchJson, options);
}
