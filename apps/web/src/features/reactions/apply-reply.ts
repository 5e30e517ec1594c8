import { type GivenReaction, type Post, type PostReactions, REACTION_TYPES } from '@archive/contracts';

/** A post with the counts of the server's answer. */
export function withCounts(post: Post, { heart, thumbsUp, thumbsDown }: PostReactions): Post {
  return { ...post, reactions: { heart, thumbsUp, thumbsDown } };
}

/** A person's reactions, updated with the server's answer about one post. */
export function withReply(
  given: readonly GivenReaction[] | undefined,
  archive: Post,
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
