import { type Archive, type GivenReaction, type PostReactions, REACTION_TYPES } from '@archive/contracts';
import { replacePost } from '../../lib/replace-post.ts';

/** An answer that holds posts, with the counts of one post replaced. */
export function withCounts<Answer>(answer: Answer, postId: string, reply: PostReactions): Answer {
  const { heart, thumbsUp, thumbsDown } = reply;
  return replacePost(answer, postId, (post) => ({ ...post, reactions: { heart, thumbsUp, thumbsDown } }));
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
