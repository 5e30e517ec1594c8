import { BlankPage } from '../ui/blank-page.tsx';
import buttons from '../ui/button.module.css';

export function Maintenance({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert" className="shell-fill">
      <BlankPage title="Server Maintenance" text="We are undergoing server maintenance. We will be back soon.">
        <button type="button" className={buttons['plain']} onClick={onRetry}>
          Try again
        </button>
      </BlankPage>
    </div>
  );
}
