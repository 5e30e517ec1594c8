export * from './archive-query-schema.ts';
export * from './auth-schema.ts';
export * from './featuring-schema.ts';
export * from './launch-schema.ts';
export * from './post-schema.ts';
