import { ENDPOINTS, type EndpointName, type InputOf } from '@archive/contracts';

/** The parts of a call's input that its address contains. */
export type AddressInput<N extends EndpointName> = Pick<InputOf<N>, Extract<keyof InputOf<N>, 'params' | 'query'>>;

/** The argument is optional if none of its fields is required. */
export type Given<Input> = Record<never, never> extends Input ? [input?: Input] : [input: Input];

/** Path and query of a call; absent and empty parameters are omitted. */
export function addressOf<N extends EndpointName>(name: N, ...[input]: Given<AddressInput<N>>): string {
  const { params = {}, query = {} } = (input ?? {}) as { params?: Record<string, string>; query?: object };
  const path = ENDPOINTS[name].path.replace(/:(\w+)/g, (_, part: string) => encodeURIComponent(params[part] ?? ''));
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
}
