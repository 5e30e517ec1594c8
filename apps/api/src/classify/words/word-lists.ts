/** From 1 (almost no evidence alone) to 5. */
type Weight = 1 | 2 | 3 | 4 | 5;
type Weighted = Partial<Record<Weight, string>>;

/** The evidence for a category. Lists are separated by commas; each entry counts once in a post. */
export interface Evidence {
  /** Words and phrases in any case; plurals with s need not be listed. */
  words: Weighted;
  /** Without the sign. */
  cashtags?: string;
  /** Host names, which include their subdomains, or a host name with the first path segment. */
  hosts?: Weighted;
  /** Handles of well-known accounts. */
  accounts?: string;
  /** Patterns. They run on texts of up to `TEXT_READ`. */
  cues: [weight: Weight, form: RegExp][];
}
