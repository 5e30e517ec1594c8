/** Where payments go, from the configuration and the chain. Addresses are base58. */
export interface ReceiverTerms {
  /** The wallet that receives payments. */
  receiver: string;
  /** Its associated token account for `mint` under `tokenProgram`. */
  receiverAccount: string;
  mint: string;
  /** The program that owns the mint: SPL Token or Token-2022. */
  tokenProgram: string;
  /** The mint's own decimals, never the configured ones. */
  decimals: number;
}

/** One payment to feature one post: the input of `buildFeaturePayment` and of the checks. */
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
  /** The transaction's first signature, which identifies it. */
  signature: string;
  /** The wallet that signed and whose tokens moved. */
  payer: string;
  /** What the receiver got from this payer, after any fee. */
  baseUnits: bigint;
  /** The post that the feature memo names; null without a memo. */
  postId: string | null;
  slot: number;
  /** Seconds since 1970, by the chain; null if the node does not know it. */
  blockTime: number | null;
}
