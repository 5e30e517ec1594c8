import { formatAmount } from '@archive/solana/price';
import { formatCount } from '../../lib/format.ts';

const SOL_DECIMALS = 9;
const SHOWN_DECIMALS = 4;

/** Lamports in SOL, as far as anybody looks. */
export function inSol(lamports: string): string {
  const [whole = '', part = ''] = formatAmount(BigInt(lamports), SOL_DECIMALS).split('.');
  const shown = part.slice(0, SHOWN_DECIMALS).replace(/0+$/, '');
  const count = formatCount(Number(whole));
  return shown === '' ? count : `${count}.${shown}`;
}
