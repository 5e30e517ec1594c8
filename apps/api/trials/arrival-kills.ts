import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type LocalAccount, type LocalBluesky, type RecordRef, startLocalBluesky } from '@archive/local-bluesky';
import { type AgentProcess, startAgent } from '@archive/processes';
import { aPicture } from '@archive/testing/media';
import type { Document } from 'mongodb';
import pino from 'pino';
import { pick } from '../bench/archive-questions.ts';
import { seeded } from '../bench/generate-posts.ts';
import { FolderStore } from '../src/media/bytes/folder-store.ts';
import { MediaStore } from '../src/media/media-store.ts';
import { PREFIXES, sweepMedia } from '../src/media/sweep-media.ts';
import { Stage } from './stage.ts';

const PEOPLE = 6;
/** Of requests, those that ask for a post that another one asks for too. */
const SHARED = 0.3;
const ASKED_AT_ONCE = 3;
const SETTLE_TIMEOUT_MS = 300_000;
const HOURS_2_MS = 2 * 3_600_000;
/** Restarting all that was killed takes seconds; a request is under way for about two. */
const VICTIMS = ['agent', 'agent', 'API', 'database'] as const;

export interface ArrivalKillReport {
  requests: number;
  kills: Record<string, number>;
  byState: Record<string, number>;
  replies: number;
  files: number;
  wrong: string[];
}

interface Asked {
  mention: RecordRef;
  target: RecordRef;
  asker: LocalAccount;
}

/**
 * People on a local Bluesky network ask for posts, with pictures and without, while agent, API and engine are killed at
 * random moments. In the end each request has one end, each post is there once with all its pictures, who asked has one
 * answer, and no file is left over or missing.
 */
export async function runArrivalKills(options: {
  requests: number;
  kills: number;
  seed: number;
  onKill?: (line: string) => void;
}): Promise<ArrivalKillReport> {
  const random = seeded(options.seed);
  const report: ArrivalKillReport = { requests: 0, kills: {}, byState: {}, replies: 0, files: 0, wrong: [] };
  const network = await startLocalBluesky();
  const keeper = await network.createAccount();
  const stage = await Stage.open({ posts: 0, env: envOf(network, keeper) });
  const { product } = stage;
  const start = () => startAgent({ mongodbUri: product.mongo.uri, dataDir: product.folder, env: product.env });
  let agent: AgentProcess = start();
  const asked: Asked[] = [];
  try {
    const people = await Promise.all(Array.from({ length: PEOPLE }, () => network.createAccount()));
    const posts: RecordRef[] = [];
    const ask = async () => {
      while (asked.length < options.requests) {
        const target = posts.length > 0 && random() < SHARED ? pick(posts, random) : await post(pick(people, random));
        const asker = pick(people, random);
        // In the words of which an author too may ask.
        const text = `@${keeper.handle} save this`;
        const mention = await again(() => asker.post({ text, mentions: [keeper], quote: target }));
        posts.push(target);
        asked.push({ mention, target, asker });
      }
    };
    const post = async (author: LocalAccount) => {
      const picture = random() < 0.5 ? await aPicture({ width: 120, height: 90 }) : null;
      const images = picture && [{ bytes: picture, alt: 'a slope', width: 120, height: 90 }];
      return again(() => author.post({ text: `post ${Math.floor(random() * 1e9)}`, ...(images && { images }) }));
    };
    let isOver = false;
    const asking = Promise.all(Array.from({ length: ASKED_AT_ONCE }, ask)).finally(() => {
      isOver = true;
    });
    for (let kill = 0; kill < options.kills; kill++) {
      const victim = pick([...VICTIMS], random);
      await delay(100 + random() * 1_500);
      if (victim === 'agent') {
        agent.process.kill('SIGKILL');
        await agent.ended;
        agent = start();
      } else {
        await product.kill(victim);
        await product.recover();
      }
      // One that could not do without the database has ended by itself.
      if (agent.process.exitCode !== null) agent = start();
      report.kills[victim] = (report.kills[victim] ?? 0) + 1;
      if (kill % 10 === 9)
        options.onKill?.(`${kill + 1} kills, ${asked.length} requests${isOver ? ', all asked' : ''}`);
    }
    await asking;
    report.requests = asked.length;
    await settle(stage, asked.length, () => {
      if (agent.process.exitCode !== null) agent = start();
    });
    await judge(stage, asked, keeper, report);
  } finally {
    await agent.stop();
    await stage.close();
    await network.stop();
  }
  return report;
}

/** A server of accounts on a busy machine now and then takes no post. */
async function again<T>(write: () => Promise<T>, tries = 5): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (tries === 0) throw error;
    await delay(500);
    return again(write, tries - 1);
  }
}

function envOf(network: LocalBluesky, keeper: LocalAccount): NodeJS.ProcessEnv {
  const hosts = [network.service, network.appView, network.plc].map((url) => new URL(url).host);
  return {
    LOG_LEVEL: 'info',
    BLUESKY_SERVICE: network.service,
    BLUESKY_APPVIEW_URL: network.appView,
    BLUESKY_PLC_URL: network.plc,
    BLUESKY_IDENTIFIER: keeper.handle,
    BLUESKY_PASSWORD: keeper.appPassword,
    AGENT_REPLIES_PER_DAY: '100000',
    SOURCE_LOCAL_HOSTS: hosts.join(','),
  };
}

/** Until every request has come to its end and been answered. */
async function settle({ database }: Stage, requests: number, onLook: () => void): Promise<void> {
  const saves = database.db.collection('saves');
  for (const deadline = performance.now() + SETTLE_TIMEOUT_MS; performance.now() < deadline; await delay(500)) {
    onLook();
    const open = await saves.countDocuments({ $or: [{ state: { $nin: ['answered', 'failed'] } }, { reply: 'due' }] });
    if (open === 0 && (await saves.countDocuments()) >= requests) return;
  }
}

async function judge({ product, database }: Stage, asked: Asked[], keeper: LocalAccount, report: ArrivalKillReport) {
  const { wrong } = report;
  const { db } = database;
  const saves = await db.collection('saves').find().toArray();
  const byKey = new Map<string, Document[]>();
  for (const save of saves) byKey.set(save['key'], [...(byKey.get(save['key']) ?? []), save]);
  const replies = await repliesOf(keeper);
  for (const { mention, target } of asked) {
    const [save, ...more] = byKey.get(mention.uri) ?? [];
    if (!save || more.length > 0) {
      wrong.push(`${mention.uri} is ${save ? more.length + 1 : 0} requests`);
      continue;
    }
    report.byState[save['state']] = (report.byState[save['state']] ?? 0) + 1;
    if (save['state'] !== 'answered') wrong.push(`${mention.uri} ended as ${save['state']} (${save['reason']})`);
    const [, , did = '', , key] = target.uri.split('/');
    const id = `bsky-${did.replace('did:plc:', '')}-${key}`;
    const posts = await db.collection('posts').find({ ids: id }).toArray();
    if (posts.length !== 1) wrong.push(`${id} is there ${posts.length} times`);
    else if (!posts[0]?._id.equals(save['archiveId'])) wrong.push(`${mention.uri} tells of another post`);
    const answers = replies.get(mention.uri) ?? 0;
    if (answers !== 1) wrong.push(`${mention.uri} was answered ${answers} times`);
    report.replies += answers;
  }
  const ids = new Set(saves.map((save) => String(save['key'])));
  if (ids.size !== asked.length) wrong.push(`${ids.size} requests of ${asked.length} mentions`);
  await judgeMedia(product.folder, db, report);
}

/** How many replies of the keeper each post has. */
async function repliesOf(keeper: LocalAccount): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  let cursor: string | undefined;
  do {
    const params = { repo: keeper.did, collection: 'app.bsky.feed.post', limit: 100, ...(cursor && { cursor }) };
    const page = await keeper.call<Page>('com.atproto.repo.listRecords', { params });
    for (const { value } of page.records) {
      const to = value.reply?.parent.uri ?? 'nobody';
      found.set(to, (found.get(to) ?? 0) + 1);
    }
    cursor = page.records.length > 0 ? page.cursor : undefined;
  } while (cursor);
  return found;
}

interface Page {
  cursor?: string;
  records: { value: { reply?: { parent: { uri: string } } } }[];
}

/** After what is swept two hours later: each file is needed by a post that is there, and each that is needed is there. */
async function judgeMedia(folder: string, db: Stage['database']['db'], report: ArrivalKillReport): Promise<void> {
  const { wrong } = report;
  const bytes = new FolderStore(join(folder, 'media'));
  const later = Date.now() + HOURS_2_MS;
  const parts = { store: new MediaStore(db), bytes, now: () => later, log: pino({ level: 'silent' }) };
  for (const prefix of PREFIXES) {
    const { missing } = await sweepMedia(parts, prefix);
    wrong.push(...missing.map((sha256) => `the bytes of ${sha256} are missing`));
  }
  const posts = await db
    .collection('posts')
    .find({ removedAt: { $exists: false } })
    .toArray();
  const there = new Map(posts.map((post) => [post._id.toHexString(), post]));
  for (const { sha256, post } of await db.collection('media_refs').find().toArray()) {
    if (!there.has(post)) wrong.push(`${sha256} is kept for ${post}, which is not there`);
  }
  const kept = new Set((await db.collection('media').find({ state: 'kept' }).toArray()).map(({ _id }) => String(_id)));
  for (const post of posts) {
    for (const { sha256 } of (post['media'] ?? []) as { sha256?: string }[]) {
      if (!sha256) wrong.push(`${post['id']} lacks a picture`);
      else if (!kept.has(sha256)) wrong.push(`${post['id']} shows ${sha256}, which is not kept`);
    }
  }
  for (const prefix of PREFIXES) {
    const path = join(folder, 'media', prefix);
    for (const name of existsSync(path) ? await readdir(path) : []) {
      report.files++;
      if (!kept.has(name.slice(0, 64))) wrong.push(`the file ${name} is nobody's`);
    }
  }
}
