/** Where the platforms keep media; from nowhere else are they fetched, but blobs that prove by their address what they are. */
export const MEDIA_HOSTS = ['pbs.twimg.com', 'video.twimg.com', 'cdn.bsky.app', 'video.bsky.app'] as const;
