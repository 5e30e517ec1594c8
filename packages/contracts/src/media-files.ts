/** What is kept of a post's media, by what the bytes say. No SVG: it is a program. */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const;
export const MEDIA_FILE_TYPES = [...PICTURE_TYPES, 'video/mp4'] as const;

export type PictureType = (typeof PICTURE_TYPES)[number];
export type MediaFileType = (typeof MEDIA_FILE_TYPES)[number];

/** Where a kept file is served, by the SHA-256 of its bytes in hexadecimal digits. */
export function mediaPath(sha256: string): string {
  return `/media/${sha256}`;
}

/** Where the small WebP of a kept picture is served; of a video there is none, its poster is a picture of its own. */
export function mediaPreviewPath(sha256: string): string {
  return `${mediaPath(sha256)}/preview`;
}
