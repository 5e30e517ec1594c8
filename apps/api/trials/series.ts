import { describeMachine } from '../bench/measure.ts';
import { runArrivalKills } from './arrivals/arrival-kills.ts';
import { fuzzParsers } from './attack/fuzz-parsers.ts';
import { runAttack } from './attack/run-attack.ts';
import { runDrill } from './drill.ts';
import { runFullDisk } from './full-disk.ts';
import { runImportKills } from './import-kills.ts';
import { runLaunchKills, runLaunchRaces } from './launch-kills.ts';
import { runMirror } from './mirror.ts';
import { runPaymentFaults } from './payment-faults.ts';
import { runPaymentRaces } from './payment-races.ts';
import { runReactionKills } from './reaction-kills.ts';
import { runReactionRaces } from './reaction-races.ts';
import { runRemovalCrawl } from './removal-crawl.ts';
import { Stage } from './stage.ts';
import { runTwoProcesses } from './two-processes.ts';
import { runVersionBeside } from './version-beside.ts';

/** Users who launch from one post at once. */
const USERS = 100;

/** `npm run bench -- faults [trials] [seed]`: kills during imports. */
export async function tryImports(args: string[]): Promise<void> {
  const [trials = 20, seed = 1] = args.map(Number);
  const { killed, acknowledged, lost, differences } = await runImportKills({ trials, seed, onTrial: say });
  tell(
    [...lost.map((id) => `lost ${id}`), ...differences],
    `${trials} kills (API ${killed.API}, engine ${killed.database}, importer ${killed.importer}), seed ${seed}`,
    `${acknowledged} posts acknowledged by the ingest call and 20,000 imported in each trial: ${lost.length} lost`,
    `differences between index and database after restart: ${differences.length}`,
  );
}

/**
 * `npm run bench -- reactions [rounds] [kills]`: equal calls at once, and kills during reactions and profile changes.
 */
export async function tryReactions(args: string[]): Promise<void> {
  const [rounds = 1_000, kills = 100] = args.map(Number);
  const stage = await Stage.open({ posts: 1 });
  const wrongRounds = await runReactionRaces(stage.product, stage.takePost(), rounds, say).finally(() => stage.close());
  const { acknowledged, wrong } = await runReactionKills({ trials: kills, seed: 1, onTrial: say });
  tell(
    [...wrong, ...Array<string>(wrongRounds).fill('a round had another effect than one')],
    `${rounds} rounds of 100 parallel equal requests (verify, add, remove): ${wrongRounds} wrong`,
    `${kills} kills (API and engine in turn): ${acknowledged} changes acknowledged, ${wrong.length} wrong`,
  );
}

/** `npm run bench -- featuring [runs] [seed] [races]`: two payers at once, and payments during faults. */
export async function tryPayments(args: string[]): Promise<void> {
  const [runs = 1_000, seed = 1, races = 1_000] = args.map(Number);
  const wrong = await runPaymentRaces(races, say);
  const report = await runPaymentFaults({ runs, seed, onRound: say });
  tell(
    [...wrong, ...report.wrong],
    `${races} rounds of two wallets paying for one post at once: ${wrong.length} wrong`,
    ...Object.entries(report.byFault).map(([fault, count]) => `${fault}: ${count} payments`),
    `${report.runs} payments: ${report.applied} applied, ${report.credits} kept as credits, ${report.dropped} taken back by the chain; ${report.wrong.length} wrong`,
  );
}

/** `npm run bench -- launches [rounds] [kills] [seed]`: many users on one post, and kills during launches. */
export async function tryLaunches(args: string[]): Promise<void> {
  const [rounds = 1_000, kills = 100, seed = 1] = args.map(Number);
  const races = await runLaunchRaces({ rounds, users: USERS, onRound: say });
  const killed = await runLaunchKills({ trials: kills, seed, onTrial: say });
  const states = Object.entries(killed.byState).map(([state, count]) => `${state} ${count}`);
  tell(
    [...races.wrong, ...killed.wrong],
    `${rounds} rounds of ${USERS} users on one post: ${races.launches} tokens, ${races.wrong.length} wrong`,
    `${kills} kills, launches met as ${states.join(', ')}: ${killed.launches} tokens, ${killed.wrong.length} wrong`,
  );
}

/** `npm run bench -- drill [rounds] [seed]`: the database is lost and restored. */
export async function tryDrill(args: string[]): Promise<void> {
  const [rounds = 20, seed = 1] = args.map(Number);
  const { saved, removed, payments, uses, tokens, wrong } = await runDrill({ rounds, seed, onRound: say });
  tell(
    wrong,
    `${rounds} rounds of losing the database, seed ${seed}: ${saved} posts saved, ${removed} removed, ${payments} payments, ${uses} uses of credits, ${tokens} tokens`,
    `wrong after the restores: ${wrong.length}`,
  );
}

/**
 * `npm run bench -- processes [rounds] [seed]`: two API processes; one has a wrong clock, is killed, is restarted under
 * traffic.
 */
export async function tryTwoProcesses(args: string[]): Promise<void> {
  const [rounds = 15, seed = 1] = args.map(Number);
  const { changes, rounds: done, answered, wrong } = await runTwoProcesses({ rounds, seed, onRound: say });
  tell(
    wrong,
    `${changes} changes by two processes, ${Object.entries(done)
      .map(([name, count]) => `clock ${name} ${count}`)
      .join(', ')}`,
    `${answered} requests answered while a process was rolled; ${wrong.length} changes missed, requests cut or refused`,
  );
}

/**
 * `npm run bench -- arrivals [requests] [kills] [seed] [s3]`: requests for posts while agent, API and engine are
 * killed.
 */
export async function tryArrivals(args: string[]): Promise<void> {
  const store = args.includes('s3') ? 's3' : 'folder';
  const [requests = 2_000, kills = 500, seed = 1] = args.filter((arg) => arg !== 's3').map(Number);
  const report = await runArrivalKills({ requests, kills, seed, store, say });
  const counts = (of: Record<string, number>) =>
    Object.entries(of)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  tell(
    report.wrong,
    `${report.requests} requests on Bluesky and X, ${kills} kills (${counts(report.kills)}), media in ${store === 's3' ? 'S3' : 'a folder'}, seed ${seed}`,
    `went wrong at X: ${counts(report.mishaps)}`,
    `ended as ${counts(report.byState)}: ${report.posts} posts, ${report.replies} answers, ${report.files} files, ${report.swept} left behind and swept; ${report.wrong.length} wrong`,
  );
}

/**
 * `npm run bench -- mirror [minutes] [seed]`: a copy follows the archive during writes, changes, removals and kills.
 */
export async function tryMirror(args: string[]): Promise<void> {
  const [minutes = 60, seed = 1] = args.map(Number);
  const { acts, follows, lines, kills, again, posts, wrong } = await runMirror({ minutes, seed, onMinute: say });
  tell(
    wrong,
    `${minutes} minutes, seed ${seed}: ${Object.entries(acts)
      .map(([act, count]) => `${act} ${count}`)
      .join(', ')}`,
    `the copy asked ${follows} times of two processes, one of them killed ${kills} times, and was told ${lines} lines; ${again} answers were asked for again`,
    `${posts} posts in the end; ${wrong.length} differ from the archive of either process`,
  );
}

/**
 * `npm run bench -- crawl [posts] [removals] [seed]`: removals under traffic on two processes, then a search of
 * everything public.
 */
export async function tryCrawl(args: string[]): Promise<void> {
  const [posts = 1_000, removals = 200, seed = 1] = args.map(Number);
  const report = await runRemovalCrawl({ posts, removals, seed, onStep: say });
  const acts = Object.entries(report.acts).map(([act, count]) => `${act} ${count}`);
  tell(
    report.wrong,
    `${report.removed} of ${report.posts} posts removed, seed ${seed}: ${acts.join(', ')}; ${report.reads} requests of readers meanwhile`,
    `${report.crawled} answers, files and collections looked through a minute later; ${report.wrong.length} wrong`,
  );
}

/** `npm run bench -- disk [moments] [seed]`: the disk fills up while the index is written. */
export async function tryFullDisk(args: string[]): Promise<void> {
  const [moments = 100, seed = 1] = args.map(Number);
  const { posts, wrong } = await runFullDisk({ moments, seed });
  tell(
    wrong,
    `a full disk at ${moments} moments of writing ${posts} posts, seed ${seed}: ${wrong.length} rows or counts wrong`,
  );
}

/**
 * `npm run bench -- attack [requests] [seed]`: generated requests over the whole contract: valid, nearly valid and
 * hostile.
 */
export async function tryAttack(args: string[]): Promise<void> {
  const [requests = 100_000, seed = 1] = args.map(Number);
  const report = await runAttack({ requests, seed, onSeries: say });
  const statuses = Object.entries(report.byStatus).map(([status, count]) => `${status} ${count}`);
  tell(
    report.wrong,
    `${report.requests} requests, seed ${seed}, by status: ${statuses.join(', ')}`,
    `${report.served.size} calls answered, ${report.refused.size} refused some of it; answers took ${report.p50Ms.toFixed(1)} ms at p50, ${report.p99Ms.toFixed(0)} at p99, ${report.slowestMs.toFixed(0)} at most`,
    `${report.wrong.length} answers wrong, of a 5xx, or later than a second`,
  );
}

/** `npm run bench -- before FOLDER [minutes]`: a process of another built checkout and one of this, on one database. */
export async function tryVersionBeside([before, minutes = '10']: string[]): Promise<void> {
  if (!before) throw new Error('the folder of a built checkout of the version before is missing');
  const { asked, changes, wrong } = await runVersionBeside({ before, minutes: Number(minutes), onMinute: say });
  tell(wrong, `${asked} questions to both, ${changes} changes meanwhile: ${wrong.length} errors and differences`);
}

/** `npm run bench -- parsers [inputs] [seed]`: invalid input for every parser of foreign data. */
export async function tryParsers(args: string[]): Promise<void> {
  const [inputs = 1_000_000, seed = 1] = args.map(Number);
  const report = await fuzzParsers({ inputs, seed, slowestMs: 1_000, onRound: say });
  tell(
    report.wrong,
    `${report.inputs} inputs, seed ${seed}, for ${Object.keys(report.byParser).length} parsers; slowest ${Math.round(report.slowestMs)} ms`,
    `${report.wrong.length} crashes, errors that were not meant, or later than a second`,
  );
}

/** Prints the results and the first errors. Any error makes the process fail. */
function tell(wrong: string[], ...found: string[]): void {
  console.log([describeMachine(), ...found, ...wrong.slice(0, 20).map((line) => `  ${line}`)].join('\n'));
  if (wrong.length > 0) process.exitCode = 1;
}

function say(line: string): void {
  console.error(`[trials] ${line}`);
}
