export { agentSettings } from './agent-settings.ts';
export { type BlueskyAddresses, type BlueskyNetwork, connectLocalBluesky } from './bluesky-network.ts';
export { installLocalBluesky } from './install-local-bluesky.ts';
export type { AccountOptions, LocalAccount, NewPost, RecordRef } from './local-account.ts';
export { offerLocalBluesky, sharedBluesky } from './shared-bluesky.ts';
export { type LocalBluesky, type LocalBlueskyOptions, startLocalBluesky } from './start-local-bluesky.ts';
export { verifyRecord } from './verify-record.ts';
export { callXrpc, XrpcError } from './xrpc.ts';
