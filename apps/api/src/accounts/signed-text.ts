import { decodeSignature, isUsableAddress } from '@archive/solana/verify';
import { AppError } from '../app-error.ts';

export interface SignedText {
  walletAddress: string;
  message: string;
  signature: string;
}

/** Refuses anything but the canonical address of a key that can sign. */
export function requireAddress(walletAddress: string): void {
  if (isUsableAddress(walletAddress)) return;
  throw new AppError('invalid_request', 'The field walletAddress must be a wallet address.', {
    errors: [{ path: 'walletAddress', message: 'must be a wallet address' }],
  });
}

/** Checks for 64 bytes in base58 or base64, before any query. */
export function requireSignatureForm(signature: string): void {
  if (decodeSignature(signature)) return;
  throw new AppError('invalid_request', 'The field signature must be 64 bytes in base58 or base64.', {
    errors: [{ path: 'signature', message: 'must be 64 bytes in base58 or base64' }],
  });
}
