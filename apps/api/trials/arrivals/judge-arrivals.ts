import type { Document } from 'mongodb';
import pino from 'pino';
import type { ByteStore } from '../../src/media/bytes/byte-store.ts';
import { MediaStore } from '../../src/media/media-store.ts';
import { PREFIXES, sweepMedia } from '../../src/media/sweep-media.ts';
import type { Stage } from '../stage.ts';
import type { Asked, People } from './people.ts';

type Db = Stage['database']['db'];

export interface Judgement {
  byState: Record<string, number>;
  posts: number;
  replies: number;
  files: number;
  /** Files that kills left behind and the sweeper deleted. */
  swept: number;
  wrong: string[];
}

const HOURS_2_MS = 2 * 3_600_000;

/**
 * Checks that each mention is one request with one answer, that each post exists once, and that each file exists and is
 * needed.
 */
export async function judgeArrivals(
  db: Db,
  bytes: ByteStore,
  asked: ReadonlyMap<People, readonly Asked[]>,
): Promise<Judgement> {
  const judgement: Judgement = { byState: {}, posts: 0, replies: 0, files: 0, swept: 0, wrong: [] };
  const saves = await db.collection('saves').find().toArray();
  const posts = await db
    .collection('posts')
    .find({ removedAt: { $exists: false } })
    .toArray();
  judgement.posts = posts.length;
  const places = { saves: byKeys(saves, ({ key }) => [key]), posts: byKeys(posts, ({ ids }) => ids) };
  for (const [people, all] of asked) {
    const answers = await people.answers();
    for (const one of all) judgeRequest(one, places, answers.get(one.mention) ?? [], judgement);
    judgement.replies += [...answers.values()].flat().length;
  }
  const mentions = [...asked.values()].flat().length;
  if (saves.length !== mentions) judgement.wrong.push(`${saves.length} requests of ${mentions} mentions`);
  for (const [id, found] of places.posts)
    if (found.length > 1) judgement.wrong.push(`${id} is there ${found.length} times`);
  await judgeMedia(db, bytes, posts, judgement);
  await judgeEvidence(db, posts, judgement);
  return judgement;
}

type Places = Record<'saves' | 'posts', Map<string, Document[]>>;

function judgeRequest(
  { mention, target, quoted }: Asked,
  { saves, posts }: Places,
  answers: string[],
  { byState, wrong }: Judgement,
): void {
  const [save, ...more] = saves.get(mention) ?? [];
  if (!save || more.length > 0) return void wrong.push(`${mention} is ${save ? more.length + 1 : 0} requests`);
  const { state, reason, archiveId, reply, replyId } = save;
  byState[state] = (byState[state] ?? 0) + 1;
  if (state !== 'answered') wrong.push(`${mention} ended as ${state} (${reason})`);
  const post = posts.get(target)?.[0];
  if (!post) wrong.push(`${target} is not there`);
  else if (!post['_id'].equals(archiveId)) wrong.push(`${mention} tells of another post`);
  if (quoted && !posts.has(quoted)) wrong.push(`${quoted}, which ${target} quotes, is not there`);
  if (answers.length !== 1) wrong.push(`${mention} was answered ${answers.length} times (${reply})`);
  else if (answers[0] !== replyId) wrong.push(`${mention} was answered by ${answers[0]}, not by ${replyId}`);
}

/**
 * Checks the media after a sweep two hours later: each file is needed by an existing post, and each needed file exists.
 */
async function judgeMedia(db: Db, bytes: ByteStore, posts: Document[], judgement: Judgement): Promise<void> {
  const { wrong } = judgement;
  const later = Date.now() + HOURS_2_MS;
  const parts = { store: new MediaStore(db), bytes, now: () => later, log: pino({ level: 'silent' }) };
  for (const prefix of PREFIXES) {
    const { missing, orphans, unneeded } = await sweepMedia(parts, prefix);
    wrong.push(...missing.map((sha256) => `the bytes of ${sha256} are missing`));
    judgement.swept += orphans.length + unneeded.length;
  }
  const there = new Set(posts.map(({ _id }) => String(_id)));
  for (const { sha256, post } of await db.collection('media_refs').find().toArray()) {
    if (!there.has(post)) wrong.push(`${sha256} is kept for ${post}, which is not there`);
  }
  const kept = new Set(
    (await db.collection('media').find({ state: 'kept' }).toArray()).map(({ name }) => String(name)),
  );
  const hashes = new Set([...kept].map((name) => name.slice(0, 64)));
  for (const { id, media = [], avatarSha256 } of posts) {
    for (const { sha256 } of media as { sha256?: string }[]) {
      if (!sha256) wrong.push(`${id} lacks a picture`);
      else if (!hashes.has(sha256)) wrong.push(`${id} shows ${sha256}, which is not kept`);
    }
    if (avatarSha256 && !hashes.has(avatarSha256)) wrong.push(`${id} shows ${avatarSha256}, which is not kept`);
  }
  for (const prefix of PREFIXES) {
    for await (const { name } of bytes.list(prefix)) {
      judgement.files++;
      if (!kept.has(name.replace('.webp', ''))) wrong.push(`the file ${name} is nobody's`);
    }
  }
}

/** Checks that each post has evidence of its capture, and that no other evidence exists. */
async function judgeEvidence(db: Db, posts: Document[], { wrong }: Judgement): Promise<void> {
  const captures = await db
    .collection('captures')
    .find({}, { projection: { _id: 1 } })
    .toArray();
  const evident = new Set(captures.map(({ _id }) => String(_id)));
  for (const { _id, id } of posts) if (!evident.delete(String(_id))) wrong.push(`${id} is there without evidence`);
  for (const id of evident) wrong.push(`there is evidence of ${id}, which is not there`);
}

function byKeys(documents: Document[], keysOf: (document: Document) => string[]): Map<string, Document[]> {
  const found = new Map<string, Document[]>();
  for (const document of documents)
    for (const key of keysOf(document)) found.set(key, [...(found.get(key) ?? []), document]);
  return found;
}
