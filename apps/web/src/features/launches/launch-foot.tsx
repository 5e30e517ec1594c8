import { safeLink } from '../../lib/safe-links.ts';
import buttons from '../../ui/button.module.css';
import { Button } from '../../ui/button.tsx';
import { OutIcon } from '../../ui/icons.tsx';
import styles from './launch-sheet.module.css';
import type { LaunchView } from './use-launch-sheet.ts';

interface LaunchFootProps {
  view: LaunchView;
  formId: string;
  onClose: () => void;
  onCheck: () => void;
  onCancel: () => void;
}

/** The sheet's buttons; at most one is primary. */
export function LaunchFoot({ view, formId, onClose, onCheck, onCancel }: LaunchFootProps) {
  switch (view.kind) {
    case 'form':
      return (
        <div className={styles['pair']}>
          <Button look="ghost" label="Cancel" onClick={onClose} />
          <button type="submit" form={formId} className={buttons['primary']}>
            Sign and launch
          </button>
        </div>
      );
    case 'signing':
      return <Button look="plain" label="Cancel" onClick={onCancel} />;
    case 'launched':
    case 'taken': {
      const explorer = safeLink(view.launch?.solscanTokenUrl);
      const platform = safeLink(view.launch?.pumpfunUrl);
      return (
        <>
          {explorer !== null && (
            <OutLink href={explorer} className={`${buttons['plain']} ${styles['first']}`} label="View on Solscan" />
          )}
          <Button look={platform === null ? 'primary' : 'ghost'} label="Done" onClick={onClose} />
          {platform !== null && <OutLink href={platform} className={buttons['primary']} label="View on pump.fun" />}
        </>
      );
    }
    case 'unknown':
      return (
        <>
          <Button look="ghost" label="Close" onClick={onClose} />
          <Button look="primary" label="Look again" onClick={onCheck} />
        </>
      );
    default:
      return <Button look="plain" label="Close" onClick={onClose} />;
  }
}

function OutLink({ href, className, label }: { href: string; className: string | undefined; label: string }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={className}>
      {label}
      <span className="visually-hidden">, in a new tab</span>
      <OutIcon size={13} />
    </a>
  );
}
