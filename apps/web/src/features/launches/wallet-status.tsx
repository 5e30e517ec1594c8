import { shorten } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { AlertIcon, CheckIcon } from '../../ui/icons.tsx';
import { openWalletDialog, useWalletState } from '../../wallet/wallet-store.ts';
import styles from './launch-form.module.css';
import { CONNECT_FIRST, SIGN_IN_FIRST } from './launch-words.ts';

/** Whether the wallet can sign, and what to do if it cannot. */
export function WalletStatus() {
  const { wallet, user, restoring, isWalletExpected } = useWalletState();
  const isExpected = restoring !== null || (wallet === null && isWalletExpected);
  if (isExpected) return <p className={styles['wallet']}>Connecting your wallet...</p>;
  if (wallet !== null && user !== null) {
    return (
      <p className={styles['wallet']} data-state="ready">
        <CheckIcon />
        <span>Wallet connected</span>
        <span className={styles['address']} title={wallet.address}>
          {shorten(wallet.address)}
        </span>
      </p>
    );
  }
  return (
    <div className={styles['wallet']}>
      <AlertIcon />
      <p>{wallet === null ? CONNECT_FIRST : SIGN_IN_FIRST}</p>
      <Button look="plain" label={wallet === null ? 'Connect wallet' : 'Sign in'} onClick={openWalletDialog} />
    </div>
  );
}
