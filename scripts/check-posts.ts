import { buildProduct } from './build-product.ts';

await buildProduct();
await import('../apps/api/tests/check-posts.ts');
