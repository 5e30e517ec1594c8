/** How a post came into the archive. */
export const WAYS_IN = ['mention', 'save', 'ingest', 'import'] as const;

/** What it was taken from. */
export const CAPTURE_METHODS = ['x-api', 'bluesky', 'import', 'ingest'] as const;

/** Of a post that another one answers or quotes: kept here, or why it is not. */
export const REFERENCE_STATES = ['kept', 'deleted', 'protected', 'unknown'] as const;

/** What stands in a post besides its words. */
export const MEDIA_TYPES = ['image', 'gif', 'video'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

/** Of a kept post at its platform, when it was looked at last. */
export const SOURCE_STATES = ['live', 'edited', 'deleted', 'protected', 'unknown'] as const;
