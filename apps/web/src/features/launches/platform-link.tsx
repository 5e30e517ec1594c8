import type { Archive } from '@archive/contracts';
import buttons from '../../ui/button.module.css';
import { OutIcon } from '../../ui/icons.tsx';
import { useLaunchInfo } from './launch-panel.tsx';

/** Where a launched post's token can be looked at. */
export function PlatformLink({ post }: { post: Archive }) {
  const { data } = useLaunchInfo(post.launched ? post._id : null);
  const link = platformAddress(data?.launch_platform ?? null, data?.contract_address ?? null);
  if (link === null) return null;
  return (
    <a href={link} target="_blank" rel="noopener noreferrer" className={buttons['primary']}>
      View on {data?.launch_platform}
      <OutIcon size={13} />
    </a>
  );
}

/** The page of a token, where its platform has one; a mint is base58, so it needs no escaping. */
export function platformAddress(platform: string | null, contract: string | null): string | null {
  if (contract === null || !/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(contract)) return null;
  return platform?.toLowerCase().replace(/[^a-z]/g, '') === 'pumpfun' ? `https://pump.fun/coin/${contract}` : null;
}
