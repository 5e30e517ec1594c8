import { useSessionAnswer } from '../../wallet/session-answer.ts';

/** The collections of the signed-in person, last changed first. */
export function useOwnCollections() {
  const { data, error, reload } = useSessionAnswer('listCollections');
  return { collections: data?.data, error, reload };
}
