export * from './agent-process.ts';
export * from './api-process.ts';
export * from './processes.ts';
