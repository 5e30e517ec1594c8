export * from './archive-query.ts';
export * from './categories.ts';
export * from './endpoints.ts';
export * from './entities.ts';
export * from './errors.ts';
export * from './limits.ts';
export * from './product.ts';
export * from './reactions.ts';
