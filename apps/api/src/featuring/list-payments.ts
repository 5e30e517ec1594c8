import type { AnswerOf, ParsedOf } from '@archive/contracts';
import type { Featuring } from './featuring.ts';
import { toAdminPayment } from './payment-document.ts';

const PAGE = 50;

/** Payments and credits of all wallets, newest first. */
export async function listPayments(
  { featuring }: { featuring: Pick<Featuring, 'payments'> },
  { state, payer, after }: ParsedOf<'listPayments'>['query'],
): Promise<AnswerOf<'listPayments'>> {
  const found = await featuring.payments.list({ state, payer, after }, PAGE + 1);
  const shown = found.slice(0, PAGE);
  const last = shown.at(-1);
  const next = last && found.length > PAGE ? `${last.createdAt.getTime()}_${last._id}` : null;
  return { data: shown.map(toAdminPayment), next };
}
