import { createHash } from 'node:crypto';
import { SAVE_REASONS } from '@archive/contracts';
import type { Base } from '../base.ts';
import type { SaveDocument } from '../saves/save-document.ts';
import type { SaveStore } from '../saves/save-store.ts';
import type { Account } from '../sources/account.ts';
import { SourceRefusal, SourceTrouble } from '../sources/source.ts';
import type { AgentStore } from './agent-store.ts';

export interface ReplyNeeds extends Pick<Base, 'config' | 'database' | 'log'> {
  saves: { store: SaveStore };
  agents: AgentStore;
}

const WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 15 * 60_000;
const REPLY_MS = 40_000;
/** Replies between two checks for mentions. */
const AT_ONCE = 20;
const LOOKED_AT = 1_000;
const DAY_MS = 86_400_000;
/** Replies in a day to one account: refusals by the daily limit, and all replies about an author's wishes. */
const REFUSALS_PER_DAY = 1;
const WORDS_PER_DAY = 5;

/** Variants of the reply, since platforms take many equal replies for spam. */
const SAVED = [
  'Saved, and here it stays:',
  'This one is kept now:',
  'Done. You find it here:',
  'In the archive:',
  'Kept for later:',
  'Here is the saved copy:',
  'Safe and sound:',
];
const NOT_SAVED = ['That did not work:', 'Sorry, not saved:', 'This one could not be kept:'];

/**
 * Sends waiting replies on a platform, each once and a few in a round. Sends none once the day's budget is spent.
 * Returns whether any was waiting.
 */
export async function sendReplies(needs: ReplyNeeds, account: Account, stopped: AbortSignal): Promise<boolean> {
  const { agents, config, database, log, saves } = needs;
  const { platform } = account;
  // Skipped replies do not count towards `AT_ONCE`.
  let looked = 0;
  for (let answered = 0; looked < LOOKED_AT && answered < AT_ONCE && !stopped.aborted; looked++) {
    const { replies } = await agents.spent(platform, database.clock.now());
    const isSpent = replies >= config.sources.repliesPerDay;
    const save = await saves.store.claimReply(platform);
    if (!save?.askedIn) break;
    const end = save.state === 'failed' ? 'failed' : ('answered' as const);
    if (isSpent) {
      if (await agents.isToTell(platform, database.clock.now())) {
        const sentence = 'the budget of replies is spent: requests are seen to without one';
        log.warn({ platform, alarm: 'replies spent' }, sentence);
      }
      await saves.store.move(save, { state: end, reply: 'skipped' });
      continue;
    }
    if (await isHeardEnough(needs, save)) {
      await saves.store.move(save, { state: end, reply: 'skipped' });
      continue;
    }
    answered++;
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(REPLY_MS)]);
    const { key, askedIn, mayBeAnswered: mayBeThere = false } = save;
    // Recorded before the reply is sent. If the process dies in between, the next one knows that the reply may exist.
    if (!(await saves.store.move(save, { mayBeAnswered: true }, { keep: true }))) continue;
    try {
      const replyId = await account.reply(askedIn, { key, mayBeThere, ...wordsOf(save, config.publicUrl) }, signal);
      await agents.spend(platform, database.clock.now(), { replies: 1 });
      await saves.store.move(save, { state: end, reply: 'sent', replyId });
    } catch (error) {
      // The mention is gone or allows no replies.
      if (stopped.aborted) await saves.store.move(save, {});
      else if (error instanceof SourceRefusal) await saves.store.move(save, { state: end, reply: 'skipped' });
      else await putOff(needs, save, error);
    }
  }
  return looked > 0;
}

/**
 * Whether this account has received enough replies of this kind today. The request itself is carried out all the same.
 */
async function isHeardEnough(
  { saves }: ReplyNeeds,
  { askedBy, createdAt, reason, wish }: SaveDocument,
): Promise<boolean> {
  // The limits of requests already bound all other replies.
  if (!wish && reason !== 'limit_reached') return false;
  const dayAt = Math.floor(createdAt.getTime() / DAY_MS) * DAY_MS;
  const enough = wish ? WORDS_PER_DAY : REFUSALS_PER_DAY;
  const told = {
    'askedBy.id': askedBy.id,
    createdAt: { $gte: new Date(dayAt), $lt: new Date(dayAt + DAY_MS) },
    reply: 'sent' as const,
    ...(wish ? { wish: { $exists: true } } : { reason: 'limit_reached' as const }),
  };
  return (await saves.store.count(told, enough)) >= enough;
}

async function putOff({ database, log, saves }: ReplyNeeds, save: SaveDocument, error: unknown): Promise<void> {
  log.warn({ err: error, save: save._id.toHexString() }, 'a reply could not be sent yet');
  const wait = Math.min(LONGEST_WAIT_MS, WAIT_MS * 2 ** Math.min(save.attempts, 20));
  const until = error instanceof SourceTrouble ? (error.until?.getTime() ?? 0) : 0;
  const dueAt = new Date(Math.max(database.clock.now().getTime() + wait / 2 + Math.random() * (wait / 2), until));
  const isUndone = error instanceof SourceTrouble && error.isUndone;
  const mayBeAnswered = !isUndone || (save.mayBeAnswered ?? false);
  await saves.store.move(save, { attempts: save.attempts + 1, dueAt, mayBeAnswered });
}

/** The text of the reply. It contains only our own words, so that it never names a token or another person. */
function wordsOf(save: SaveDocument, publicUrl: URL): { text: string; link: string | null } {
  if (save.words) return { text: save.words, link: null };
  if (save.archiveId) {
    return { text: pick(SAVED, save.key), link: new URL(`/post/${save.archiveId.toHexString()}`, publicUrl).href };
  }
  return { text: `${pick(NOT_SAVED, save.key)} ${SAVE_REASONS[save.reason ?? 'gave_up']}`, link: null };
}

function pick(sentences: readonly string[], key: string): string {
  const at = createHash('sha256').update(key).digest().readUInt32BE(0) % sentences.length;
  return sentences[at] as string;
}
