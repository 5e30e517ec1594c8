import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '@archive/processes';
import { Product } from '@archive/testing';
import { adminWallet } from './admin-wallet.ts';
import { FEATURED_ID, posts } from './posts.ts';

/**
 * Less than half of the real network's slot time: confirmation and finality come sooner, and a payment has 22 s to
 * land.
 */
const SLOT_MS = 150;

/**
 * Starts the built product over an empty folder, with the posts of `posts.ts` and a local Solana network. Returns the
 * function that stops it.
 */
export default async function startProduct(): Promise<() => Promise<void>> {
  const product = await Product.open({
    solana: { slotMs: SLOT_MS },
    env: { WEB_DIR: join(ROOT, 'apps/web/dist'), ADMIN_WALLETS: adminWallet().address, TRUSTED_PROXIES: '1' },
    prepare: addPosts,
  });
  process.env['PRODUCT_URL'] = product.url;
  return () => product.close();
}

async function addPosts(product: Product): Promise<void> {
  product.env['PUBLIC_SOLANA_RPC_URL'] = product.solana.rpcUrl;
  const file = join(product.folder, 'posts.ndjson');
  const lines = posts().map((post) => `${JSON.stringify(post)}\n`);
  await writeFile(file, lines.join(''));
  await product.command('import', file);
  await product.command('feature', FEATURED_ID);
}
