import { EXPORT_FORMATS } from '@archive/contracts';
import styles from './export-line.module.css';
import { exportAddress, type ViewState } from './view-state.ts';

/** All matches, in every format there is. */
export function ExportLine({ view, handle }: { view: ViewState; handle: string | undefined }) {
  return (
    <p className={styles['line']}>
      Take all of these with you:
      {EXPORT_FORMATS.map((format) => (
        <a key={format} className="word-link" href={exportAddress(view, format, handle)} download>
          {format.toUpperCase()}
        </a>
      ))}
    </p>
  );
}
