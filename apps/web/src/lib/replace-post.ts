import type { Archive, ArchivePage } from '@archive/contracts';

/** An answer that holds posts, a page of them or one, with one post replaced; the same where it is absent. */
export function replacePost<Answer>(answer: Answer, postId: string, change: (post: Archive) => Archive): Answer {
  if (typeof answer !== 'object' || answer === null) return answer;
  const replace = (post: Archive): Archive => (post._id === postId ? change(post) : post);
  if ('_id' in answer) return replace(answer as unknown as Archive) as Answer;
  if (!('data' in answer) || !Array.isArray(answer.data)) return answer;
  const page = answer as unknown as ArchivePage;
  return { ...page, data: page.data.map(replace), featured: page.featured && replace(page.featured) } as Answer;
}
