/** How a post came into the archive. */
export const WAYS_IN = ['mention', 'save', 'ingest', 'import'] as const;

/** What it was taken from. */
export const CAPTURE_METHODS = ['x-api', 'bluesky', 'import', 'ingest'] as const;

/** Of a post that another one answers or quotes: kept here, or why it is not. */
export const REFERENCE_STATES = ['kept', 'deleted', 'protected', 'unknown'] as const;
