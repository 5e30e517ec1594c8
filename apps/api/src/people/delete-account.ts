import type { Accounts } from '../accounts/accounts.ts';
import { checkSignedMessage, requireSame, spendSignedMessage } from '../accounts/signed-message.ts';
import type { SignedText } from '../accounts/signed-text.ts';
import type { Base } from '../base.ts';
import type { People } from './people.ts';

type Needs = Pick<Base, 'config' | 'database' | 'ledger'> & {
  accounts: Pick<Accounts, 'signedMessages' | 'deletions'>;
  people: Pick<People, 'kept'>;
};

/**
 * Deletes the account of the signing wallet. Calls `onProven` once the signature is verified. A repeated request
 * deletes again.
 */
export async function deleteAccount(context: Needs, input: SignedText, onProven: () => Promise<void>): Promise<void> {
  const message = checkSignedMessage(context, input, 'deleteAccount');
  await onProven();
  // A deletion cannot be undone, so the message must name this archive.
  requireSame('domain', message.domain ?? null, context.config.publicUrl.host);
  for (const unused of ['reactionType', 'archiveId', 'profileData'] as const)
    requireSame(unused, message[unused] ?? null, null);
  const wallet = input.walletAddress;
  await spendSignedMessage(context, input.message, message, `${wallet} account`);
  const deletedAt = context.database.clock.now();
  await context.ledger.record({ kind: 'account-deleted', wallet, deletedAt });
  await context.accounts.deletions.begin(wallet, deletedAt);
  await context.people.kept.forget(wallet, deletedAt);
}
