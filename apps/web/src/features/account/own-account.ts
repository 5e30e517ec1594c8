import { buildDeletionMessage, ENDPOINTS, PRODUCT_SLUG } from '@archive/contracts';
import bs58 from 'bs58';
import { callApi } from '../../lib/api.ts';
import { signText, withToken } from '../../wallet/session.ts';
import { PlainError } from '../../wallet/wallet-errors.ts';
import { walletState } from '../../wallet/wallet-store.ts';

/** Downloads all stored data of the signed-in person as a file. Resolves to false if the download failed. */
export function downloadAccount(): Promise<boolean> {
  return withToken(async (token) => {
    const answer = await fetch(ENDPOINTS.exportAccount.path, { headers: { Authorization: `Bearer ${token}` } });
    if (!answer.ok) throw new Error(`the answer was ${answer.status}`);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await answer.blob());
    link.download = `${PRODUCT_SLUG}-account.json`;
    link.click();
    // After a minute the browser has started to save the file.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  });
}

/** Asks the wallet to sign the deletion of its account, then deletes the account. `domain` is the archive's domain. */
export async function deleteOwnAccount(domain: string): Promise<void> {
  const { user } = walletState();
  if (user === null) throw new PlainError('Please sign in.');
  const { walletAddress } = user;
  const nonce = crypto.randomUUID();
  const fields = { action: 'deleteAccount', walletAddress, timestamp: Date.now(), domain, nonce } as const;
  const message = buildDeletionMessage(fields);
  const signature = bs58.encode(await signText(message));
  await callApi('deleteAccount', { body: { walletAddress, message, signature } });
}
