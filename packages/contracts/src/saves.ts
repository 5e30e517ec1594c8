/** States of a request to save a post. The last two are final. */
export const SAVE_STATES = ['received', 'fetched', 'stored', 'answered', 'failed'] as const;
export type SaveState = (typeof SAVE_STATES)[number];

/** Why a post was not saved, with the sentence for the requester. */
export const SAVE_REASONS = {
  not_a_post: 'That isn’t a link to a post on X or Bluesky.',
  not_found: 'There is no such post, or no longer.',
  deleted: 'Its author has deleted this post.',
  protected: 'Only some people may read this post.',
  declined: 'Its author does not want to be kept here.',
  removed: 'This post was removed from the archive for good.',
  hidden: 'This post is hidden in the archive.',
  withheld: 'The platform withholds this post.',
  too_old: 'The request was too old when it was found.',
  limit_reached: 'Too many requests today; try again tomorrow.',
  unavailable: 'This archive cannot read posts of that platform now.',
  gave_up: 'The platform did not answer for a day.',
  cancelled: 'The operators of this archive ended this request.',
  taken_back: 'Taken back by the person who asked.',
  not_understood: 'The words of the request name nothing that can be done.',
} as const;
export type SaveReason = keyof typeof SAVE_REASONS;
