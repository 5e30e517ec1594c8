import type { BlueskyAddresses } from './bluesky-network.ts';
import type { LocalAccount } from './local-account.ts';

/**
 * Settings, as environment variables, with which API and agent read this network and the agent answers there as `account`.
 * Whoever needs more local hosts adds them to `SOURCE_LOCAL_HOSTS`, a list with commas.
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
