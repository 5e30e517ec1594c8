import { expect, test } from '@jest/globals';
import { ERROR_STATUS } from './errors.ts';

/** Written by hand, because other programs depend on these codes. */
const CODES: Record<number, string> = {
  400: 'invalid_json invalid_request message_expired',
  401: 'challenge_invalid signature_invalid unauthorized',
  403: 'forbidden launch_not_allowed save_declined sign_in_again wallet_suspended',
  404: 'not_found post_hidden post_not_found',
  409: `
    account_deleting already_decided already_featured already_launched launch_under_way message_replayed
    payment_credited payment_used save_refused selection_changed too_many
  `,
  410: 'cursor_gone post_removed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  416: 'range_not_satisfiable',
  422: 'not_enough_credit payment_not_found payment_refused payment_too_little refund_refused',
  429: 'rate_limited',
  451: 'post_withheld',
  500: 'internal_error',
  503: `
    audit_unavailable chain_unavailable database_unavailable featuring_unavailable launch_failed
    launching_unavailable ledger_unavailable metadata_unavailable overloaded push_unavailable saving_unavailable
    search_unavailable starting
  `,
};

test('each code of a refusal is answered with its status', () => {
  const found: Record<number, string[]> = {};
  for (const [code, status] of Object.entries(ERROR_STATUS).toSorted())
    found[status] = [...(found[status] ?? []), code];
  const written = Object.entries(CODES).map(([status, codes]) => [status, codes.trim().split(/\s+/)]);
  expect(found).toEqual(Object.fromEntries(written));
});
