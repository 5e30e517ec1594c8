import { type AccountOptions, LocalAccount } from './local-account.ts';

/** Where the parts of a network answer, as http(s) or ws addresses of this machine without a slash at the end. */
export interface BlueskyAddresses {
  /** The server of accounts (PDS): XRPC, and the firehose `/xrpc/com.atproto.sync.subscribeRepos`. */
  service: string;
  /** The AppView: XRPC without a session, as public.api.bsky.app, and pictures. */
  appView: string;
  /** The directory of identities. */
  plc: string;
  /** A stand-in for Jetstream (`/subscribe`): what happens on the server of accounts, as JSON. */
  jetstream: string;
}

export interface BlueskyNetwork extends BlueskyAddresses {
  /** A new account on this network, with an app password and a profile; its handle must end in `.test` and be unused. */
  createAccount(options?: AccountOptions): Promise<LocalAccount>;
  /** Resolves once the AppView shows all that was written on it until now. */
  settled(): Promise<void>;
}

/** A network that somebody else has started. */
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
