export const LAUNCH_PLATFORMS = ['token-2022', 'pumpfun'] as const;
export type LaunchPlatformName = (typeof LAUNCH_PLATFORMS)[number];

/** What the operator decides about launching. */
export interface LaunchSettings {
  platform: LaunchPlatformName | 'off';
  /** 64 bytes of the key that pays for launches; null: a development machine makes and keeps one. */
  secretKey: Uint8Array | null;
  /** Launches per UTC day, of everybody and of one wallet. */
  dailyCap: number;
  walletCap: number;
  /** Lamports that must be left before a launch. */
  balanceFloor: bigint;
  /** Of a token on `token-2022`; on `pumpfun` the program decides. */
  decimals: number;
  /** Base units. */
  supply: bigint;
  /** Refused in names and as symbols, besides the list in the code. */
  blockedWords: string[];
  /** The service that keeps metadata; null: this server does. */
  pinning: PinningService | null;
}

export interface PinningService {
  /** Takes a file as multipart/form-data and answers its content identifier. */
  endpoint: string;
  token: string | null;
  /** Address in front of a content identifier, with a slash at its end. */
  gateway: string;
}
