import { BlankPage } from '../ui/blank-page.tsx';
import buttons from '../ui/button.module.css';
import { Link } from '../ui/link.tsx';

/** Shown instead of a page that could not be loaded: the server is down, or the browser is offline. */
export function Maintenance({ onRetry }: { onRetry: () => void }) {
  const isOffline = !navigator.onLine;
  return (
    <div role="alert" className="shell-fill">
      <BlankPage
        title={isOffline ? 'You are offline' : 'Server Maintenance'}
        text={
          isOffline
            ? 'This was not read before. What you read before is still here.'
            : 'We are undergoing server maintenance. We will be back soon.'
        }
      >
        <button type="button" className={buttons['plain']} onClick={onRetry}>
          Try again
        </button>
        {isOffline && (
          <Link href="/" className={buttons['plain']}>
            To the archive
          </Link>
        )}
      </BlankPage>
    </div>
  );
}
