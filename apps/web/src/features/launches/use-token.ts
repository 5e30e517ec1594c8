import { type Archive, ENDPOINTS, type TokenCheck, type TokenLaunch } from '@archive/contracts';
import useSWR from 'swr';
import { fetchJson, pathWithId } from '../../lib/api.ts';

/** The token that came from a launched post; null where there is none, or where it is not known. */
export function useToken(post: Archive): TokenLaunch | null {
  const key = post.launched ? pathWithId(ENDPOINTS.checkToken.path, post._id) : null;
  return useSWR<TokenCheck>(key, fetchJson).data?.tokenLaunch ?? null;
}
