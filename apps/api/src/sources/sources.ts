import type { Base } from '../base.ts';
import { Outbound } from '../outbound/outbound.ts';
import { BlueskySource } from './bluesky/bluesky-source.ts';
import type { Source, SourcePlatform } from './source.ts';

export interface Sources {
  outbound: Outbound;
  /** Those that can be read here. */
  readonly byPlatform: ReadonlyMap<SourcePlatform, Source>;
}

export function createSources({ config, log }: Pick<Base, 'config' | 'log'>): Sources {
  const { bluesky, localHosts } = config.sources;
  const outbound = new Outbound({ localHosts });
  const source = new BlueskySource({
    ...bluesky,
    log,
    download: async (url, { maxBytes, signal }) =>
      (await outbound.get(url, { hosts: 'anybody', maxBytes, signal })).bytes,
  });
  return { outbound, byPlatform: new Map([[source.platform, source]]) };
}
