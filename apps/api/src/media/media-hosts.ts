import { MEDIA_HOSTS as BY_PLATFORM } from '@archive/contracts';

/** Where the platforms keep media; from nowhere else are they fetched, but blobs that prove by their address what they are. */
export const MEDIA_HOSTS: readonly string[] = Object.values(BY_PLATFORM).flat();
