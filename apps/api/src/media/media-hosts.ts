import { MEDIA_HOSTS as BY_PLATFORM } from '@archive/contracts';

/** Media hosts of the platforms. Media come only from these, except blobs whose address contains their hash. */
export const MEDIA_HOSTS: readonly string[] = Object.values(BY_PLATFORM).flat();
