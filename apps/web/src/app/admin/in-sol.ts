import { formatAmount } from '@archive/solana/price';
import { formatCount } from '../../lib/format.ts';

const SOL_DECIMALS = 9;
const SHOWN_DECIMALS = 4;

/** Lamports as SOL, rounded for reading. */
export function inSol(lamports: string): string {
  const shown = BigInt(lamports) / 10n ** BigInt(SOL_DECIMALS - SHOWN_DECIMALS);
  const [whole = '', part] = formatAmount(shown, SHOWN_DECIMALS).split('.');
  const count = formatCount(Number(whole));
  return part === undefined ? count : `${count}.${part}`;
}
