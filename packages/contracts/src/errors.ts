/** Stable words for what went wrong, with the HTTP status each is answered with. */
export const ERROR_STATUS = {
  invalid_request: 400,
  invalid_json: 400,
  message_expired: 400,
  unauthorized: 401,
  challenge_invalid: 401,
  signature_invalid: 401,
  forbidden: 403,
  /** Suspended by the operators. */
  wallet_suspended: 403,
  /** What cannot be undone wants a sign-in of the last minutes. */
  sign_in_again: 403,
  /** The post's author wants no tokens of it, or the wallet holds too little of the project's. */
  launch_not_allowed: 403,
  /** The post's author wants nothing of theirs kept here. */
  save_declined: 403,
  not_found: 404,
  post_not_found: 404,
  /** Hidden by whoever runs the archive, for its rules or until somebody has looked. */
  post_hidden: 404,
  message_replayed: 409,
  /** The wallet's account is being deleted, which takes a minute. */
  account_deleting: 409,
  already_featured: 409,
  already_launched: 409,
  /** Another launch of the same post has not come to its end. */
  launch_under_way: 409,
  payment_used: 409,
  /** A request to save that is not in the state for it. */
  save_refused: 409,
  /** What was shown to be removed is not the same any more. */
  selection_changed: 409,
  /** Somebody else has decided meanwhile. */
  already_decided: 409,
  /** A wallet has as many of these as it may have. */
  too_many: 409,
  /** A payment that arrived and could not be applied; the answer carries the credit. */
  payment_credited: 409,
  post_removed: 410,
  /** Of another archive than this has become: a copy begins anew. */
  cursor_gone: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  /** A part of a file was asked for that it does not have. */
  range_not_satisfiable: 416,
  /** The chain says otherwise. */
  payment_refused: 422,
  payment_not_found: 422,
  /** The payment arrived and is less than the price; the answer carries the credit. */
  payment_too_little: 422,
  not_enough_credit: 422,
  /** What is to be paid back, or what is said to have paid it back, is not so. */
  refund_refused: 422,
  rate_limited: 429,
  /** Hidden by whoever runs the archive, for legal reasons. */
  post_withheld: 451,
  internal_error: 500,
  database_unavailable: 503,
  /** What a restore must not undo could not be written down, so it was not done. */
  ledger_unavailable: 503,
  /** What operators do is written into the log of acts first, and that could not be, so it was not done. */
  audit_unavailable: 503,
  featuring_unavailable: 503,
  chain_unavailable: 503,
  launching_unavailable: 503,
  /** Posts of this platform cannot be read here. */
  saving_unavailable: 503,
  /** Nothing was sent, or nothing of it is left. */
  launch_failed: 503,
  /** Nothing is pushed here. */
  push_unavailable: 503,
  metadata_unavailable: 503,
  starting: 503,
  /** The search cluster cannot be reached, or a part of it. */
  search_unavailable: 503,
  /** More is asked than can be answered in time. */
  overloaded: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;
