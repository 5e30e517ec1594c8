import { parseUrl } from '@archive/contracts';
import { z } from 'zod';
import type { Refuse } from './secret-files.ts';

/** Storage of media, and the largest file. */
export interface MediaSettings {
  maxBytes: number;
  /** In a UTC day, for all requests to save together. */
  dayBytes: number;
  /** An S3-compatible store; null for files in the data directory. */
  s3: { endpoint: string; bucket: string; key: string; secret: string; region: string } | null;
}

/** The environment variables for media. */
export const MEDIA_SHAPE = {
  MEDIA_MAX_MB: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'must be a whole number of megabytes, 1 to 999')
    .default('25')
    .transform(Number),
  MEDIA_MB_PER_DAY: z
    .string()
    .regex(/^[1-9]\d{0,6}$/, 'must be a whole number of megabytes, 1 to 9999999')
    .default('8000')
    .transform(Number),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .refine((value) => !parseUrl(value)?.username, 'must not hold a user name or password')
    .optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  S3_KEY: z.string().optional(),
  S3_SECRET: z.string().optional(),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,50}$/, 'must be the name of a region')
    .default('auto'),
};

const STORE = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_KEY', 'S3_SECRET'] as const;

/** Refuses an incomplete S3 store. */
export function mediaSettings(value: z.output<z.ZodObject<typeof MEDIA_SHAPE>>, refuse: Refuse): MediaSettings {
  const limits = { maxBytes: value.MEDIA_MAX_MB * 1_000_000, dayBytes: value.MEDIA_MB_PER_DAY * 1_000_000 };
  if (STORE.every((name) => value[name] === undefined)) return { ...limits, s3: null };
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_KEY: key, S3_SECRET: secret, S3_REGION: region } = value;
  if (!endpoint || !bucket || !key || !secret) {
    const missing = STORE.filter((name) => !value[name]);
    refuse(`${STORE.join(', ')} must be set together; not set: ${missing.join(', ')}`);
    return { ...limits, s3: null };
  }
  return { ...limits, s3: { endpoint, bucket, key, secret, region } };
}
