import { type GivenReaction, isLaunched, type TokenLaunch, type User } from '@archive/contracts';
import type { ReactNode } from 'react';
import { formatCount } from '../../lib/format.ts';
import { Avatar } from '../../ui/avatar.tsx';
import buttons from '../../ui/button.module.css';
import { CopyButton } from '../../ui/copy-button.tsx';
import { LeaveIcon } from '../../ui/later-icons.tsx';
import { Panel } from '../../ui/panel.tsx';
import styles from './dashboard.module.css';
import { GivenReactions } from './given-reactions.tsx';
import { LaunchedTokens } from './launched-tokens.tsx';
import { ProfileSettings } from './profile-settings.tsx';

interface DashboardProps {
  user: User;
  /** Reactions and launches of this person, newest first; undefined while loading. */
  given: readonly GivenReaction[] | undefined;
  launches: readonly TokenLaunch[] | undefined;
  hasFailed: { given: boolean; launches: boolean };
  onLogout: () => void;
  /** The wallet's credits, first in the narrow column. */
  credits: ReactNode;
  /** Panels of other features, first in the wide column. */
  kept: ReactNode;
  /** The switches for notices. */
  notices: ReactNode;
  /** The panel about the account, last in the narrow column. */
  account: ReactNode;
}

export function Dashboard({
  user,
  given,
  launches,
  hasFailed,
  onLogout,
  credits,
  kept,
  notices,
  account,
}: DashboardProps) {
  const { displayName, bio } = user.profileSettings;
  const launched = launches?.filter(({ status }) => isLaunched(status)).length;
  return (
    <>
      <header className={styles['head']}>
        <Avatar name={displayName || user.walletAddress} handle={user.walletAddress} address={null} size={76} />
        <div className={styles['who']}>
          <h1 data-page-title tabIndex={-1}>
            {displayName === '' ? 'Dashboard' : <bdi>{displayName}</bdi>}
          </h1>
          {bio !== '' && (
            <p dir="auto" className={styles['bio']}>
              {bio}
            </p>
          )}
        </div>
        <button type="button" className={buttons['plain']} onClick={onLogout}>
          <LeaveIcon />
          Logout
        </button>
      </header>
      <dl className={styles['figures']}>
        <Figure label="Tokens Launched" count={launched} />
        <Figure label="Reactions Given" count={given?.length} />
        <Figure label="Total Interactions" count={sum(given?.length, launched)} />
      </dl>
      <div className={styles['columns']}>
        <div className={styles['column']}>
          {kept}
          <LaunchedTokens launches={launches} hasFailed={hasFailed.launches} />
          <GivenReactions given={given} hasFailed={hasFailed.given} />
          <section className={styles['soon']} aria-labelledby="soon-heading">
            <h2 id="soon-heading">
              AI wallet generation <span className="panel-note">coming soon</span>
            </h2>
            <p>A wallet made for you, for people who do not have one yet.</p>
          </section>
        </div>
        <div className={styles['column']}>
          {credits}
          <Panel title="Wallet information">
            <dl className={styles['facts']}>
              <div>
                <dt>Address</dt>
                <dd className={styles['address']}>
                  <span title={user.walletAddress}>{cutMiddle(user.walletAddress)}</span>
                  <CopyButton text={user.walletAddress} label="Copy wallet address" />
                </dd>
              </div>
              <div>
                <dt>Display name</dt>
                <dd>{displayName === '' ? 'Not set' : <bdi>{displayName}</bdi>}</dd>
              </div>
              <div>
                <dt>Bio</dt>
                <dd>{bio === '' ? 'Not set' : <bdi>{bio}</bdi>}</dd>
              </div>
            </dl>
          </Panel>
          <ProfileSettings key={user._id} user={user} notices={notices} />
          {account}
        </div>
      </div>
    </>
  );
}

/** Shortens an address to one line. The copy button beside it copies all of it. */
function cutMiddle(address: string): string {
  return address.length <= 21 ? address : `${address.slice(0, 12)}…${address.slice(-8)}`;
}

function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other;
}

function Figure({ label, count }: { label: string; count: number | undefined }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{count === undefined ? '–' : formatCount(count)}</dd>
    </div>
  );
}
