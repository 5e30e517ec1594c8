/** What stands on the picture of a post, for the thread that draws it. */
export interface Card {
  /** Null where only the archive's own pages may show them. */
  words: string | null;
  author: string;
  handle: string;
  /** `23 November 2026`. */
  date: string;
  avatar: Uint8Array | null;
  picture: Uint8Array | null;
}

export const CARD_WIDTH = 1200;
export const CARD_HEIGHT = 630;
/** More of a text does not fit. */
export const CARD_WORDS = 420;
