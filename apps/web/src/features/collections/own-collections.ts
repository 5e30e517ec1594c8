import { useSessionAnswer } from '../../wallet/session-answer.ts';

/** The signed-in person's collections, the one changed last first. */
export function useOwnCollections() {
  const { data, error, reload } = useSessionAnswer('listCollections');
  return { collections: data?.data, error, reload };
}
