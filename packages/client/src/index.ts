export * from './address.ts';
export * from './api-error.ts';
export * from './client.ts';
