/** Stable error codes, with the HTTP status of each. */
export const ERROR_STATUS = {
  invalid_request: 400,
  invalid_json: 400,
  message_expired: 400,
  unauthorized: 401,
  challenge_invalid: 401,
  signature_invalid: 401,
  forbidden: 403,
  /** The operators have suspended the wallet. */
  wallet_suspended: 403,
  /** An irreversible act needs a sign-in within the last minutes. */
  sign_in_again: 403,
  /** The post's author allows no tokens, or the wallet holds too few of the project's tokens. */
  launch_not_allowed: 403,
  /** The post's author does not want to be archived here. */
  save_declined: 403,
  not_found: 404,
  post_not_found: 404,
  /** The operators have hidden the post by the archive's rules, or reports have hidden it until an operator looks. */
  post_hidden: 404,
  message_replayed: 409,
  /** The server is deleting the wallet's account, which takes a minute. */
  account_deleting: 409,
  already_featured: 409,
  already_launched: 409,
  /** Another launch of the same post has not ended yet. */
  launch_under_way: 409,
  payment_used: 409,
  /** The request to save is not in a state that allows this. */
  save_refused: 409,
  /** The posts to remove have changed since the preview. */
  selection_changed: 409,
  /** Another operator has decided meanwhile. */
  already_decided: 409,
  /** The wallet has reached the limit for these. */
  too_many: 409,
  /** A payment arrived but could not be applied. The answer contains the credit. */
  payment_credited: 409,
  post_removed: 410,
  /** The cursor is from before a restore of this archive. A mirror must copy everything again. */
  cursor_gone: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  /** The requested range lies outside the file. */
  range_not_satisfiable: 416,
  /** The transaction on the chain is not a valid payment. */
  payment_refused: 422,
  payment_not_found: 422,
  /** The payment arrived but is less than the price. The answer contains the credit. */
  payment_too_little: 422,
  not_enough_credit: 422,
  /** The credit cannot be refunded, or the named transaction does not refund it. */
  refund_refused: 422,
  rate_limited: 429,
  /** The operators have hidden the post for legal reasons. */
  post_withheld: 451,
  internal_error: 500,
  database_unavailable: 503,
  /** The server could not write the ledger of acts that a restore must not undo, so it did not act. */
  ledger_unavailable: 503,
  /** The server could not write the log of acts, which precedes every act of an operator, so it did not act. */
  audit_unavailable: 503,
  featuring_unavailable: 503,
  chain_unavailable: 503,
  launching_unavailable: 503,
  /** This server cannot read posts of this platform. */
  saving_unavailable: 503,
  /** The launch was not sent, or left nothing on the chain. */
  launch_failed: 503,
  /** This server sends no push messages. */
  push_unavailable: 503,
  metadata_unavailable: 503,
  starting: 503,
  /** The search cluster, or a part of it, cannot be reached. */
  search_unavailable: 503,
  /** The server has more requests than it can answer in time. */
  overloaded: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;
