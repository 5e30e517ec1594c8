import buttons from '../../ui/button.module.css';
import { DownloadIcon } from '../../ui/icons.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useUnfold } from '../../ui/use-unfold.ts';
import styles from './export-menu.module.css';
import type { ExportPanelProps } from './export-panel.tsx';

const ExportPanel = lazyPart(() => import('./export-panel.tsx').then((part) => part.ExportPanel));

/** The menu that exports all matches in any format, with the expected size. */
export function ExportMenu(props: ExportPanelProps) {
  const { isOpen, root, button } = useUnfold();
  return (
    <div className="unfolds" ref={root}>
      <button
        {...button}
        className={buttons['plain']}
        onPointerEnter={ExportPanel.prefetch}
        onFocus={ExportPanel.prefetch}
      >
        <DownloadIcon />
        Export
      </button>
      <div id={button['aria-controls']} className={styles['panel']} hidden={!isOpen}>
        {isOpen && <ExportPanel {...props} />}
      </div>
    </div>
  );
}
