import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Product } from '@archive/testing';
import { aPicture } from '@archive/testing/media';
import pino from 'pino';
import { connectDatabase } from '../src/db/database.ts';
import { FolderStore } from '../src/media/bytes/folder-store.ts';
import { keepMedia } from '../src/media/keep-media.ts';
import { MediaStore } from '../src/media/media-store.ts';
import { describeMachine, percent, quantile, type Row, Rows, toTable, whole } from './measure.ts';
import { requestsPerSecond } from './plain-peers.ts';

const ROUNDS = 5;
const SHARE = 0.8;

/** Pictures of 60 kB per second, compared with bare Express that streams the same file. */
export async function benchMedia(): Promise<void> {
  const picture = await aPicture({ width: 263, height: 263, isNoise: true });
  let path = '';
  const product = await Product.open({
    prepare: async ({ mongo, folder }) => {
      const database = await connectDatabase(mongo.uri);
      const parts = {
        store: new MediaStore(database.db),
        bytes: new FolderStore(join(folder, 'media')),
        now: Date.now,
        log: pino({ level: 'silent' }),
      };
      const kept = await keepMedia(parts, picture, { post: 'bench' });
      if ('sha256' in kept) path = `/media/${kept.sha256}`;
      await database.close();
    },
  });
  const file = join(product.folder, 'plain.jpg');
  writeFileSync(file, picture);
  const plain = await startPlain(file);
  try {
    const rows = await benchBeside(`${product.url}${path}`, plain.url, picture.length);
    console.log(`\n${describeMachine()}\n\n${toTable(rows)}\n`);
    if (rows.some((row) => !row.isMet)) process.exitCode = 1;
  } finally {
    await plain.stop();
    await product.close();
  }
}

async function benchBeside(url: string, peer: string, size: number): Promise<Row[]> {
  const rates: { ours: number[]; express: number[] } = { ours: [], express: [] };
  // The first round is a warm-up.
  for (let round = 0; round <= ROUNDS; round++) {
    const [ours, express] = [await requestsPerSecond(url), await requestsPerSecond(peer)];
    if (round === 0) continue;
    rates.ours.push(ours);
    rates.express.push(express);
  }
  const ratio = quantile(
    rates.ours.map((ours, round) => ours / (rates.express[round] as number)),
    0.5,
  );
  const rows = new Rows();
  rows.push({
    what: `a picture of ${whole(size)} bytes`,
    must: `${percent(SHARE)} of Express streaming it`,
    got: `${whole(quantile(rates.ours, 0.5))} a second, ${percent(ratio)}`,
    beside: `Express ${whole(quantile(rates.express, 0.5))}`,
    isMet: ratio >= SHARE,
  });
  return rows;
}

async function startPlain(file: string): Promise<{ url: string; stop(): Promise<void> }> {
  const script = resolve(import.meta.dirname, 'plain-media.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    url: `http://127.0.0.1:${port.toString().trim()}/`,
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}
