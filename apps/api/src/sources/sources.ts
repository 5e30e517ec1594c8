import type { Base } from '../base.ts';
import { BlueskySource } from './bluesky/bluesky-source.ts';
import type { Source, SourcePlatform } from './source.ts';

export interface Sources {
  /** Those that can be read here. */
  readonly byPlatform: ReadonlyMap<SourcePlatform, Source>;
}

export function createSources({ config, log, outbound }: Pick<Base, 'config' | 'log' | 'outbound'>): Sources {
  const source = new BlueskySource({
    ...config.sources.bluesky,
    log,
    download: async (url, { maxBytes, signal }) =>
      (await outbound.get(url, { hosts: 'anybody', maxBytes, signal })).bytes,
  });
  return { byPlatform: new Map([[source.platform, source]]) };
}
