import type { BlueskyAddresses } from './bluesky-network.ts';
import type { LocalAccount } from './local-account.ts';

/**
 * Environment variables with which API and agent read this network, and with which the agent answers there as
 * `account`. To allow more local hosts, extend `SOURCE_LOCAL_HOSTS`, a list separated by commas.
 */
export function agentSettings(
  { service, appView, plc, jetstream }: Pick<BlueskyAddresses, 'service' | 'appView' | 'plc' | 'jetstream'>,
  { handle, appPassword }: Pick<LocalAccount, 'handle' | 'appPassword'>,
) {
  return {
    DISK_FLOOR: '0',
    BLUESKY_SERVICE: service,
    BLUESKY_APPVIEW_URL: appView,
    BLUESKY_PLC_URL: plc,
    BLUESKY_JETSTREAM_URL: jetstream,
    BLUESKY_IDENTIFIER: handle,
    BLUESKY_PASSWORD: appPassword,
    SOURCE_LOCAL_HOSTS: [service, appView, plc, jetstream].map((url) => new URL(url).host).join(','),
  };
}
