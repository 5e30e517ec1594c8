import type { Post, Reference } from '@archive/contracts';
import { useAnswer } from '../../lib/api.ts';
import { PostQuote } from './post-quote.tsx';

/** An archived post by its `_id`, in the small form of a quoted post. */
export function KeptPost({ id }: { id: string }) {
  const { data } = useAnswer('getArchive', { params: { id } });
  return data === undefined ? null : <PostQuote quoted={asReference(data)} />;
}

function asReference(post: Post): Reference {
  const { platform, id, url, _id, media, sensitive } = post;
  return { platform, id, url, archiveId: _id, state: 'kept', post: { ...post, media: sensitive ? [] : media } };
}
