import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Archive } from '@archive/contracts';
import { openEmbeddedMongo } from '@archive/embedded-mongo';
import { openLocalSolana } from '@archive/local-solana';
import { readConfig } from '../src/config.ts';
import { createContext } from '../src/context.ts';
import { useCredits } from '../src/featuring/use-credits.ts';
import { verifyFeature } from '../src/featuring/verify-feature.ts';
import { ingestPosts } from '../src/ingest/ingest-posts.ts';
import { featureEnv, Payer } from '../tests/_payer.ts';
import { generatePosts } from './generate-posts.ts';

/** Rounds after which the chain is made final and the losers use what they have. */
const ROUNDS_PER_LOT = 50;
const FINAL_SLOTS = 40;

/**
 * Two wallets pay for one post and report it at the same moment, again and again: exactly one payment features the post,
 * and the other is a credit that features another post. In the server's own parts over a real database and chain; in words
 * what went otherwise.
 */
export async function runDuels(rounds: number, dist: string, onLot: (line: string) => void): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'duels-'));
  const mongo = await openEmbeddedMongo({ directory: join(folder, 'mongo'), cacheMegabytes: 256 });
  const solana = await openLocalSolana({ slotMs: 0 });
  const config = readConfig({
    ...featureEnv(solana),
    MONGODB_URI: mongo.uri,
    DATA_DIR: folder,
    PORT: '0',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'silent',
  });
  const context = await createContext(config, join(dist, 'worker.js'));
  const wrong: string[] = [];
  try {
    await context.follower.start();
    await context.desk.open();
    const { archives, chain, desk, follower, payments, watcher } = context;
    const offer = desk.require();
    if (!chain || !watcher) throw new Error('there is no chain');
    // As an agent sends them.
    const posts = JSON.parse(JSON.stringify([...generatePosts(rounds * 3, 17)])) as object[];
    for (let at = 0; at < posts.length; at += 500) {
      await ingestPosts({ archives, take: (created) => follower.take(created) }, posts.slice(at, at + 500));
    }
    const kept = await context.database.db
      .collection('posts')
      .find({}, { projection: { _id: 1 } })
      .toArray();
    const ids = kept.map(({ _id }) => _id.toHexString());
    const payers = [await Payer.open(solana, undefined, '100000'), await Payer.open(solana, undefined, '100000')];
    for (let round = 0; round < rounds; ) {
      const losers: Payer[] = [];
      for (const end = Math.min(rounds, round + ROUNDS_PER_LOT); round < end; round++) {
        const amberId = ids[round] as string;
        const signatures: string[] = [];
        for (const payer of payers) signatures.push(await payer.send(await payer.build(amberId)));
        await solana.control.advance(1);
        const report = ({ wallet }: Payer, index: number): Promise<Archive | null> =>
          verifyFeature(context, chain, offer, {
            wallet: wallet.address,
            amberId,
            signature: signatures[index] as string,
          });
        const answers = await Promise.allSettled(payers.map(report));
        const won = answers.findIndex(({ status }) => status === 'fulfilled');
        const states = await Promise.all(signatures.map((signature) => payments.find(signature)));
        const lost = states[1 - won];
        const featuredBy = await archives.find(amberId);
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
      await watcher.look(offer);
      for (const [index, { wallet }] of losers.entries()) {
        const target = ids[rounds + round - losers.length + index] as string;
        const used = await useCredits(context, offer, wallet.address, target).catch((error: Error) => error);
        if (used instanceof Error || !used.featured) wrong.push(`a credit could not be used: ${String(used)}`);
      }
      onLot(`${round} rounds of two payers, ${wrong.length} wrong`);
    }
    const left = await payments.payments.countDocuments({ state: 'credit', usedOn: null });
    if (left > 0) wrong.push(`${left} credits are left`);
  } finally {
    await context.close();
    await solana.close();
    await mongo.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return wrong;
}
