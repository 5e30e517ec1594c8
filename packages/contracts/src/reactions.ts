export const REACTION_TYPES = ['heart', 'thumbsUp', 'thumbsDown'] as const;

export type ReactionType = (typeof REACTION_TYPES)[number];

export type ReactionCounts = Record<ReactionType, number>;

export const NO_REACTIONS: Readonly<ReactionCounts> = { heart: 0, thumbsUp: 0, thumbsDown: 0 };

export function isReactionType(value: unknown): value is ReactionType {
  return typeof value === 'string' && (REACTION_TYPES as readonly string[]).includes(value);
}
