import { setTimeout as delay } from 'node:timers/promises';
import { REACTION_TYPES, type ReactionType } from '@archive/contracts';
import { call, type Product } from '@archive/testing';
import { seeded } from '@archive/testing/generate-posts';
import { Stage } from './stage.ts';
import { reactionsTo, Visitor } from './visitor.ts';

const POSTS = 5;
const VISITORS = 8;
const LEAST_ACKNOWLEDGED = 6;

interface Bio {
  acknowledged: number;
  sent: number;
}

export interface ReactionKillReport {
  trials: number;
  acknowledged: number;
  /** As text: acknowledged changes that are missing, and counts that differ from the rows. */
  wrong: string[];
}

/**
 * Reacts and changes profiles from several wallets at once, and kills the API or the engine (kill -9) meanwhile. Then
 * checks that everything acknowledged is stored, and that every count equals the rows.
 */
export async function runReactionKills(options: {
  trials: number;
  seed: number;
  onTrial?: (line: string) => void;
}): Promise<ReactionKillReport> {
  const random = seeded(options.seed);
  const report: ReactionKillReport = { trials: 0, acknowledged: 0, wrong: [] };
  const stage = await Stage.open({ posts: POSTS });
  const { product } = stage;
  try {
    const posts = Array.from({ length: POSTS }, () => stage.takePost());
    const visitors = await Promise.all(Array.from({ length: VISITORS }, () => Visitor.open(product)));
    /** The last answer to each wallet; null if it is unknown because the answer never came. */
    const told = new Map<string, boolean | null>();
    const bios = visitors.map((): Bio => ({ acknowledged: 0, sent: 0 }));
    for (; report.trials < options.trials; report.trials++) {
      const victim = report.trials % 2 ? 'database' : 'API';
      let isOver = false;
      const act = async (visitor: Visitor, index: number) => {
        const bio = bios[index] as Bio;
        for (let step = 0; !isOver; step++) {
          const post = posts[Math.floor(random() * POSTS)] as string;
          const type = REACTION_TYPES[Math.floor(random() * 3)] as ReactionType;
          const key = `${index} ${post} ${type}`;
          const isOn = random() < 0.5;
          if (step % 4 === 0) {
            bio.sent++;
            const settings = { bio: String(bio.sent) };
            const { status } = await call(product, 'PUT', '/amber/auth/profile', visitor.token, settings);
            if (status === 0) return;
            if (status === 200) bio.acknowledged = bio.sent;
          } else {
            told.set(key, null);
            const { status } = await visitor.set(post, type, isOn);
            if (status !== 200) return;
            told.set(key, isOn);
          }
          report.acknowledged++;
        }
      };
      const work = visitors.map(act);
      const before = report.acknowledged;
      await delay(50 + random() * 250);
      // Also on a slow machine the kill happens during the work, not before it.
      while (report.acknowledged - before < LEAST_ACKNOWLEDGED) await delay(5);
      const killed = product.kill(victim);
      await delay(20);
      isOver = true;
      await Promise.all(work);
      await killed;
      await product.recover();
      report.wrong.push(...(await compare(product, posts, visitors, told, bios)));
      options.onTrial?.(
        `trial ${report.trials + 1}: killed the ${victim}; ${report.acknowledged} changes acknowledged so far, ${report.wrong.length} wrong`,
      );
    }
  } finally {
    await stage.close();
  }
  return report;
}

async function compare(
  product: Product,
  posts: string[],
  visitors: Visitor[],
  told: Map<string, boolean | null>,
  bios: Bio[],
): Promise<string[]> {
  const wrong: string[] = [];
  for (const post of posts) {
    const counted = { heart: 0, thumbsUp: 0, thumbsDown: 0 };
    for (const [index, visitor] of visitors.entries()) {
      const { userReactions } = await reactionsTo(product, post, visitor.address);
      for (const type of REACTION_TYPES) {
        const key = `${index} ${post} ${type}`;
        const isOn = userReactions.includes(type);
        if (isOn) counted[type]++;
        const wanted = told.get(key);
        if (wanted === true && !isOn) wrong.push(`${key} was acknowledged and is gone`);
        if (wanted === false && isOn) wrong.push(`${key} was taken back and is there`);
        told.set(key, isOn);
      }
    }
    const { userReactions: _none, ...counts } = await reactionsTo(product, post);
    if (JSON.stringify(counts) !== JSON.stringify(counted)) {
      wrong.push(`${post}: counts ${JSON.stringify(counts)}, rows ${JSON.stringify(counted)}`);
    }
  }
  for (const [index, { token }] of visitors.entries()) {
    const { body } = await call(product, 'GET', '/amber/auth/me', token);
    const bio = Number(body.profileSettings.bio);
    const { acknowledged, sent } = bios[index] as Bio;
    if (bio < acknowledged || bio > sent) wrong.push(`profile ${index}: ${bio}, acknowledged ${acknowledged}`);
  }
  return wrong;
}
