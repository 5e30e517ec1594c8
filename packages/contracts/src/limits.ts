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
/** Posts in a feed. */
export const FEED_SIZE = 50;
/** Of a post's words in a page's head and in the title of its page, in code points. */
export const HEAD_TEXT_LENGTH = 300;
export const HEAD_TITLE_LENGTH = 70;
/** Of a question in the search language; what comes after is not looked at. */
export const QUERY_LENGTH = 1000;
/** Words and operators of one question that are looked at. */
export const QUERY_TERMS = 64;
export const RECENT_DAYS = 7;
export const TREND_DAYS = 30;
/** Months of an answer on categories by month; a page shows fewer at once. */
export const TREND_MONTHS = 600;

/** Of a request's body, and of one that saves posts. */
export const BODY_BYTES = 102_400;
export const INGEST_BODY_BYTES = 1_048_576;
export const CONTENT_LENGTH = 25_000;
/** Of a post that another one answers or quotes, in code points of its content. */
export const PREVIEW_LENGTH = 300;
export const AUTHOR_LENGTH = 200;
/** Of a domain, which names people on Bluesky. */
export const HANDLE_LENGTH = 253;
/** Of a platform's own id of an author: digits, or a DID. */
export const AUTHOR_ID_LENGTH = 256;
/** In one post. */
export const LINKS_PER_POST = 100;
export const LINK_TITLE_LENGTH = 300;
/** Pictures and videos of one post. */
export const MEDIA_PER_POST = 20;
export const ALT_LENGTH = 5_000;
/** Posts of an author's own thread that are kept together. */
export const THREAD_LENGTH = 100;
export const VERSIONS_KEPT = 20;
/** Requests to save of one day, of one who asks and from one network of addresses. */
export const SAVES_PER_DAY = 20;
/** Requests to save of one minute, of everybody. */
export const SAVES_PER_MINUTE = 60;
/** Within which every request to save comes to an end, and how old a mention may be. */
export const SAVE_HOURS = 24;
/** Within which words of a removed post leave the index file: each time a new one is built. */
export const REMOVED_WORDS_HOURS = 24;
export const PLATFORM_ID_LENGTH = 64;
export const URL_LENGTH = 2048;
export const METADATA_BYTES = 16_384;
export const METADATA_DEPTH = 8;
export const INGEST_BATCH = 1000;
/** Of one address, under way in one process: a browser has six, an office behind one address some dozens. */
export const REQUESTS_AT_ONCE = 200;
/** In one process; one takes most of a core, and more than a few would starve everybody. */
export const EXPORTS_AT_ONCE = 3;
/** Other ids under which one kept post is known. */
export const ALIASES_KEPT = 100;

export const DISPLAY_NAME_LENGTH = 50;
export const BIO_LENGTH = 500;
/** Of a user's latest interactions. */
export const INTERACTIONS_KEPT = 100;

/** Of one wallet. */
export const SAVED_SEARCHES = 100;
export const COLLECTIONS = 100;
/** Posts of one collection. */
export const COLLECTION_POSTS = 1_000;
/** Of a collection or a saved search. */
export const COLLECTION_NAME_LENGTH = 80;
/** In UTF-16 code units. */
export const SEARCH_QUERY_LENGTH = 2_000;
/** New posts of a saved search are counted so far; one more means that there are more. */
export const NEW_POSTS_COUNTED = 50;
/** The latest that a wallet is told. */
export const NOTICES_SHOWN = 20;
/** Of one wallet, that notices are pushed to. */
export const PUSH_BROWSERS = 10;
/** What is older is pushed no more, here and where a browser fetches it. */
export const PUSH_HOURS = 24;

/** Longest name a token's metadata is known to hold everywhere, in UTF-8. */
export const TOKEN_NAME_BYTES = 32;
export const TOKEN_SYMBOL_LENGTH = 8;
/** Of the post’s text, in graphemes; where it was cut, the last is an ellipsis. */
export const LAUNCH_DESCRIPTION_LENGTH = 200;

/** Reports of payments that wait for the chain, of one wallet and from one network of addresses. */
export const OPEN_REPORTS_PER_WALLET = 10;
export const OPEN_REPORTS_PER_NETWORK = 50;
/** A price seen so long before the payment's block still holds: it may have been shown before it changed. */
export const PRICE_HONOURED_MS = 15 * 60_000;
/** A page asks anew for a price it has shown for so long; less than `PRICE_HONOURED_MS`, or its payers pay too little. */
export const OFFER_KEPT_MS = 10 * 60_000;

/** Of a picture that is kept: more would take long to read, and a few bytes can claim as many as they like. */
export const PICTURE_PIXELS = 50_000_000;
/** Of a preview, in pixels; its height is three times that at most. */
export const MEDIA_PREVIEW_WIDTH = 680;
export const MEDIA_PREVIEW_BYTES = 60_000;

/** What an operator gives as the reason of an act, in code points. */
export const REASON_LENGTH = 500;
/** Minutes after a sign-in within which an operator may do what cannot be undone. */
export const FRESH_SIGN_IN_MINUTES = 15;
/** Of a report, in code points. */
export const REPORT_WORDS_LENGTH = 1_000;
export const REPORT_CONTACT_LENGTH = 200;
/** Reports of one post that are kept with their words; more are counted alone. */
export const REPORTS_KEPT = 100;
/** Reports of one post from one network that can be followed by an address of their own. */
export const REPORTS_FOLLOWED = 20;
/** Posts that reports alone hide in a day, however many are reported. */
export const REPORTS_HIDE_PER_DAY = 20;
/** Days after a decision for which words and contact of a report are kept. */
export const REPORT_DAYS = 90;
/** Reported posts on one page. */
export const REPORT_PAGE_SIZE = 20;
/** Entries of the log of acts on one page. */
export const LOG_PAGE_SIZE = 50;
/** Posts that a removal names one by one. */
export const REMOVAL_LIST = 1_000;
