import type { InputOf } from '@archive/contracts';
import { useCallback } from 'react';
import { formatCount } from '../../lib/format.ts';
import { useAdminCall } from './use-admin-call.ts';

/** Says what a removal does, and that it is final. */
export const REMOVED =
  'Their words and pictures are deleted everywhere and can’t be saved again. This cannot be undone. A token on the chain stays, and so does what was paid.';

/** Removes posts after the preview. Resolves to the message for the toast. */
export function useRemove() {
  const call = useAdminCall();
  return useCallback(
    async (body: InputOf<'removePosts'>['body']): Promise<string> => {
      const { state, done, total } = await call('removePosts', { body });
      if (state === 'running')
        return `Being removed: ${formatCount(done)} of ${formatCount(total)} so far. It goes on by itself.`;
      return `Removed: ${formatCount(done)} ${done === 1 ? 'post' : 'posts'}.`;
    },
    [call],
  );
}
