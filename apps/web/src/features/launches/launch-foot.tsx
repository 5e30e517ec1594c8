import { safeLink } from '../../lib/safe-links.ts';
import buttons from '../../ui/button.module.css';
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

/** What can be done next; one button of the first rank at most. */
export function LaunchFoot({ view, formId, onClose, onCheck, onCancel }: LaunchFootProps) {
  switch (view.kind) {
    case 'form':
      return (
        <div className={styles['pair']}>
          <button type="button" className={buttons['ghost']} onClick={onClose}>
            Cancel
          </button>
          <button type="submit" form={formId} className={buttons['primary']}>
            Sign and launch
          </button>
        </div>
      );
    case 'signing':
      return (
        <button type="button" className={buttons['plain']} onClick={onCancel}>
          Cancel
        </button>
      );
    case 'launched':
    case 'taken': {
      const explorer = safeLink(view.launch?.solscanTokenUrl);
      const platform = safeLink(view.launch?.pumpfunUrl);
      return (
        <>
          {explorer !== null && (
            <OutLink href={explorer} className={`${buttons['plain']} ${styles['first']}`} label="View on Solscan" />
          )}
          <button type="button" className={buttons[platform === null ? 'primary' : 'ghost']} onClick={onClose}>
            Done
          </button>
          {platform !== null && <OutLink href={platform} className={buttons['primary']} label="View on pump.fun" />}
        </>
      );
    }
    case 'unknown':
      return (
        <>
          <button type="button" className={buttons['ghost']} onClick={onClose}>
            Close
          </button>
          <button type="button" className={buttons['primary']} onClick={onCheck}>
            Look again
          </button>
        </>
      );
    default:
      return (
        <button type="button" className={buttons['plain']} onClick={onClose}>
          Close
        </button>
      );
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
