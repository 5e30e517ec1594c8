import type { OutboundReason } from '../outbound/outbound-refusal.ts';
import type { ContentsRefusal } from './media-contents.ts';

/**
 * Why a file is not kept: what stopped it on its way, what its bytes are; `blocked` by an operator; `other_bytes` than those
 * its address is made of; `other_kind`, as a picture where a video should be; `disk_short`, less is left than `DISK_FLOOR`;
 * `day_spent`, who asks has no bytes left of the day.
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
  /** Whether asking again may help. */
  retry: boolean;
}

export function refused(reason: MediaReason, retry = false): MediaRefusal {
  return { refused: reason, retry };
}

export function isRefusal<T extends object>(result: T | MediaRefusal): result is MediaRefusal {
  return 'refused' in result;
}
