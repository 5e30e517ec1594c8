import { EXPORT_FORMATS, type ExportFormat, type Post } from '@archive/contracts';
import { formatCount } from '../../lib/format.ts';
import { isNarrowed } from './active-filters.ts';
import styles from './export-panel.module.css';
import { aboutBytes, exportBytes } from './export-size.ts';
import { exportAddress, type ViewState } from './view-state.ts';

export interface ExportPanelProps {
  view: ViewState;
  handle: string | undefined;
  /** Undefined while the count is unknown. */
  total: number | undefined;
  /** A sample of the matches, to estimate the file's size. */
  posts: readonly Post[];
}

const USES: Record<ExportFormat, string> = {
  csv: 'for spreadsheets',
  json: 'one file, for programs',
  ndjson: 'a post a line',
};

/** What an export contains, its estimated size, and a download link for each format. */
export function ExportPanel({ view, handle, total, posts }: ExportPanelProps) {
  const size = (format: ExportFormat) =>
    total === undefined || posts.length === 0 ? null : aboutBytes(exportBytes(posts, total, format));
  const csv = size('csv');
  return (
    <>
      <p className={styles['sum']}>
        {total === undefined ? 'Counting…' : `${formatCount(total)} ${total === 1 ? 'row' : 'rows'}`}
        {csv !== null && `, about ${csv}`}
      </p>
      <p className={styles['what']}>
        {isNarrowed(view) || handle !== undefined
          ? 'All posts of this list, on every page.'
          : 'All posts. A search or filter makes it smaller.'}
      </p>
      <ul className={styles['formats']}>
        {EXPORT_FORMATS.map((format) => (
          <li key={format}>
            <a className={styles['format']} href={exportAddress(view, format, handle)} download>
              {format.toUpperCase()}
              <span className={styles['use']}>{USES[format]}</span>
              <span className={styles['size']}>{size(format)}</span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
