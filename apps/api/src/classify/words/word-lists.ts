/** From 1, which says next to nothing alone, to 5. */
type Weight = 1 | 2 | 3 | 4 | 5;
type Weighted = Partial<Record<Weight, string>>;

/** What speaks for a category. Lists are separated by commas; each entry counts once in a post. */
export interface Evidence {
  /** Words and phrases, in any case; a plural's s need not be listed. */
  words: Weighted;
  /** Without the sign. */
  cashtags?: string;
  /** Host names, which cover the names below them, or one with the first segment of a path. */
  hosts?: Weighted;
  /** Handles of well-known accounts. */
  accounts?: string;
  /** Forms rather than words. They run on texts of any length up to `TEXT_READ`. */
  cues: [weight: Weight, form: RegExp][];
}
