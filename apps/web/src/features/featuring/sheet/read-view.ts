import type { FeatureWallet, Post } from '@archive/contracts';
import type { ScopedMutator } from 'swr';
import { callApi } from '../../../lib/api.ts';
import { loadChunk } from '../../../lib/load-chunk.ts';
import { withTimeout } from '../../../lib/with-timeout.ts';
import { restoreSession, settledWallet } from '../../../wallet/session.ts';
import { PlainError } from '../../../wallet/wallet-errors.ts';
import { walletState } from '../../../wallet/wallet-store.ts';
import { CONNECT_FIRST, featureSentence } from '../payment/feature-errors.ts';
import { findEntry } from '../payment/payment-journal.ts';
import type { Offer } from '../payment/read-offer.ts';
import { showFeatured } from '../payment/show-featured.ts';

/** The states of the sheet before anything is signed. */
export type BeforeView =
  | { kind: 'checking' }
  | { kind: 'closed'; isStopped: boolean }
  | { kind: 'ready'; quote: FeatureWallet; offer: Offer; rpcUrl: string; askedAt: number; note: string | null }
  /** `isNew`: the wallet has never held this token. */
  | { kind: 'blocked'; quote: FeatureWallet | null; sentence: string; tokensFrom: string | null; isNew?: boolean }
  /** Featured by this or any other person. */
  | { kind: 'featured'; archive: Post };

export const loadChainPart = () => loadChunk(() => import('./chain-part.ts'));

/** Asks the server and the network for the current cost of featuring, and checks whether the wallet can pay. */
export async function readView(postId: string, mutate: ScopedMutator): Promise<BeforeView> {
  let quote: FeatureWallet | null = null;
  let rpcUrl: string | null = null;
  try {
    const payer = await signedInWallet();
    const [archive, asked, config] = await withTimeout(
      Promise.all([callApi('getArchive', { params: { id: postId } }), callApi('featureWallet'), callApi('config')]),
    );
    quote = asked;
    rpcUrl = config.rpcUrl;
    const begun = findEntry(payer, postId);
    if (archive.featured && begun === null) {
      await showFeatured(archive, mutate);
      return { kind: 'featured', archive };
    }
    if (rpcUrl === null || (!quote.enabled && begun === null)) return { kind: 'closed', isStopped: quote.stopped };
    const part = await loadChainPart();
    if (begun !== null) {
      // Resumes a payment that may still land, instead of building a second one.
      part.resumePayment(begun, rpcUrl, mutate).catch(() => {});
      return { kind: 'checking' };
    }
    if (walletState().wallet === null) throw new PlainError(CONNECT_FIRST);
    const offer = await part.readOffer(part.openConnection(rpcUrl), quote, { payer, postId });
    return { kind: 'ready', quote, offer, rpcUrl, askedAt: Date.now(), note: null };
  } catch (error) {
    const tokensFrom = quote?.network === 'localnet' && canBeHelped(error) ? rpcUrl : null;
    return {
      kind: 'blocked',
      quote,
      sentence: featureSentence(error),
      tokensFrom,
      isNew: codeOf(error) === 'invalid_account',
    };
  }
}

/** The signed-in wallet's address, after the session and the wallet are restored. */
async function signedInWallet(): Promise<string> {
  if (walletState().user === null) await restoreSession();
  await settledWallet();
  const { user } = walletState();
  if (user === null) throw new PlainError(CONNECT_FIRST);
  return user.walletAddress;
}

/** Whether more tokens or SOL would solve the problem. */
function canBeHelped(error: unknown): boolean {
  return ['insufficient_tokens', 'insufficient_sol', 'invalid_account'].includes(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && error.name === 'PaymentCheckError' && 'code' in error ? String(error.code) : '';
}
