import { type AccountOptions, LocalAccount } from './local-account.ts';

/** Addresses of the parts of a network: http(s) or ws addresses on this machine, without a trailing slash. */
export interface BlueskyAddresses {
  /** The server of accounts (PDS): XRPC, and the firehose `/xrpc/com.atproto.sync.subscribeRepos`. */
  service: string;
  /** The AppView: XRPC without a session, like public.api.bsky.app, and pictures. */
  appView: string;
  /** The directory of identities (PLC). */
  plc: string;
  /** A stand-in for Jetstream (`/subscribe`): the events of the server of accounts, as JSON. */
  jetstream: string;
}

export interface BlueskyNetwork extends BlueskyAddresses {
  /** Creates an account with an app password and a profile. Its handle must end in `.test` and be unused. */
  createAccount(options?: AccountOptions): Promise<LocalAccount>;
  /** Resolves once the AppView shows everything that was written before the call. */
  settled(): Promise<void>;
}

/** Connects to a network that another process has started. */
export function connectLocalBluesky(addresses: BlueskyAddresses): BlueskyNetwork {
  return {
    ...addresses,
    createAccount: (options = {}) => LocalAccount.create(addresses.service, options),
    settled: async () => {
      const { ok, status } = await fetch(`${addresses.appView}/settled`);
      if (!ok) throw new Error(`the network does not settle: ${status}`);
    },
  };
}
