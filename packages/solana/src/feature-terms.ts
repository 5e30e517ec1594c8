/** Where payments go, as configured and as read from the chain. Addresses are base58. */
export interface ReceiverTerms {
  /** The wallet that is paid. */
  receiver: string;
  /** Its associated token account for `mint` under `tokenProgram`. */
  receiverAccount: string;
  mint: string;
  /** The program that owns the mint: SPL Token or Token-2022. */
  tokenProgram: string;
  /** The mint's own decimals, never the configured ones. */
  decimals: number;
}

/** One payment to feature one post: what the builder builds and the validator looks for. */
export interface FeatureTerms extends ReceiverTerms {
  /** The signed-in wallet. */
  payer: string;
  /** The post's `_id`, 24 lower-case hex digits. */
  postId: string;
  /** The price in base units of the token, 1 to 2^64 - 1. */
  baseUnits: bigint;
}

/** What a confirmed transaction did for the receiver. */
export interface PaymentFacts {
  /** The transaction's first signature, which names it. */
  signature: string;
  /** The wallet that signed and whose tokens were taken. */
  payer: string;
  /** What reached the receiver from this payer, after any fee. */
  baseUnits: bigint;
  /** The post named by our memo, or null where there is none. */
  postId: string | null;
  slot: number;
  /** Seconds since 1970, as the chain says, or null where the node does not know. */
  blockTime: number | null;
}
