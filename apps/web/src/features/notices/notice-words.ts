import { SAVE_REASONS, type SaveReason } from '@archive/contracts';

/** Why a save request failed. */
export function failedWords(reason: string | null): string {
  return reason !== null && reason in SAVE_REASONS ? SAVE_REASONS[reason as SaveReason] : 'It could not be saved.';
}
