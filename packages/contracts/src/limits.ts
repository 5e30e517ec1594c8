/** Sizes and times the specification fixes; lengths of text are in code points unless named otherwise. */
export const PAGE_SIZE = 12;
export const MAX_PAGE_SIZE = 1000;
export const PAGE_WINDOW = 5;
export const TOP_AUTHORS_SHOWN = 4;
export const SEARCH_DEBOUNCE_MS = 300;
export const COPY_CONFIRMATION_MS = 2000;
export const CHUNK_TIMEOUT_MS = 120_000;
/** In graphemes. */
export const CARD_TEXT_LENGTH = 150;
/** In graphemes. */
export const TABLE_TEXT_LENGTH = 100;
/** In graphemes. */
export const LAUNCH_PREVIEW_LENGTH = 100;
export const FILTER_TEXT_LENGTH = 200;
export const RECENT_DAYS = 7;
export const TREND_DAYS = 30;

export const CONTENT_LENGTH = 25_000;
export const AUTHOR_LENGTH = 200;
export const HANDLE_LENGTH = 50;
export const PLATFORM_ID_LENGTH = 64;
export const URL_LENGTH = 2048;
export const METADATA_BYTES = 16_384;
export const METADATA_DEPTH = 8;
export const INGEST_BATCH = 1000;
/** Other ids under which one kept post is known. */
export const ALIASES_KEPT = 100;
