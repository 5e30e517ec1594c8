/** How a post came into the archive. */
export const WAYS_IN = ['mention', 'save', 'ingest', 'import'] as const;

/** The source from which a post was captured. */
export const CAPTURE_METHODS = ['x-api', 'bluesky', 'import', 'ingest'] as const;

/** State of a post that another one answers or quotes: kept here, or why not. */
export const REFERENCE_STATES = ['kept', 'deleted', 'protected', 'unknown'] as const;

/** Kinds of media in a post. */
export const MEDIA_TYPES = ['image', 'gif', 'video'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

/** State of a kept post at its platform, at the last check. */
export const SOURCE_STATES = ['live', 'edited', 'deleted', 'protected', 'unknown'] as const;
