import type { Adapter } from '@solana/wallet-adapter-base';
import { useEffect, useId, useState } from 'react';
import { monogram } from '../lib/monogram.ts';
import { useNewest } from '../lib/use-newest.ts';
import { Button } from '../ui/button.tsx';
import { ChevronDownIcon, OutIcon } from '../ui/icons.tsx';
import { ShieldIcon } from '../ui/later-icons.tsx';
import { Modal } from '../ui/modal.tsx';
import { Notice } from '../ui/notice.tsx';
import { browserKind } from './browser-kind.ts';
import { KNOWN_WALLETS, type KnownWallet, LOCAL_WALLET_NAME } from './known-wallets.ts';
import { abandonSignIn } from './session.ts';
import styles from './wallet-dialog.module.css';
import { isRefusal, NO_WALLET_APP, signInSentence } from './wallet-errors.ts';

const DETECTION_MS = 1000;

interface WalletDialogProps {
  adapters: readonly Adapter[];
  onChoose: (adapter: Adapter) => Promise<void>;
  onClose: () => void;
}

export function WalletDialog({ adapters, onChoose, onClose }: WalletDialogProps) {
  const [waitingFor, setWaitingFor] = useState<string | null>(null);
  const [failure, setFailure] = useState<{ title: string; isRefused: boolean } | null>(null);
  const [isDone, setIsDone] = useState(false);
  const kind = browserKind(navigator.userAgent, navigator.maxTouchPoints);
  usePolledDetection();

  const detected = adapters
    .filter(({ readyState }) => readyState === 'Installed')
    .toSorted((a, b) => Number(a.name === LOCAL_WALLET_NAME) - Number(b.name === LOCAL_WALLET_NAME));
  // A wallet app on Android: it connects only when it is asked.
  const loadable = adapters.filter(({ readyState }) => readyState === 'Loadable');
  const names = new Set(adapters.map(({ name }) => String(name)));
  const others = KNOWN_WALLETS.filter(({ name }) => !names.has(name));
  const hasWallets = detected.length > 0;

  // The dialog shows the result of the newest choice.
  const begin = useNewest();
  async function choose(adapter: Adapter) {
    const isNewest = begin();
    setFailure(null);
    setWaitingFor(adapter.name);
    try {
      await onChoose(adapter);
      if (isNewest()) setIsDone(true);
    } catch (error) {
      if (isNewest()) setFailure({ title: signInSentence(error), isRefused: isRefusal(error) });
    }
    if (isNewest()) setWaitingFor(null);
  }

  function abandon() {
    begin();
    if (waitingFor !== null) abandonSignIn(waitingFor);
    setWaitingFor(null);
  }

  const row = (adapter: Adapter) => (
    <li key={adapter.name}>
      <WalletRow
        adapter={adapter}
        label={label(adapter, waitingFor)}
        isDisabled={waitingFor !== null}
        onChoose={choose}
      />
    </li>
  );

  return (
    <Modal
      title={hasWallets ? 'Connect a wallet on Solana to continue' : "You'll need a wallet on Solana to continue"}
      size="narrow"
      onClose={onClose}
      isHeld={waitingFor !== null}
      isDone={isDone}
    >
      {failure !== null && (
        <div className={styles['failure']}>
          <Notice title={failure.title} {...(failure.isRefused ? {} : { detail: 'Nothing was sent.' })} />
        </div>
      )}
      {!hasWallets && <Advice kind={kind} />}
      {hasWallets && (
        <ul className={styles['wallets']} aria-label="Wallets">
          {detected.map(row)}
        </ul>
      )}
      <MoreOptions
        title={hasWallets ? 'More options' : 'Already have a wallet? View options'}
        startsOpen={!hasWallets && kind !== 'desktop'}
      >
        {loadable.map(row)}
        {others.map((wallet) => (
          <li key={wallet.name}>
            <KnownRow wallet={wallet} isBeside={kind !== 'desktop'} />
          </li>
        ))}
      </MoreOptions>
      <p className={styles['note']}>
        <ShieldIcon size={15} />
        You will sign a short message to prove the wallet is yours. Signing in never moves funds.
      </p>
      <div role="status" className={styles['waiting']}>
        {waitingFor !== null && (
          <>
            <p>Approve the request in {waitingFor}.</p>
            <Button look="plain" label="Cancel" onClick={abandon} />
          </>
        )}
      </div>
    </Modal>
  );
}

function label(adapter: Adapter, waitingFor: string | null): string {
  if (adapter.name === waitingFor) return 'Waiting';
  if (adapter.name === LOCAL_WALLET_NAME) return 'For trying out';
  return adapter.readyState === 'Installed' ? 'Detected' : '';
}

interface WalletRowProps {
  adapter: Adapter;
  label: string;
  isDisabled: boolean;
  onChoose: (adapter: Adapter) => Promise<void>;
}

function WalletRow({ adapter, label, isDisabled, onChoose }: WalletRowProps) {
  return (
    <button
      type="button"
      className={styles['wallet']}
      // `aria-disabled`, because `disabled` would remove the focus.
      aria-disabled={isDisabled}
      onClick={() => {
        if (!isDisabled) void onChoose(adapter);
      }}
    >
      <Tile name={adapter.name} icon={adapter.icon} />
      <span className={styles['name']}>
        {adapter.name}
        {adapter.name === LOCAL_WALLET_NAME && (
          <span className={styles['hint']}>A practice wallet. Its key is kept in this browser, unprotected.</span>
        )}
      </span>
      {label !== '' && (
        <span className={styles['label']} data-tone={label === 'Detected' ? 'good' : 'plain'}>
          {label}
        </span>
      )}
    </button>
  );
}

/** A wallet that is not installed: a link to its site, or on a phone into its own browser. */
function KnownRow({ wallet, isBeside }: { wallet: KnownWallet; isBeside: boolean }) {
  const { name, site, browse } = wallet;
  if (isBeside && browse !== undefined) {
    // In the same tab, because in-app browsers open no other.
    return (
      <a className={styles['wallet']} href={browse(window.location.href, window.location.origin)}>
        <Tile name={name} />
        <span className={styles['name']}>Open in {name}</span>
      </a>
    );
  }
  return (
    <a className={styles['wallet']} href={site} target="_blank" rel="noopener noreferrer">
      <Tile name={name} />
      <span className={styles['name']}>{name}</span>
      <span className={styles['out']}>
        <span className="visually-hidden">, to its site in a new tab</span>
        <OutIcon size={13} />
      </span>
    </a>
  );
}

function Tile({ name, icon }: { name: string; icon?: string }) {
  const [failed, setFailed] = useState(false);
  const { letter, tone } = monogram(name, name);
  return (
    <span className={styles['tile']} style={{ background: `var(--mono-${tone})` }} aria-hidden="true">
      {icon?.startsWith('data:image/') && !failed ? (
        <img src={icon} alt="" width={34} height={34} onError={() => setFailed(true)} />
      ) : (
        letter
      )}
    </span>
  );
}

function MoreOptions({
  title,
  startsOpen,
  children,
}: {
  title: string;
  startsOpen: boolean;
  children: React.ReactNode;
}) {
  const [isOpen, setIsOpen] = useState(startsOpen);
  const listId = useId();
  return (
    <div className={styles['more']}>
      <button
        type="button"
        className={styles['moreButton']}
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => setIsOpen(!isOpen)}
      >
        {title}
        <ChevronDownIcon size={14} />
      </button>
      <ul id={listId} className={styles['wallets']} hidden={!isOpen}>
        {children}
      </ul>
    </div>
  );
}

function Advice({ kind }: { kind: ReturnType<typeof browserKind> }) {
  return (
    <p className={styles['text']}>
      {kind === 'in-app' &&
        "This browser is incompatible with wallets. Open this page in your phone's own browser, or in your wallet's."}
      {kind === 'ios' && 'A compatible wallet app must be installed. Open this page in its own browser to sign in.'}
      {kind === 'android' && NO_WALLET_APP}
      {kind === 'desktop' &&
        'A wallet proves who you are by signing a message; it costs nothing and sends nothing. Install one, then come back here.'}
    </p>
  );
}

/** Some wallets appear or disappear without an event, so the list renders again every second. */
function usePolledDetection(): void {
  const [, redraw] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => redraw((count) => count + 1), DETECTION_MS);
    return () => clearInterval(timer);
  }, []);
}
