import { benchArchive } from '../apps/api/bench/archive.ts';
import { benchFaults } from '../apps/api/bench/faults.ts';
import { benchFeaturing } from '../apps/api/bench/featuring.ts';
import { benchLaunches } from '../apps/api/bench/launches.ts';
import { benchReactions } from '../apps/api/bench/reactions.ts';
import { buildProduct } from './build-product.ts';
import { runScript } from './processes.ts';

const BENCHES: Record<string, (args: string[]) => Promise<void>> = {
  archive: benchArchive,
  faults: benchFaults,
  featuring: benchFeaturing,
  launches: benchLaunches,
  reactions: benchReactions,
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
