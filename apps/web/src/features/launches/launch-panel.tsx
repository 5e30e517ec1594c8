import { useAnswer } from '../../lib/api.ts';
import { shorten } from '../../lib/format.ts';
import { ASKED_ONCE, useConfig } from '../../lib/use-config.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import styles from './launch-panel.module.css';

/** Platform and contract address of the project's own token, if configured. */
export function LaunchPanel() {
  const id = useConfig()?.launchInfoId ?? null;
  const { data, isLoading } = useLaunchInfo(id);
  if (id === null) return null;
  // Keeps the height while loading, so that nothing below moves.
  if (isLoading) return <div className={styles['panel']} aria-hidden="true" />;
  if (data === undefined || data.contract_address === null) return null;
  return (
    <div className={styles['panel']}>
      {data.launch_platform !== null && <span className={styles['platform']}>{data.launch_platform}</span>}
      <span className={styles['address']} title={data.contract_address}>
        {shortContract(data.contract_address)}
      </span>
      <CopyButton text={data.contract_address} label="Copy contract address" />
    </div>
  );
}

export function useLaunchInfo(id: string | null) {
  return useAnswer('launchInfo', id === null ? null : { params: { id } }, ASKED_ONCE);
}

function shortContract(address: string): string {
  return address.length > 18 ? `${address.slice(0, 8)}…${address.slice(-7)}` : shorten(address);
}
