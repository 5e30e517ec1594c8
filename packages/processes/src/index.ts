export * from './api-process.ts';
export * from './processes.ts';
