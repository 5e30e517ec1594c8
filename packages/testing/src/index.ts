export { blueskyId } from './bluesky-id.ts';
export { type Answer, call, type Served } from './call.ts';
export { checkPost, Launcher, type LaunchTry } from './launcher.ts';
export { featureEnv, Payer, PRICE } from './payer.ts';
export { Product, type ProductOptions } from './product.ts';
export { TestWallet } from './test-wallet.ts';
