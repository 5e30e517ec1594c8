export * from './answers.ts';
export * from './archive-query-schema.ts';
export * from './auth-schema.ts';
export * from './entities.ts';
export * from './inputs.ts';
export * from './people-schema.ts';
export * from './post-schema.ts';
export * from './save-schema.ts';
