import { benchArchive } from '../apps/api/bench/archive.ts';
import { benchArrival } from '../apps/api/bench/arrival.ts';
import { benchBackup } from '../apps/api/bench/backup.ts';
import { benchClassify } from '../apps/api/bench/classify.ts';
import { benchFeaturing } from '../apps/api/bench/featuring.ts';
import { benchFeeds } from '../apps/api/bench/feeds.ts';
import { benchGrowth } from '../apps/api/bench/growth.ts';
import { benchLaunches } from '../apps/api/bench/launches.ts';
import { benchLoad } from '../apps/api/bench/load.ts';
import { benchMedia } from '../apps/api/bench/media.ts';
import { benchMetrics } from '../apps/api/bench/metrics.ts';
import { benchNetworks } from '../apps/api/bench/networks.ts';
import { benchPayers } from '../apps/api/bench/payers.ts';
import { benchReactions } from '../apps/api/bench/reactions.ts';
import { benchRemovals } from '../apps/api/bench/removals.ts';
import { benchScale } from '../apps/api/bench/scale.ts';
import { benchTimeline } from '../apps/api/bench/timeline.ts';
import {
  tryArrivals,
  tryAttack,
  tryCrawl,
  tryDrill,
  tryFullDisk,
  tryImports,
  tryLaunches,
  tryMirror,
  tryParsers,
  tryPayments,
  tryReactions,
  tryTwoProcesses,
  tryVersionBeside,
} from '../apps/api/trials/series.ts';
import { runScript } from '../packages/processes/src/index.ts';
import { buildProduct } from './build-product.ts';

/** The benchmarks in order: measurements first, then races, kills and faults. */
const BENCHES: Record<string, (args: string[]) => Promise<void>> = {
  archive: benchArchive,
  backup: benchBackup,
  classify: benchClassify,
  crawl: tryCrawl,
  drill: tryDrill,
  arrival: benchArrival,
  arrivals: tryArrivals,
  attack: async (args) => {
    await benchNetworks();
    await benchPayers();
    await tryAttack(args);
  },
  payers: benchPayers,
  before: tryVersionBeside,
  disk: tryFullDisk,
  faults: tryImports,
  feeds: benchFeeds,
  growth: benchGrowth,
  featuring: (args) => benchFeaturing().then(() => tryPayments(args)),
  launches: (args) => benchLaunches().then(() => tryLaunches(args)),
  load: benchLoad,
  media: benchMedia,
  metrics: benchMetrics,
  mirror: tryMirror,
  parsers: tryParsers,
  processes: tryTwoProcesses,
  reactions: (args) => benchReactions().then(() => tryReactions(args)),
  removals: benchRemovals,
  scale: benchScale,
  timeline: benchTimeline,
  web: async () => {
    const { code } = await runScript('e2e/bench-web.ts', []);
    process.exitCode = code;
  },
};

const [name = '', ...args] = process.argv.slice(2);
const bench = BENCHES[name];
if (!bench) {
  console.error(`npm run bench -- NAME; there is: ${Object.keys(BENCHES).join(', ')}`);
  process.exit(2);
}
await buildProduct();
await bench(args);
