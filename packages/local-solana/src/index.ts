export type { Controls, EndpointControls, LocalEndpoint } from './controls.ts';
export type { Fault } from './network/protocol.ts';
export { type LocalSolana, type LocalSolanaOptions, openLocalSolana } from './open-local-solana.ts';
