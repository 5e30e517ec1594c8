/** Types of media files that the server keeps, detected from their bytes. No SVG, because it can contain scripts. */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const;
export const MEDIA_FILE_TYPES = [...PICTURE_TYPES, 'video/mp4'] as const;

export type PictureType = (typeof PICTURE_TYPES)[number];
export type MediaFileType = (typeof MEDIA_FILE_TYPES)[number];

/** Path of a kept file, by the SHA-256 of its bytes in hexadecimal digits. */
export function mediaPath(sha256: string): string {
  return `/media/${sha256}`;
}

/** Path of the small WebP of a kept picture. A video has none, because its poster is a picture of its own. */
export function mediaPreviewPath(sha256: string): string {
  return `${mediaPath(sha256)}/preview`;
}
