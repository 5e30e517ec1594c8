import type { LaunchPlatformName } from '@archive/contracts';
import type { LaunchPlatform } from './launch-platform.ts';
import { pumpfun } from './pumpfun.ts';
import { token2022 } from './token-2022.ts';

type TokenSettings = Parameters<typeof token2022>[0];

const PLATFORMS: Record<LaunchPlatformName, (token: TokenSettings) => LaunchPlatform> = {
  'token-2022': token2022,
  pumpfun: () => pumpfun,
};

export function launchPlatform(name: LaunchPlatformName, token: TokenSettings): LaunchPlatform {
  return PLATFORMS[name](token);
}
