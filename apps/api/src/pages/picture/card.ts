/** The content of a post's share picture, for the drawing thread. */
export interface Card {
  /** Null if only the archive's own pages may show the text. */
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
/** Most characters of a text that fit. */
export const CARD_WORDS = 420;
