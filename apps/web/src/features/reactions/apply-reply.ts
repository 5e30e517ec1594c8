import {
  type Archive,
  type ArchivePage,
  type GivenReaction,
  type PostReactions,
  REACTION_TYPES,
} from '@archive/contracts';

/** An answer that holds posts, a page of them or one, with the counts of one post replaced; the same where it is absent. */
export function withCounts<Answer>(answer: Answer, postId: string, reply: PostReactions): Answer {
  if (typeof answer !== 'object' || answer === null) return answer;
  const { heart, thumbsUp, thumbsDown } = reply;
  const replace = (post: Archive): Archive =>
    post._id === postId ? { ...post, reactions: { heart, thumbsUp, thumbsDown } } : post;
  if ('_id' in answer) return replace(answer as unknown as Archive) as Answer;
  if (!('data' in answer) || !Array.isArray(answer.data)) return answer;
  const page = answer as unknown as ArchivePage;
  return { ...page, data: page.data.map(replace), featured: page.featured && replace(page.featured) } as Answer;
}

/** What a person has given, after the server's answer about one post. */
export function withReply(
  given: readonly GivenReaction[] | undefined,
  archive: Archive,
  { userReactions }: PostReactions,
  now: Date,
): GivenReaction[] {
  const before = given ?? [];
  const isOf = ({ archiveId }: GivenReaction) => archiveId === archive._id;
  const kept = before.filter((entry) => !isOf(entry) || userReactions.includes(entry.reactionType));
  const known = new Set(kept.filter(isOf).map(({ reactionType }) => reactionType));
  const added = REACTION_TYPES.filter((type) => userReactions.includes(type) && !known.has(type));
  return [
    ...added.map((reactionType) => ({ archiveId: archive._id, reactionType, createdAt: now.toISOString(), archive })),
    ...kept,
  ];
}
