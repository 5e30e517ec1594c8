import { ApiError } from '@archive/client';
import { useMemo } from 'react';
import { useSWRConfig } from 'swr';
import { callApi } from '../../lib/api.ts';
import { endDeadSession, signInAgain } from '../../wallet/session.ts';
import { refreshSessionAnswer } from '../../wallet/session-answer.ts';
import { walletState } from '../../wallet/wallet-store.ts';

/**
 * Makes calls with the operator's session. If a call needs a fresh sign-in, the wallet signs and the call is repeated.
 * After a 404, the page checks whether the operator still has the role.
 */
export function useAdminCall(): typeof callApi {
  const { mutate } = useSWRConfig();
  return useMemo(() => {
    const call = async (name: Parameters<typeof callApi>[0], input: object = {}): Promise<unknown> => {
      const ask = () => (callApi as Ask)(name, { ...input, token: walletState().token });
      try {
        return await ask();
      } catch (error) {
        if (error instanceof ApiError && error.code === 'sign_in_again') {
          await signInAgain();
          return ask();
        }
        endDeadSession(error);
        if (error instanceof ApiError && error.status === 404) refreshSessionAnswer('adminMe', mutate);
        throw error;
      }
    };
    return call as typeof callApi;
  }, [mutate]);
}

type Ask = (name: string, input: object) => Promise<unknown>;

/** The message for a failed call. */
export function failureOf(error: unknown): string {
  if (error instanceof ApiError && (error.status === 0 || error.status >= 500)) {
    return error.status === 503 ? error.message : 'The server did not answer. Nothing was done; please try again.';
  }
  return error instanceof Error ? error.message : 'It could not be done. Please try again.';
}
