import { join } from 'node:path';
import type { Post } from '@archive/contracts';
import { Payer } from '@archive/testing';
import { readConfig } from '../src/config.ts';
import { createContext } from '../src/context.ts';
import { spendCredits } from '../src/featuring/spend-credits.ts';
import { verifyFeature } from '../src/featuring/verify-feature.ts';
import { Stage } from './stage.ts';

const WORKER = join(import.meta.dirname, '../dist/worker.js');
/** Rounds per lot. After a lot the chain is made final, and the losers use their credits. */
const ROUNDS_PER_LOT = 50;
const FINAL_SLOTS = 40;

/**
 * Two wallets pay for one post and report it at the same moment, again and again: exactly one payment features the
 * post, and the other becomes a credit that features another post. It runs the server's own parts on a real database
 * and chain. Returns the errors as text.
 */
export async function runPaymentRaces(rounds: number, onLot: (line: string) => void): Promise<string[]> {
  const stage = await Stage.open({ solana: { slotMs: 0 }, posts: rounds * 2 });
  const { product } = stage;
  const { solana } = product;
  await product.kill('API');
  const context = await createContext(readConfig(product.env), WORKER);
  const wrong: string[] = [];
  try {
    await context.posts.follower.start();
    await context.featuring.offer.start();
    const { chain, featuring } = context;
    const { payments, watcher } = featuring;
    const offer = featuring.offer.require();
    if (!chain || !watcher) throw new Error('there is no chain');
    const payers = [await Payer.open(solana, undefined, '100000'), await Payer.open(solana, undefined, '100000')];
    for (let round = 0; round < rounds; ) {
      const losers: Payer[] = [];
      for (const end = Math.min(rounds, round + ROUNDS_PER_LOT); round < end; round++) {
        const amberId = stage.takePost();
        const signatures: string[] = [];
        for (const payer of payers) signatures.push(await payer.send(await payer.build(amberId)));
        await solana.control.advance(1);
        const report = ({ wallet }: Payer, index: number): Promise<Post | null> =>
          verifyFeature(context, chain, offer, {
            wallet: wallet.address,
            network: '127.0.0.0/24',
            amberId,
            signature: signatures[index] as string,
          });
        const answers = await Promise.allSettled(payers.map(report));
        const won = answers.findIndex(({ status }) => status === 'fulfilled');
        const states = await Promise.all(signatures.map((signature) => payments.find(signature)));
        const lost = states[1 - won];
        const featuredBy = await context.posts.store.find(amberId);
        const isRight =
          answers.filter(({ status }) => status === 'fulfilled').length === 1 &&
          states[won]?.state === 'applied' &&
          lost?.state === 'credit' &&
          lost.reason === 'already_featured' &&
          featuredBy !== null &&
          'featuredPayment' in featuredBy &&
          featuredBy.featuredPayment === signatures[won];
        if (!isRight) wrong.push(`round ${round + 1}: ${states.map((one) => one?.state ?? 'unknown').join(' and ')}`);
        losers.push(payers[1 - won] as Payer);
      }
      await solana.control.advance(FINAL_SLOTS);
      await watcher.look();
      for (const { wallet } of losers) {
        const used = await spendCredits(context, offer, wallet.address, stage.takePost()).catch(
          (error: Error) => error,
        );
        if (used instanceof Error || !used.featured) wrong.push(`a credit could not be used: ${String(used)}`);
      }
      onLot(`${round} rounds of two payers, ${wrong.length} wrong`);
    }
    const left = await payments.payments.countDocuments({ state: 'credit', usedOn: null });
    if (left > 0) wrong.push(`${left} credits are left`);
  } finally {
    await context.background.stop();
    await stage.close();
  }
  return wrong;
}
