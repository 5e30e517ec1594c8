import type { OutboundReason } from '../outbound/outbound-refusal.ts';
import type { ContentsRefusal } from './media-contents.ts';

/**
 * Why a file is not stored: a refused fetch, or refused contents; `blocked` by an operator; `other_bytes` than its
 * address names; `other_kind`, such as a picture for a video; `disk_short`, less free space than `DISK_FLOOR`;
 * `day_spent`, the payer has no bytes left today.
 */
export type MediaReason =
  | OutboundReason
  | ContentsRefusal
  | 'blocked'
  | 'other_bytes'
  | 'other_kind'
  | 'disk_short'
  | 'day_spent';

export interface MediaRefusal {
  refused: MediaReason;
  /** Whether another attempt may help. */
  retry: boolean;
}

export function refused(reason: MediaReason, retry = false): MediaRefusal {
  return { refused: reason, retry };
}

export function isRefusal<T extends object>(result: T | MediaRefusal): result is MediaRefusal {
  return 'refused' in result;
}
