export * from './amount.ts';
export * from './networks.ts';
