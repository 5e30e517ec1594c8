/** Sizes and times that the specification fixes. Lengths of text are in code points unless stated otherwise. */
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
/** Posts in a feed. */
export const FEED_SIZE = 50;
/** A post's text in the head of a page, and in the page's title; in code points. */
export const HEAD_TEXT_LENGTH = 300;
export const HEAD_TITLE_LENGTH = 70;
/** Length of a question in the search language; the rest is ignored. */
export const QUERY_LENGTH = 1000;
/** Words and operators of one question; the rest is ignored. */
export const QUERY_TERMS = 64;
export const RECENT_DAYS = 7;
export const TREND_DAYS = 30;
/** Months in the answer of categories by month; a page shows fewer at once. */
export const TREND_MONTHS = 600;

/** Bytes of a request's body, and of one that saves posts. */
export const BODY_BYTES = 102_400;
export const INGEST_BODY_BYTES = 1_048_576;
export const CONTENT_LENGTH = 25_000;
/** Content of a post that is shown within its reply or quote, in code points. */
export const PREVIEW_LENGTH = 300;
export const AUTHOR_LENGTH = 200;
/** Length of a domain name: Bluesky handles are domains. */
export const HANDLE_LENGTH = 253;
/** Length of a platform's id of an author: digits, or a DID. */
export const AUTHOR_ID_LENGTH = 256;
/** Links of one post. */
export const LINKS_PER_POST = 100;
export const LINK_TITLE_LENGTH = 300;
/** Pictures and videos of one post. */
export const MEDIA_PER_POST = 20;
export const ALT_LENGTH = 5_000;
/** Posts of an author's own thread that are kept together. */
export const THREAD_LENGTH = 100;
export const VERSIONS_KEPT = 20;
/** Requests to save per day: per requester, and per network of addresses. */
export const SAVES_PER_DAY = 20;
/** Requests to save per minute, of all requesters together. */
export const SAVES_PER_MINUTE = 60;
/** Hours within which every request to save ends, and maximum age of a mention. */
export const SAVE_HOURS = 24;
/** Hours within which words of a removed post leave the index file: the server then builds a new file. */
export const REMOVED_WORDS_HOURS = 24;
export const PLATFORM_ID_LENGTH = 64;
export const URL_LENGTH = 2048;
export const METADATA_BYTES = 16_384;
export const METADATA_DEPTH = 8;
export const INGEST_BATCH = 1000;
/** Requests in progress per address and process. A browser makes six, an office behind one address some dozens. */
export const REQUESTS_AT_ONCE = 200;
/** Exports in progress per process. One takes most of a core, so more would slow all other requests. */
export const EXPORTS_AT_ONCE = 3;
/** Other ids by which one post is known. */
export const ALIASES_KEPT = 100;

export const DISPLAY_NAME_LENGTH = 50;
export const BIO_LENGTH = 500;
/** Latest interactions kept per user. */
export const INTERACTIONS_KEPT = 100;

/** Saved searches and collections per wallet. */
export const SAVED_SEARCHES = 100;
export const COLLECTIONS = 100;
/** Posts of one collection. */
export const COLLECTION_POSTS = 1_000;
/** Length of the name of a collection or a saved search. */
export const COLLECTION_NAME_LENGTH = 80;
/** In UTF-16 code units. */
export const SEARCH_QUERY_LENGTH = 2_000;
/** New posts of a saved search are counted up to this number. A count of one more means that there are more. */
export const NEW_POSTS_COUNTED = 50;
/** Latest notices that a wallet is shown. */
export const NOTICES_SHOWN = 20;
/** Browsers per wallet that receive push messages. */
export const PUSH_BROWSERS = 10;
/** Hours after which a push message is dropped, by the server and by the push service. */
export const PUSH_HOURS = 24;

/** Longest name a token's metadata is known to hold everywhere, in UTF-8. */
export const TOKEN_NAME_BYTES = 32;
export const TOKEN_SYMBOL_LENGTH = 8;
/** Graphemes of the post's text in a token's description; if the text was cut, the last one is an ellipsis. */
export const LAUNCH_DESCRIPTION_LENGTH = 200;

/** Reported payments that wait for the chain: per wallet, and per network of addresses. */
export const OPEN_REPORTS_PER_WALLET = 10;
export const OPEN_REPORTS_PER_NETWORK = 50;
/** A price shown this long before the payment's block is still accepted, in case the price changed meanwhile. */
export const PRICE_HONOURED_MS = 15 * 60_000;
/**
 * A page refreshes a price that it has shown for this time. It must be less than `PRICE_HONOURED_MS`, or payers pay too
 * little.
 */
export const OFFER_KEPT_MS = 10 * 60_000;

/** Pixels of a kept picture. More take long to decode, and a small file can claim any number. */
export const PICTURE_PIXELS = 50_000_000;
/** Width of a preview in pixels; its height is at most three times that. */
export const MEDIA_PREVIEW_WIDTH = 680;
export const MEDIA_PREVIEW_BYTES = 60_000;

/** Length of an operator's reason for an act, in code points. */
export const REASON_LENGTH = 500;
/** Minutes after a sign-in within which an operator may act irreversibly. */
export const FRESH_SIGN_IN_MINUTES = 15;
/** Length of a report's text, in code points. */
export const REPORT_WORDS_LENGTH = 1_000;
export const REPORT_CONTACT_LENGTH = 200;
/** Reports of one post that are kept with their text; further ones are only counted. */
export const REPORTS_KEPT = 100;
/** Reports of one post from one network that get an address of their own for following them. */
export const REPORTS_FOLLOWED = 20;
/** Posts that reports alone can hide per day, however many are reported. */
export const REPORTS_HIDE_PER_DAY = 20;
/** Days after a decision for which a report's text and contact are kept. */
export const REPORT_DAYS = 90;
/** Reported posts on one page. */
export const REPORT_PAGE_SIZE = 20;
/** Entries of the log of acts on one page. */
export const LOG_PAGE_SIZE = 50;
/** Posts that a removal names one by one. */
export const REMOVAL_LIST = 1_000;
